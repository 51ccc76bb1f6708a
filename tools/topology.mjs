// npm run topology -- <part>: what is tested on programs that are not npm packages. Each must be
// installed, or its variable must name it.
//
//   pooler    the tests of the service behind a pooler, and the faults under load, on PgBouncer
//   clinics   the tests of several clinics on one database, behind PgBouncer
//   many      what each of 20 clinics on one machine costs, at rest and to start
//   dump      one clinic of two on a database dumped and put back, by PostgreSQL's own programs
//   restore   the drill of a restore to a point in time, from a backup by pg_basebackup
//   replica   the tests of a replica that lags, stops or is promoted, begun by pg_basebackup
//   reconcile the tests of our payments beside a gateway that lost some and made others twice
//   test      two services behind nginx and PgBouncer, while services are killed and the database stops,
//             and journeys of patients and staff in a browser through the same
//   upgrade   the same two replaced by another version and back, one after the other, under load
//   load      two services through nginx at 200 requests a second, and at five times what they can;
//             --short for trying
//   days      the same two on bad days under load: a full disk, no connection left, and the like, or the day
//             that is named; on Linux as root, who mounts small disks
//   alerts    a check and the tests of the alert rules, by Prometheus's promtool
//   road      every command of docs/deploy.md, in an empty chroot of Debian; `road oscar` those of a clinic
//             with OSCAR
//   all       each of these after the other, `load` as --short, whatever fails; then a table of them
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';

import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

const {
  PGBOUNCER = 'pgbouncer',
  NGINX = 'nginx',
  PROMTOOL = 'promtool',
  // The newest that Debian has: pg_dump must have the server's version.
  PG_DUMP = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1) ?? 'pg_dump',
  ROAD_BASE,
} = process.env;

const pgbouncer = { path: PGBOUNCER, variable: 'PGBOUNCER', from: 'pgbouncer' };
const nginx = { path: NGINX, variable: 'NGINX', from: 'nginx', version: '-v' };
const postgresql = { path: PG_DUMP, variable: 'PG_DUMP', from: 'postgresql' };
const pgbench = { path: 'pgbench', variable: 'PATH', from: 'postgresql' };
const promtool = { path: PROMTOOL, variable: 'PROMTOOL', from: 'prometheus' };
const unshare = { path: 'unshare', variable: 'PATH', from: 'util-linux' };
const mmdebstrap = { path: 'mmdebstrap', variable: 'PATH', from: 'mmdebstrap' };

/** What the program says of its version, or null where there is no such program. */
function versionOf({ path, version = '--version' }) {
  const { stdout, stderr, error } = spawnSync(path, [version], { encoding: 'utf8' });
  return error ? null : (stdout || stderr).split('\n', 1)[0];
}

const node = (args, env) =>
  runInForeground(process.execPath, args, { cwd: root, env: { ...environment(), ...env } });

const vitest = (suites, env) => node(['node_modules/vitest/vitest.mjs', 'run', ...suites], env);

/** Of races on servers of PostgreSQL's own programs, all in one folder. */
const onPostgresql = (test) =>
  vitest(['--project', 'race', test], { TEST_POSTGRES: dirname(PG_DUMP) });

/** Booking, paying, also at the bank, cancelling, live changes for others, and the day sheet of the desk. */
const JOURNEYS = [
  'is warned of, paid and booked',
  'approved at the bank',
  'a cancellation that fails',
  'two browsers look at one grid',
  'sees a patient book live',
];

