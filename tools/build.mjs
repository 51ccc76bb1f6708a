// npm run build: the patients' app into apps/web/dist, the staff's into apps/desk/dist, the service into
// dist/. Skips each whose sources have not changed since. Plain JavaScript with built-ins only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compressAhead, keepForADay } from './assets.mjs';
import { environment, nodePath, root } from './node-path.mjs';

const web = {
  what: 'the web pages',
  in: join(root, 'apps/web'),
  command: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel=warn'],
  made: join(root, 'apps/web/dist/index.html'),
  stamp: join(root, 'apps/web/.clinic-built-from'),
  assets: join(root, 'apps/web/dist/assets'),
  note: join(root, 'apps/web/.clinic-old-assets'),
  from: [
    'package-lock.json',
    'packages/domain/src',
    'packages/contract/src',
    'packages/texts/locales',
    'packages/texts/src',
    'packages/ui/src',
    'packages/app/build',
    'packages/app/src',
    'apps/web/build',
    'apps/web/index.html',
    'apps/web/public',
    'apps/web/src',
    'apps/web/vite.config.ts',
    'tools/assets.mjs',
  ],
};

const desk = {
  what: 'the front desk',
  in: join(root, 'apps/desk'),
  command: web.command,
  made: join(root, 'apps/desk/dist/index.html'),
  stamp: join(root, 'apps/desk/.clinic-built-from'),
  assets: join(root, 'apps/desk/dist/assets'),
  note: join(root, 'apps/desk/.clinic-old-assets'),
  from: [
    'package-lock.json',
    'packages/domain/src',
    'packages/contract/src',
    'packages/texts/locales',
    'packages/texts/src',
    'packages/ui/src',
    'packages/app/build',
    'packages/app/src',
    'apps/desk/build',
    'apps/desk/index.html',
    'apps/desk/src',
    'apps/desk/vite.config.ts',
    'tools/assets.mjs',
  ],
};

const service = {
  what: 'the service',
  in: root,
  command: [join(root, 'tools/bundle.mjs')],
  made: join(root, 'dist/practice.mjs'),
  stamp: join(root, 'dist/.clinic-built-from'),
  from: [
    'package-lock.json',
    'packages/domain/src',
    'packages/contract/src',
    'packages/texts/src',
    'packages/oscar/src',
    'packages/oscar/fake',
    'apps/service/src',
    'apps/practice/src',
    'apps/cli/src',
    'tools/bundle.mjs',
  ],
};

function addTo(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
  } else if (!/\.test\.tsx?$/.test(path)) {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  }
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const path of sources) addTo(hash, path);
  return hash.digest('hex');
}

function ensureIsBuilt({ what, in: cwd, command, made, stamp, from, assets, note }) {
  const now = hashOf(from);
  const built = existsSync(stamp) && existsSync(made);
  if (built && readFileSync(stamp, 'utf8') === now) return;
  console.log(`Building ${what}`);
  // Clocks of files lag behind by a few milliseconds.
  const builtSince = Date.now() - 1_000;
  const { status } = spawnSync(nodePath(), command, {
    cwd,
    env: { ...environment(), NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Building ${what} failed; see above.`);
  if (assets !== undefined) {
    keepForADay({ assets, note, builtSince });
    compressAhead(assets);
  }
  writeFileSync(stamp, now);
}

export default function ensureAllIsBuilt() {
  ensureIsBuilt(web);
  ensureIsBuilt(desk);
  ensureIsBuilt(service);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureAllIsBuilt();
