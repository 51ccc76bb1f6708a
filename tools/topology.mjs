// npm run topology -- pooler: the tests of the service behind a pooler, and the faults under load, on
// PgBouncer itself. It must be installed, or PGBOUNCER must name the program.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

const {
  positionals: [part],
} = parseArgs({ allowPositionals: true });
if (part !== 'pooler') {
  console.error('npm run topology -- pooler');
  process.exit(2);
}

const { PGBOUNCER = 'pgbouncer' } = process.env;
const { stdout, error } = spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
if (error) {
  console.error(
    `There is no PgBouncer (${PGBOUNCER}). Install it (apt install pgbouncer, brew install pgbouncer), or set PGBOUNCER to the path of the program.`,
  );
  process.exit(1);
}
console.log(stdout.split('\n', 1)[0]);
const suites = ['--project', 'race', '--project', 'fault', 'pooler.race', 'under-load'];
process.exitCode = await runInForeground(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...suites],
  { cwd: root, env: { ...environment(), TEST_POOLER: 'pgbouncer' } },
);
