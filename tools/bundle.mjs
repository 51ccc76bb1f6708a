// Bundles the service, the practice clinic and the clinic's commands into dist/, with source maps: a start
// then loads three files instead of a thousand. Run by tools/build.mjs.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

import { root } from './node-path.mjs';

const FAKE_OSCAR = join(root, 'packages/oscar/fake/');

/** Keeps import.meta.url as in the source; also bundles the threads and programs that it names. */
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

/** Bundles programs, each a name and its file, into a folder of the repository. */
export async function bundle(input, folder) {
  const made = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // PGlite and sharp load files from their own folders, so they are not bundled.
    external: [/^@electric-sql\/pglite/, 'sharp', 'pg-native'],
    plugins: [ownPlace(folder)],
  });
  await made.write({
    dir: folder,
    cleanDir: true,
    sourcemap: true,
    // The process keeps source maps in memory. They need no sources: those are in the repository.
    sourcemapExcludeSources: true,
    comments: false,
    entryFileNames: '[name].mjs',
    // The image leaves the fake OSCAR out by this name; only the practice clinic loads it.
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
