import { execFile } from 'node:child_process';
import { availableParallelism, loadavg, setPriority } from 'node:os';
import { parseArgs, promisify } from 'node:util';

import type { Socket } from 'socket.io-client';

import { listensAt } from '../../../apps/service/testing/live-socket.ts';
import { startPgbouncer } from '../../../apps/service/testing/pgbouncer.ts';
import { startPostgresServer } from '../../../apps/service/testing/postgres-server.ts';
import { chanceFrom } from '../../../e2e/faults/chance.ts';
import { withDatabase } from '../../../e2e/faults/clinic/cluster.ts';
import { slotsOf } from '../../../e2e/faults/clinic/grid.ts';
import { FIVE_MINUTES, seedClinic } from '../../../e2e/faults/clinic/seed.ts';
import { build, workingTree } from '../../../e2e/faults/clinic/version.ts';
import { startNginx } from '../../../e2e/faults/nginx.ts';
import { quantile } from '../report.ts';
import { type Instance, ORIGIN, startInstance } from './installation.ts';
import { type Answer, sender } from './send.ts';
import { visitors } from './visitors.ts';

// npm run topology -- load: two instances as built behind nginx and PgBouncer, a busy day's calls
// with a thousand pages open, then five times what they can do, and what each part of it costs.
const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
});
const SECONDS = values.short ? 20 : 120;
const PART_SECONDS = values.short ? 5 : 15;
const RATE = 200;
const SOCKETS = 1_000;
/** As many as one address may have (S-5). */
const SOCKETS_PER_ADDRESS = 500;
const PATIENTS = 2_000;
const CLIENTS = 32;
/** So many at once, to find the most that is served. */
const CROWDS = [16, 64, 256];
const OVERLOAD = 5;
/** In the first third of the run it warms up. */
const FLAT = 1.1;
const RECOVERS_WITHIN_MS = 10_000;
/** What docs/operating.md gives nginx. */
const BEFORE_THE_INSTANCES = -10;

const faults: string[] = [];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const inMs = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);
const times = (answers: readonly Answer[]) =>
  answers.length === 0
    ? 'none'
    : [50, 95, 99]
        .map((part) => `p${part} ${quantile(inMs(answers), part / 100).toFixed(0)} ms`)
        .join(', ');
const isServed = ({ status }: Answer) => status === 200;
const isRefusedForNow = ({ status }: Answer) => status === 503 || status === 429;
const statuses = (answers: readonly Answer[]) =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, some]) => `${some.length} × ${status === 0 ? 'no answer' : status}`)
    .join(', ');

say(
  `Node ${process.version}, ${availableParallelism()} cores, load before ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString()}`,
);
build(workingTree);
const server = await startPostgresServer({ durable: true });
const databaseUrl = await server.createDatabase();
await (await startInstance(databaseUrl)).stop();
const { accounts, firstDay } = await withDatabase(databaseUrl, async (database) => {
  const seeded = await seedClinic(database, PATIENTS);
  await database.query('vacuum analyze');
  return seeded;
});
const pooler = await startPgbouncer(server.url);
const pooled = pooler.through(databaseUrl);
const instances = [
  await startInstance(pooled, databaseUrl),
  await startInstance(pooled, databaseUrl),
] as const;
// Clients have processors of their own in a clinic. nginx is no root here, so it takes its priority from us.
go(BEFORE_THE_INSTANCES);
const nginx = await startNginx([instances[0].port, instances[1].port]);
const chance = chanceFrom(1);
const slots = await allSlots(instances[0]);
const next = visitors(accounts, slots, chance);
const through = sender([nginx.port]);

const sockets = await openSockets();
say(`${sockets.filter(({ connected }) => connected).length} of ${SOCKETS} sockets open`);
await through.byClients(next, 8, PART_SECONDS / 3);

