// npm run topology -- <part>: what is tested on programs that are not npm packages. Each must be
// installed, or its variable must name it.
//
//   pooler  the tests of the service behind a pooler, and the faults under load, on PgBouncer
//   clinics the tests of several clinics on one database, behind PgBouncer
//   dump    one clinic of two on a database dumped and put back, by PostgreSQL's own programs
//   test    two services behind nginx and PgBouncer, while services are killed and the database stops,
//           and journeys of patients and staff in a browser through the same
//   upgrade the same two replaced by another version and back, one after the other, under load
//   load    two services through nginx at 200 requests a second, and at five times what they can;
//           --short for trying
//   days    the same two on bad days under load: a full disk, no connection left, and the like, or the day
//           that is named; on Linux as root, who mounts small disks
//   alerts  a check and the tests of the alert rules, by Prometheus's promtool
//   road    every command of docs/deploy.md, in an empty chroot of Debian; `road oscar` those of a clinic
//           with OSCAR
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

const { PGBOUNCER = 'pgbouncer', NGINX = 'nginx', PROMTOOL = 'promtool' } = process.env;
/** The newest that Debian has: pg_dump must have the server's version. */
const { PG_DUMP = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1) ?? 'pg_dump' } =
  process.env;

/** Prints the program's version, or exits and says how to install it. */
function demand(program, { variable, version, install }) {
  const { stdout, stderr, error } = spawnSync(program, [version], { encoding: 'utf8' });
  if (error) {
    console.error(
      `There is no ${variable.toLowerCase()} (${program}). Install it (${install}), or set ${variable} to the path of the program.`,
    );
    process.exit(1);
  }
  console.log((stdout || stderr).split('\n', 1)[0]);
}

const vitest = (suites, env) =>
  runInForeground(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...suites], {
    cwd: root,
    env: { ...environment(), ...env },
  });

function demandPgbouncer() {
  const install = 'apt install pgbouncer, brew install pgbouncer';
  demand(PGBOUNCER, { variable: 'PGBOUNCER', version: '--version', install });
}

/** Booking, paying, also at the bank, cancelling, live changes for others, and the day sheet of the desk. */
const JOURNEYS = [
  'is warned of, paid and booked',
  'approved at the bank',
  'a cancellation that fails',
  'two browsers look at one grid',
  'sees a patient book live',
];

/** `around` is a program that starts it, with its arguments. */
function throughNginx(script, args = [], around = []) {
  demandPgbouncer();
  const install = 'apt install nginx, brew install nginx';
  demand(NGINX, { variable: 'NGINX', version: '-v', install });
  const [program, ...words] = [...around, process.execPath, script, ...args];
  return runInForeground(program, words, { cwd: root, env: environment() });
}

const parts = {
  road: () =>
    runInForeground(process.execPath, ['tools/road.mjs', ...process.argv.slice(3)], {
      cwd: root,
      env: process.env,
    }),
  pooler() {
    demandPgbouncer();
    const suites = ['--project', 'race', '--project', 'fault', 'pooler.race', 'under-load'];
    return vitest(suites, { TEST_POOLER: 'pgbouncer' });
  },
  clinics() {
    demandPgbouncer();
    return vitest(['--project', 'race', 'several-clinics'], { TEST_POOLER: 'pgbouncer' });
  },
  dump() {
    const install = 'apt install postgresql, brew install postgresql';
    demand(PG_DUMP, { variable: 'PG_DUMP', version: '--version', install });
    return runInForeground(process.execPath, ['apps/service/tests/one-clinics-dump.ts'], {
      cwd: root,
      env: { ...environment(), PG_DUMP },
    });
  },
  async test() {
    const faults = await throughNginx('e2e/faults/topology.ts');
    const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e'];
    const journeys = await runInForeground(
      process.execPath,
      [...playwright, '--workers=2', `--grep=${JOURNEYS.join('|')}`],
      { cwd: root, env: { ...environment(), TEST_CLINIC: 'behind-nginx' } },
    );
    return faults || journeys;
  },
  upgrade: () => throughNginx('e2e/faults/upgrade.ts'),
  // What it mounts goes with it.
  days: () => throughNginx('e2e/faults/bad-days.ts', process.argv.slice(3), ['unshare', '--mount']),
  load: () => throughNginx('bench/src/load/main.ts', process.argv.slice(3)),
  async alerts() {
    demand(PROMTOOL, {
      variable: 'PROMTOOL',
      version: '--version',
      install: 'apt install prometheus, brew install prometheus',
    });
    const promtool = (...args) => runInForeground(PROMTOOL, args, { cwd: root, env: process.env });
    const checked = await promtool('check', 'rules', 'ops/prometheus/alerts.yml');
    return checked || promtool('test', 'rules', 'ops/prometheus/alerts.test.yml');
  },
};

const {
  positionals: [name],
} = parseArgs({ allowPositionals: true, strict: false });
const part = Object.hasOwn(parts, name ?? '') ? parts[name] : null;
if (part === null) {
  console.error(`npm run topology -- ${Object.keys(parts).join('|')}`);
  process.exit(2);
}
process.exitCode = await part();
