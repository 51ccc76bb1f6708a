import { join } from 'node:path';

import { bundle } from './bundle.mjs';
import { root } from './node-path.mjs';

/**
 * Bundles the programs that tests start many times: starting a bundle takes a third of the time of loading a
 * thousand files. Their folder is in TEST_PROGRAMS.
 */
export async function setup() {
  if (process.env.TEST_PROGRAMS !== undefined) return;
  const folder = join(root, 'node_modules/.cache/test-programs');
  const programs = {
    clinic: 'apps/cli/src/main.ts',
    'closing-child': 'apps/service/testing/closing-child.ts',
    'paying-child': 'apps/service/testing/paying-child.ts',
    'service-process': 'e2e/faults/service-process.ts',
  };
  await bundle(programs, folder);
  process.env.TEST_PROGRAMS = folder;
}
