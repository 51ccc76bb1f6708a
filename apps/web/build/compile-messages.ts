import { pathToFileURL } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

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
      const exported: Record<string, Record<string, string>> = await import(pathToFileURL(id).href);
      return Object.entries(exported)
        .map(([name, messages]) => `export const ${name} = ${JSON.stringify(compiled(messages))};`)
        .join('\n');
    },
  };
}

function compiled(messages: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, compileMessage(message)]),
  );
}
