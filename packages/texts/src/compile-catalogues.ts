import { pathToFileURL } from 'node:url';
import { compiled } from './catalogues.ts';
import type { Messages } from './po.ts';

/**
 * A Vite plugin that compiles an app's English texts at build time, so that browsers do not download the
 * compiler. `catalogue` matches the files that export the texts.
 */
export const compileCatalogues = (catalogue: RegExp) => ({
  name: 'compile-catalogues',
  enforce: 'pre' as const,
  async load(this: { addWatchFile: (path: string) => void }, id: string) {
    if (!catalogue.test(id)) return null;
    this.addWatchFile(id);
    const exported = (await import(pathToFileURL(id).href)) as Record<string, Messages>;
    return Object.entries(exported)
      .map(([name, messages]) => `export const ${name} = ${JSON.stringify(compiled(messages))};`)
      .join('\n');
  },
});