const memory: number[][] = [];
const watching = setInterval(() => memory.push(instances.map((each) => each.memory())), 1_000);
const steady = await through.atRate(next, RATE, SECONDS);
clearInterval(watching);
const failed = steady.filter((answer) => !isServed(answer));
say(`${RATE} a second for ${SECONDS} s: ${statuses(steady)}; ${times(steady)}`);
for (const [kind, some] of Map.groupBy(steady, (answer) => answer.kind))
  say(`    ${kind.padEnd(14)} ${String(some.length).padStart(6)}  ${times(some)}`);
if (failed.length > 0) faults.push(`${failed.length} of ${steady.length} calls failed`);
for (const [at] of instances.entries()) {
  const third = Math.floor(memory.length / 3);
  const of = (part: readonly number[][]) =>
    quantile(
      part.map((each) => each[at] ?? 0),
      0.5,
    );
  const [second, last] = [of(memory.slice(third, -third)), of(memory.slice(-third))];
  const grown = last / second;
  say(
    `    memory of instance ${at + 1}: ${mb(second)} MB in the second third, ${mb(last)} MB in the last: ${grown.toFixed(2)}`,
  );
  if (grown > FLAT) faults.push(`The memory of instance ${at + 1} grew by ${grown.toFixed(2)}`);
}

let peak = 0;
for (const crowd of CROWDS) {
  const answers = await through.byClients(next, crowd, PART_SECONDS);
  const rate = rateOf(answers);
  peak = Math.max(peak, rate);
  say(`${crowd} clients: ${rate.toFixed(0)} a second; ${statuses(answers)}; ${times(answers)}`);
}

const offered = peak * OVERLOAD;
const spent = process.cpuUsage();
const over = await through.atRate(next, offered, PART_SECONDS);
const { user, system } = process.cpuUsage(spent);
const overSeconds = Math.max(...over.map(({ dueAt, ms: took }) => dueAt + took)) / 1_000;
const clientCores = (user + system) / 1e6 / overSeconds;
const served = over.filter(isServed);
const kept = served.length / overSeconds / peak;
const refused = over.filter(isRefusedForNow);
say(
  `${offered.toFixed(0)} a second: ${(kept * 100).toFixed(0)} % of the peak in ${overSeconds.toFixed(1)} s; ${statuses(over)}`,
);
say(`    served: ${times(served)}; refused: ${times(refused)}`);
say(
  `    ${refused.filter(({ saysWhenAgain }) => saysWhenAgain).length} refusals say when to try again; the clients took ${clientCores.toFixed(2)} of the cores`,
);
const unanswered = over.length - served.length - refused.length;
if (unanswered > 0) faults.push(`${unanswered} calls beyond were neither served nor refused`);
if (kept < 0.8) faults.push(`Overload keeps ${(kept * 100).toFixed(0)} % of the peak`);

const after = await through.atRate(next, RATE, PART_SECONDS);
const slow = Math.max(1_000, 2 * quantile(inMs(steady), 0.99));
const notYet = after.filter((answer) => !isServed(answer) || answer.ms > slow);
const recoveredMs = Math.max(0, ...notYet.map(({ dueAt, ms: took }) => dueAt + took));
say(
  `${RATE} a second again: recovered after ${(recoveredMs / 1_000).toFixed(1)} s; ${statuses(after)}`,
);
if (recoveredMs > RECOVERS_WITHIN_MS) faults.push('It does not recover within 10 s');
const lost = sockets.filter(({ connected }) => !connected).length;
say(`${lost} sockets lost`);
if (lost > 0) faults.push(`${lost} of ${SOCKETS} sockets were lost`);
for (const socket of sockets) socket.disconnect();
through.close();
await nginx.close();
go(0);

