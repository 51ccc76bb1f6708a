import { startPgbouncer } from '../../apps/service/testing/pgbouncer.ts';
import { freePort } from '../../apps/service/testing/free-port.ts';
import { chanceOf } from './chance.ts';
import { startCluster, startDurableServer } from './clinic/cluster.ts';
import { prepareClinic } from './clinic/prepare.ts';
import { startNginx } from './nginx.ts';
import { fullInstances } from './proofs/full-instances.ts';
import { throughNginx } from './proofs/through-nginx.ts';
import { LONG } from './report.ts';

// npm run topology -- test: the whole of docs/operating.md, and what patients have of it when parts of
// it are killed.
const ROUNDS = LONG ? 20 : 5;
const PATIENTS = 24;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const full = await fullInstances();
const server = await startDurableServer();
const { accounts, busySlots, copy } = await prepareClinic(server, PATIENTS);
const databaseUrl = await copy();
const pooler = await startPgbouncer(server.url);
const ports = [await freePort(), await freePort()] as const;
const cluster = await startCluster({ server, databaseUrl, pooler, ports });
const nginx = await startNginx(ports);
const finding = await throughNginx(cluster, {
  accounts,
  slots: busySlots,
  port: nginx.port,
  rounds: ROUNDS,
  chance: chanceOf('nginx'),
});
await nginx.close();
await cluster.stop();
await pooler.close();
await server.stop();

say(finding.title);
say('| struck | away | served after | booked after | nobody served, longest |');
say('| --- | ---: | ---: | ---: | ---: |');
for (const { what, ...times } of finding.strikes) {
  const cells = [times.awayMs, times.servedAfterMs, times.bookedAfterMs, times.silentMs];
  say(`| ${[what, ...cells.map((ms) => `${(ms / 1000).toFixed(2)} s`)].join(' | ')} |`);
}
for (const line of [...finding.lines, ...finding.faults]) say(line);
for (const line of [full.title, ...full.lines, ...full.faults]) say(line);
process.exitCode = finding.faults.length + full.faults.length === 0 ? 0 : 1;
