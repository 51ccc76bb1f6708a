import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

import { newClinicUrl } from '../../../apps/service/testing/clinics.ts';
import { startPgbouncer } from '../../../apps/service/testing/pgbouncer.ts';
import { startPostgresServer } from '../../../apps/service/testing/postgres-server.ts';
import { withDatabase } from '../../../e2e/faults/clinic/cluster.ts';
import { build, workingTree } from '../../../e2e/faults/clinic/version.ts';
import { quantile } from '../report.ts';
import { type Instance, startInstance } from './installation.ts';

// npm run topology -- many: what each of 20 clinics on one machine costs while nobody uses it, as built,
// behind PgBouncer, on one PostgreSQL server that writes to the disk; and how that grows with their number.
const CLINICS = 20;
const TOLD_AT = [1, 5, 10, CLINICS];
const STARTS = 5;
const REST_SECONDS = 30;
const MOST = { megabytes: 200, connections: 4, startSeconds: 3 };

// Each instance that runs is a listener to our exit.
process.setMaxListeners(CLINICS + 10);

const say = (line: string) => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;
const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

/** The memory of a process, what it shares with others counted in parts. */
const shareOf = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1024;

/** Of one core, since the process began, with its children that have ended. */
function secondsOf(pid: number): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return sum(fields.split(' ').slice(11, 15).map(Number)) / 100;
  } catch {
    // It has ended, and its parent counts it.
    return 0;
  }
}

/** The server's own process and one for each connection. */
const serverProcesses = (pid: number) => [
  pid,
  ...readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && parentOf(each) === pid),
];

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

async function timed<Result>(work: () => Promise<Result>) {
  const began = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - began) / 1_000 };
}

say(
  `Node ${process.version}, ${availableParallelism()} cores, load before ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString()}`,
);
build(workingTree);
const server = await startPostgresServer({ durable: true });
const admin = await server.createDatabase('clinics');
const urls: string[] = [];
for (let count = 0; count < CLINICS; count += 1) urls.push(await newClinicUrl(admin));
const pooler = await startPgbouncer(server.url, urls);
const start = (url: string) => startInstance(pooler.through(url), url);
const instances: Instance[] = [];
const firstStarts: number[] = [];
/** Of each clinic: a role has the name of its schema. */
const askOfEach = (what: string) =>
  withDatabase(admin, async (database) => {
    const { rows } = await database.query<{ found: number }>(
      `select (${what})::float8 as found from pg_roles r join pg_namespace n on n.nspname = r.rolname`,
    );
    return rows.map(({ found }) => found);
  });
const connectionsOf = () =>
  askOfEach('select count(*) from pg_stat_activity a where a.usesysid = r.oid');

say('| clinics | memory of their services | of PostgreSQL | connections to PostgreSQL |');
say('| ---: | ---: | ---: | ---: |');
for (const url of urls) {
  const { result, seconds } = await timed(() => start(url));
  instances.push(result);
  firstStarts.push(seconds);
  if (!TOLD_AT.includes(instances.length)) continue;
  // What a start leaves to be done is done by then.
  await pause(5_000);
  const services = sum(instances.map(({ pid }) => shareOf(pid)));
  const database = sum(serverProcesses(server.pid).map(shareOf));
  say(
    `| ${instances.length} | ${megabytes(services)} | ${megabytes(database)} | ${sum(await connectionsOf())} |`,
  );
}

const secondsOfAll = () =>
  sum([...instances.map(({ pid }) => pid), ...serverProcesses(server.pid)].map(secondsOf));
const before = secondsOfAll();
await pause(REST_SECONDS * 1_000);
const used = secondsOfAll() - before;
const memory = instances.map((each) => each.memory() / 1024 ** 2);
const connections = await connectionsOf();
const bytes = await askOfEach(
  `select sum(pg_total_relation_size(t.oid)) from pg_class t where t.relnamespace = n.oid and t.relkind = 'r'`,
);

const starts: number[] = [];
for (const url of urls.slice(0, STARTS)) {
  await instances.shift()?.stop();
  const { result, seconds } = await timed(() => start(url));
  instances.push(result);
  starts.push(seconds);
}
for (const each of instances) await each.stop();
await pooler.close();
await server.stop();

const highest = (all: readonly number[]) => Math.max(...all);
const eachHas = sum(connections) / CLINICS;
say(
  `Each of ${CLINICS} at rest: ${quantile(memory, 0.5).toFixed(0)} MB, the highest ${highest(memory).toFixed(0)} (aim ${MOST.megabytes}); ${eachHas.toFixed(1)} connections (aim ${MOST.connections}), the most ${highest(connections)}; ${((100 * used) / REST_SECONDS / CLINICS).toFixed(2)} % of a core with its share of PostgreSQL; ${megabytes(quantile(bytes, 0.5))} on the disk`,
);
say(
  `Its first start, with all migrations, ${quantile(firstStarts, 0.5).toFixed(1)} s; a later one beside the others ${quantile(starts, 0.5).toFixed(1)} s (aim ${MOST.startSeconds})`,
);
const isReached =
  highest(memory) <= MOST.megabytes &&
  eachHas <= MOST.connections &&
  quantile(starts, 0.5) <= MOST.startSeconds;
say(isReached ? 'Every aim reached' : 'An aim was missed');
process.exitCode = isReached ? 0 : 1;
