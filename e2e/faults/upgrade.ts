import { cpSync } from 'node:fs';
import { join } from 'node:path';

import type * as invariants from '../../apps/service/testing/invariants.ts';
import { startPgbouncer } from '../../apps/service/testing/pgbouncer.ts';
import { freePort } from '../../apps/service/testing/free-port.ts';
import { chanceOf } from './chance.ts';
import { startCluster, startDurableServer } from './clinic/cluster.ts';
import { prepareClinic } from './clinic/prepare.ts';
import { build, oldestServing, versionAt, workingTree } from './clinic/version.ts';
import { startNginx } from './nginx.ts';
import { rollingUpgrade } from './proofs/rolling-upgrade.ts';

// npm run topology -- upgrade: from 0.2.0 to the working tree and back, one instance after the other,
// while patients book through nginx.
const PATIENTS = 24;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const commit = oldestServing();
const before = { name: `0.2.0 (${commit})`, folder: versionAt(commit), keepsFiles: false };
const after = { name: 'the working tree', folder: workingTree, keepsFiles: true };
for (const { folder } of [before, after]) build(folder);
// An operator builds where the version before was built, whose files stay for a day.
const assets = ({ folder }: typeof before) => join(folder, 'apps/web/dist/assets');
cpSync(assets(before), assets(after), { recursive: true, force: false });
/** Of the older version: they hold of the older schema, and of what only adds to it. */
const { violations } = (await import(
  join(before.folder, 'apps/service/testing/invariants.ts')
)) as typeof invariants;

const server = await startDurableServer();
const { accounts, busySlots, copy } = await prepareClinic(server, PATIENTS, before.folder);
const databaseUrl = await copy();
const pooler = await startPgbouncer(server.url);
const ports = [await freePort(), await freePort()] as const;
const version = before.folder;
const cluster = await startCluster({ server, databaseUrl, pooler, ports, version });
const nginx = await startNginx(ports);
const finding = await rollingUpgrade(cluster, {
  accounts,
  slots: busySlots,
  nginx,
  to: [after, before],
  onTheWay: (database) => violations({ $client: database }, Math.floor(Date.now() / 1000)),
  chance: chanceOf('upgrade'),
});
await nginx.close();
await cluster.stop();
await pooler.close();
await server.stop();

say(finding.title);
say(
  '| replaced | away | requests | failed | slowest | files of open pages | missing | migrations |',
);
say('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const { what, awayMs, slowestMs, ...counts } of finding.replacements) {
  const [away, slowest] = [awayMs, slowestMs].map((ms) => `${(ms / 1000).toFixed(2)} s`);
  const { requests, failed, files, missing, migrations } = counts;
  const of = [requests, failed, slowest, files, missing, migrations];
  say(`| ${[what, away, ...of].join(' | ')} |`);
}
for (const line of [...finding.lines, ...finding.faults]) say(line);
process.exitCode = finding.faults.length === 0 ? 0 : 1;