const direct = await startInstance(databaseUrl);
const [one, other] = instances;
const pooledRates: number[] = [];
const directRates: number[] = [];
const bothRates: number[] = [];
// In turn, so that what else the machine does falls on each.
for (let round = 0; round < 3; round += 1) {
  pooledRates.push(await throughput([one.port]));
  directRates.push(await throughput([direct.port]));
  bothRates.push(await throughput([one.port, other.port]));
}
const middle = (rates: readonly number[]) => quantile(rates, 0.5);
const ours = middle(pooledRates) / middle(directRates);
const benchDirect: number[] = [];
const benchPooled: number[] = [];
for (let round = 0; round < 3; round += 1) {
  benchDirect.push(await pgbench(databaseUrl));
  benchPooled.push(await pgbench(pooled));
}
const pgbenchs = middle(benchPooled) / middle(benchDirect);
say(
  `Behind PgBouncer ${middle(pooledRates).toFixed(0)} a second, direct ${middle(directRates).toFixed(0)}: ${ours.toFixed(2)}; pgbench -M extended keeps ${pgbenchs.toFixed(2)} (${middle(benchPooled).toFixed(0)} of ${middle(benchDirect).toFixed(0)}); ours of that ${(ours / pgbenchs).toFixed(2)} (aim 0.9)`,
);
if (ours / pgbenchs < 0.9) faults.push('Behind PgBouncer less is kept than the aim');
say(
  `Two instances ${middle(bothRates).toFixed(0)} a second, one ${middle(pooledRates).toFixed(0)}: ${(middle(bothRates) / middle(pooledRates)).toFixed(2)} (aim 1.6 where there are cores for it: here ${availableParallelism()}, for the services, PostgreSQL, PgBouncer and the clients)`,
);

for (const instance of [...instances, direct]) await instance.stop();
await pooler.close();
await server.stop();
for (const fault of faults) say(`MISS ${fault}`);
say(`Load after ${loadavg()[0]?.toFixed(1)}`);
process.exit(faults.length === 0 ? 0 : 1);

/** Before others at a negative priority, which only root may choose. */
function go(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    say('Not root: clients and nginx wait for a processor as long as the instances do.');
  }
}

function mb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}

function rateOf(answers: readonly Answer[]): number {
  const seconds = Math.max(...answers.map(({ dueAt, ms: took }) => dueAt + took)) / 1_000;
  return answers.filter(isServed).length / seconds;
}

/** What an instance or two serve, by as many clients for each port, not through nginx. */
async function throughput(ports: readonly number[]): Promise<number> {
  const to = sender(ports);
  const answers = await to.byClients(next, CLIENTS, PART_SECONDS / 1.5);
  to.close();
  return rateOf(answers);
}

async function pgbench(url: string): Promise<number> {
  await promisify(execFile)('pgbench', ['-i', '-q', databaseUrl]);
  const how = ['-n', '-S', '-M', 'extended', '-c', '16', '-j', '2', '-T', '5'];
  const { stdout } = await promisify(execFile)('pgbench', [...how, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Every time of five minutes that may be booked and cancelled. */
async function allSlots({ port }: Instance) {
  const base = `http://127.0.0.1:${port}/api`;
  const token = accounts[0]?.token ?? '';
  const weeks = Array.from({ length: 13 }, (_, week) => {
    const from = addDays(firstDay, week * 6);
    return slotsOf(base, token, FIVE_MINUTES, { from, to: addDays(from, 5) });
  });
  return (await Promise.all(weeks)).flat();
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Pages that are open and do nothing, of as many addresses as they need. */
async function openSockets(): Promise<Socket[]> {
  const open: Socket[] = [];
  while (open.length < SOCKETS) {
    /** Of the connection; the library takes it, and its types lack it. */
    const from = { localAddress: `127.0.0.${2 + Math.floor(open.length / SOCKETS_PER_ADDRESS)}` };
    const some = accounts.slice(open.length, open.length + 50);
    open.push(
      ...(await Promise.all(
        some.map(({ token }) =>
          listensAt(`http://127.0.0.1:${nginx.port}`, token, {
            ...from,
            extraHeaders: { origin: ORIGIN },
            reconnection: false,
          }),
        ),
      )),
    );
  }
  return open;
}
