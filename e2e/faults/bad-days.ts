import { startPgbouncer } from '../../apps/service/testing/pgbouncer.ts';
import { freePort } from '../../apps/service/testing/free-port.ts';
import { startPostgresServer } from '../../apps/service/testing/postgres-server.ts';
import { chanceOf } from './chance.ts';
import { startCluster } from './clinic/cluster.ts';
import { prepareClinic } from './clinic/prepare.ts';
import { badDays } from './nemesis/bad-days.ts';
import { startNginx } from './nginx.ts';
import { badDay } from './proofs/bad-day.ts';
import { LONG } from './report.ts';

// npm run topology -- days: what patients have of each bad day, or of the one that is named, through nginx and
// PgBouncer.
const SECONDS = LONG ? 120 : 20;
const PATIENTS = 24;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const asked = process.argv.slice(2).join(' ');

const server = await startPostgresServer({ durable: true, settings: { max_connections: '100' } });
const { accounts, busySlots, copy } = await prepareClinic(server, PATIENTS);
const pooler = await startPgbouncer(server.url);
const rows: string[] = [];
const faults: string[] = [];
for (const make of badDays) {
  const day = make();
  if (!day.what.includes(asked)) continue;
  const databaseUrl = await copy();
  await day.prepare?.(server, databaseUrl);
  const ports = [await freePort(), await freePort()] as const;
  const cluster = await startCluster({ server, databaseUrl, pooler, ports });
  const nginx = await startNginx(ports);
  const finding = await badDay(cluster, day, {
    accounts,
    slots: busySlots,
    port: nginx.port,
    seconds: SECONDS,
    chance: chanceOf(day.what),
  });
  await nginx.close();
  await cluster.stop();
  const { had } = finding;
  const refused = Object.entries(had.refused).map(([status, count]) => `${status}: ${count}`);
  const times = [had.slowestMs, had.servedAfterMs, had.bookedAfterMs].map(inSeconds);
  const [slowest = '', ...afterwards] = times;
  const cells = [
    had.answers,
    had.done,
    refused.join(', '),
    had.ready,
    slowest,
    had.lost,
    had.doubled,
  ];
  rows.push(`| ${[day.what, ...cells, ...afterwards].join(' | ')} |`);
  faults.push(...finding.faults);
  for (const line of [finding.title, ...finding.lines, ...finding.faults]) say(line);
}
await pooler.close();
await server.stop();

say(
  '| bad day | answers | done | refused | `/readyz` | slowest | lost | doubled | served after | booked after |',
);
say('| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |');
for (const row of [...rows, ...faults]) say(row);
process.exitCode = rows.length > 0 && faults.length === 0 ? 0 : 1;
