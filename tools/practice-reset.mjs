// npm run practice:reset: removes the practice clinic's data folder, unless a clinic uses it. The same
// settings as at the start select the folder: EMR=fake-oscar npm run practice:reset.
import { existsSync, rmSync } from 'node:fs';
import { resolve, sep } from 'node:path';

import { lockFolder } from '../apps/service/src/server/folder-lock.ts';
import { root } from './node-path.mjs';

function reset() {
  const { DATA_DIR, EMR } = process.env;
  const folder = resolve(root, DATA_DIR ?? (EMR ? `data-${EMR}` : 'data'));
  if (`${root}${sep}`.startsWith(`${folder}${sep}`) || folder === resolve('/')) {
    throw new Error(`DATA_DIR is ${folder}, which holds more than the clinic's data.`);
  }
  if (!existsSync(folder)) return `There is no ${folder}; the next npm start makes it.`;
  const letGo = lockFolder(folder);
  rmSync(folder, { recursive: true });
  letGo();
  return `Removed ${folder}. The next npm start opens a fresh practice clinic.`;
}

try {
  console.log(reset());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
