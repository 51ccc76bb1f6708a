import { pathToFileURL } from 'node:url';
import { compiled } from './catalogues.ts';
import type { Messages } from './po.ts';

/**
 * A plugin of Vite that compiles the English texts of an app while it is built, so that no browser
 * downloads the compiler. `catalogue` tells the files that export them.
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
