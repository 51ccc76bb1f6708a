import { pathToFileURL } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

type Words = Record<string, string>;

const catalogue = /\/src\/messages\/[a-z]{2}\/[\w-]+\.ts$/;

/** Compiles the message catalogues while building, so that no patient downloads the compiler. */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (!catalogue.test(id)) return null;
      this.addWatchFile(id);
      const exported = (await import(pathToFileURL(id).href)) as Record<string, Words>;
      return Object.entries(exported)
        .map(([name, messages]) => `export const ${name} = ${JSON.stringify(compiled(messages))};`)
        .join('\n');
    },
  };
}

function compiled(messages: Words): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, compileMessage(message)]),
  );
}
