interface Chunk {
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}
type Bundle = Readonly<Record<string, Chunk>>;

/** A Vite plugin that has an app import its parts by `fetchFirst`, in place of Vite's own loader. */
export function fetchPartsFirst() {
  let bundle: Bundle = {};
  let isUsed = false;

  /** With all that it imports statically. */
  const whole = (file: string, files = new Set<string>()): ReadonlySet<string> => {
    if (files.has(file)) return files;
    files.add(file);
    for (const imported of bundle[file]?.imports ?? []) whole(imported, files);
    return files;
  };
  /** Without what the page has anyway: its entries, the file that imports, and what these import. */
  const resolveDependencies = (
    part: string,
    files: string[],
    { hostId, hostType }: { hostId: string; hostType: 'html' | 'js' },
  ) => {
    if (hostType === 'html') return files;
    const entries = Object.keys(bundle).filter((file) => bundle[file]?.isEntry);
    const here = new Set([hostId, ...entries].flatMap((file) => [...whole(file)]));
    return [...new Set([part, ...files])].filter((file) => !here.has(file));
  };

  return {
    name: 'fetch-parts-first',
    apply: 'build' as const,
    enforce: 'pre' as const,
    config: () => ({ build: { modulePreload: { polyfill: false, resolveDependencies } } }),
    load(id: string) {
      if (id !== '\0vite/preload-helper.js') return null;
      isUsed = true;
      return "export { fetchFirst as __vitePreload } from '@clinic/app/fetch-first';";
    },
    generateBundle: {
      order: 'pre' as const,
      handler(_options: unknown, built: Bundle) {
        if (!isUsed) throw new Error('Vite has another name for its loader of parts');
        bundle = built;
      },
    },
  };
}