/** Each with the programs that it needs. */
const parts = {
  pooler: {
    needs: [pgbouncer],
    run: () =>
      vitest(['--project', 'race', '--project', 'fault', 'pooler.race', 'under-load'], {
        TEST_POOLER: 'pgbouncer',
      }),
  },
  clinics: {
    needs: [pgbouncer],
    run: () => vitest(['--project', 'race', 'several-clinics'], { TEST_POOLER: 'pgbouncer' }),
  },
  many: { needs: [pgbouncer], run: () => node(['bench/src/load/clinics.ts']) },
  dump: {
    needs: [postgresql],
    run: () => node(['apps/service/tests/one-clinics-dump.ts'], { PG_DUMP }),
  },
  restore: { needs: [postgresql], run: () => onPostgresql('payments/restore.race') },
  replica: { needs: [postgresql], run: () => onPostgresql('database/replica.race') },
  reconcile: {
    needs: [],
    run: () => vitest(['--project', 'store', 'payments/reconcile.store']),
  },
  test: {
    needs: [pgbouncer, nginx],
    async run() {
      const faults = await node(['e2e/faults/topology.ts']);
      const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e'];
      const journeys = await node([...playwright, '--workers=2', `--grep=${JOURNEYS.join('|')}`], {
        TEST_CLINIC: 'behind-nginx',
      });
      return faults || journeys;
    },
  },
  upgrade: { needs: [pgbouncer, nginx], run: () => node(['e2e/faults/upgrade.ts']) },
  load: {
    needs: [pgbouncer, nginx, pgbench],
    run: (...args) => node(['bench/src/load/main.ts', ...args]),
  },
  days: {
    needs: [pgbouncer, nginx, unshare],
    // What it mounts goes with it.
    run: (...args) =>
      runInForeground('unshare', ['--mount', process.execPath, 'e2e/faults/bad-days.ts', ...args], {
        cwd: root,
        env: environment(),
      }),
  },
  alerts: {
    needs: [promtool],
    async run() {
      const asked = (...args) => runInForeground(PROMTOOL, args, { cwd: root, env: process.env });
      const checked = await asked('check', 'rules', 'ops/prometheus/alerts.yml');
      return checked || asked('test', 'rules', 'ops/prometheus/alerts.test.yml');
    },
  },
  road: {
    needs: ROAD_BASE === undefined ? [mmdebstrap] : [],
    run: (...args) =>
      runInForeground(process.execPath, ['tools/road.mjs', ...args], {
        cwd: root,
        env: process.env,
      }),
  },
};

/** The exit code of the part, or the first program that it lacks. */
async function runPart({ needs, run }, args) {
  for (const program of needs) {
    const version = versionOf(program);
    if (version === null) return { missing: program };
    console.log(version);
  }
  return { code: await run(...args) };
}

async function runAll() {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopped = true));
  const rows = [];
  for (const [name, part] of Object.entries(parts)) {
    if (isStopped) break;
    console.log(`\n== ${name}`);
    const began = performance.now();
    const { code, missing } = await runPart(part, name === 'load' ? ['--short'] : []);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    rows.push(
      missing
        ? { name, result: `not run: install ${missing.from}`, minutes: '-' }
        : { name, result: code === 0 ? 'passed' : `failed (exit code ${code})`, minutes },
    );
  }
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`;
  console.log(`\n${machine}, ${new Date().toISOString().slice(0, 10)}`);
  for (const { name, result, minutes } of [
    { name: 'part', result: 'result', minutes: 'min' },
    ...rows,
  ])
    console.log(`${name.padEnd(10)} ${result.padEnd(32)} ${minutes.padStart(5)}`);
  const passed = rows.filter(({ result }) => result === 'passed').length;
  console.log(`${passed} of ${Object.keys(parts).length} parts passed`);
  return passed === Object.keys(parts).length ? 0 : 1;
}

async function runOne(part, args) {
  const { code, missing } = await runPart(part, args);
  if (missing)
    console.error(
      `There is no ${missing.path}. Install ${missing.from}, or name the program in ${missing.variable}.`,
    );
  return missing ? 1 : code;
}

const [name = '', ...args] = process.argv.slice(2);
if (name === 'all') process.exitCode = await runAll();
else if (Object.hasOwn(parts, name)) process.exitCode = await runOne(parts[name], args);
else {
  console.error(`npm run topology -- all|${Object.keys(parts).join('|')}`);
  process.exitCode = 2;
}
