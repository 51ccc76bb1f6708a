// Bundles the service, the practice clinic and the clinic's commands into dist/, with source maps: a
// start then loads three files instead of a thousand. Run by tools/build.mjs.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

import { root } from './node-path.mjs';

const FAKE_OSCAR = join(root, 'packages/oscar/fake/');

/** A file finds what lies beside it from where it was written; the thread of its own is bundled too. */
const ownPlace = (folder) => ({
  name: 'own-place',
  transform: {
    filter: { code: /\bimport\.meta\.url\b/, id: { exclude: /node_modules/ } },
    handler(code, id) {
      const place = JSON.stringify(relative(folder, id).replaceAll('\\', '/'));
      return {
        code: code
          .replaceAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g, (_all, name) => {
            const file = this.emitFile({ type: 'chunk', id: join(dirname(id), name) });
            return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
          })
          .replaceAll(/(?<!_)import\.meta\.url\b/g, `new URL(${place}, import.meta.url).href`),
        map: null,
      };
    },
  },
});

/** Bundles these programs, each a name and its file, into a folder of the repository. */
export async function bundle(input, folder) {
  const made = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Both load files that lie beside them.
    external: [/^@electric-sql\/pglite/, 'sharp', 'pg-native'],
    plugins: [ownPlace(folder)],
  });
  await made.write({
    dir: folder,
    cleanDir: true,
    sourcemap: true,
    // The process keeps the maps and its own text in memory; the sources stand beside them.
    sourcemapExcludeSources: true,
    comments: false,
    entryFileNames: '[name].mjs',
    // By its name the image leaves the fake OSCAR out, which the practice clinic alone loads.
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => id.startsWith(FAKE_OSCAR))
        ? 'fake-oscar-[name]-[hash].mjs'
        : '[name]-[hash].mjs',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const programs = {
    practice: 'apps/practice/src/main.ts',
    service: 'apps/service/src/main.ts',
    clinic: 'apps/cli/src/main.ts',
  };
  await bundle(programs, join(root, 'dist'));
}
