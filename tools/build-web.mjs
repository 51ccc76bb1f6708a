// Plain JavaScript with built-ins only. Builds apps/web into apps/web/dist unless what it is built
// from has not changed since.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { environment, nodePath, root } from './node-path.mjs';

const web = join(root, 'apps/web');
const stamp = join(web, '.clinic-built-from');
const sources = [
  'package-lock.json',
  'packages/domain/src',
  'packages/contract/src',
  'packages/ui/src',
  'apps/web/build',
  'apps/web/index.html',
  'apps/web/public',
  'apps/web/src',
  'apps/web/vite.config.ts',
];

function addTo(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
  } else if (!/\.test\.tsx?$/.test(path)) {
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  }
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of sources) addTo(hash, path);
  return hash.digest('hex');
}

export default function ensureWebIsBuilt() {
  const now = hashOfSources();
  const built = existsSync(stamp) && existsSync(join(web, 'dist/index.html'));
  if (built && readFileSync(stamp, 'utf8') === now) return;
  console.log('Building the web pages');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(nodePath(), [vite, 'build', '--logLevel=warn'], {
    cwd: web,
    env: { ...environment(), NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The web pages could not be built; see above.');
  writeFileSync(stamp, now);
}
