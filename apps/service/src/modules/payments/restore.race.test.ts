import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PayingClinic, payingClinic } from '../../../testing/paying-clinic.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { serverUser } from '../../../testing/postgres-binaries.ts';
import {
  type PostgresServer,
  baseBackup,
  handOver,
  startPostgresServer,
} from '../../../testing/postgres-server.ts';
import type { Database } from '../../database/db.ts';
import { openDatabase } from '../../database/open-database.ts';
import { newKeyMaterial } from '../../security/keyring-file.ts';
import { toldSince } from '../operations/index.ts';
import { chargeAppointment } from './charge.ts';
import { reconcile } from './reconcile.ts';

// The drill of docs/operating.md, with the same means: a base backup, archived log, a time to
// restore to. It prints what it found.

const keys = newKeyMaterial();
let folder: string;
let server: PostgresServer;
let restored: PostgresServer | undefined;
/** The card provider's: no restore of ours changes them. */
let books: Database;
const clinics: PayingClinic[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-restore-'));
  mkdirSync(join(folder, 'log'));
  handOver(folder, serverUser());
  const settings = {
    archive_mode: 'on',
    archive_command: `cp %p '${folder}/log/%f.part' && mv '${folder}/log/%f.part' '${folder}/log/%f'`,
  };
  server = await startPostgresServer({ durable: true, settings });
  books = await openDatabase();
});
afterAll(async () => {
  for (const clinic of clinics) await clinic.close();
  await books.close();
  await restored?.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function clinicOn(url: string, opened: boolean): Promise<PayingClinic> {
  const clinic = await payingClinic(await openDatabase({ url, waits: patientWaits }), {
    keys,
    opened,
    books,
  });
  clinics.push(clinic);
  return clinic;
}

async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A second server on the backup, with the log replayed until that time. */
async function restoreTo(backup: string, time: string): Promise<PostgresServer> {
  writeFileSync(join(backup, 'recovery.signal'), '');
  appendFileSync(
    join(backup, 'postgresql.auto.conf'),
    `restore_command = 'cp ''${folder}/log/%f'' %p'\n` +
      `recovery_target_time = '${time}'\nrecovery_target_action = 'promote'\n`,
  );
  const started = await startPostgresServer({
    durable: true,
    from: { data: backup, url: server.url },
  });
  await expect
    .poll(() => ask(started.url, 'select pg_is_in_recovery() as replaying'))
    .toEqual([{ replaying: false }]);
  return started;
}

const countRows = async (url: string) =>
  (
    await ask<Record<string, number>>(
      url,
      `select (select count(*)::int from appointment where state = 'booked') as booked,
              (select count(*)::int from payment where state = 'captured') as paid,
              (select count(*)::int from audit) as audit,
              (select count(*)::int from outbox) as outbox`,
    )
  )[0];

test('A backup restored to a point in time is whole, and what was told and paid since is listed', async () => {
  const url = await server.createDatabase();
  const clinic = await clinicOn(url, false);
  const pay = async () => {
    const patientId = await clinic.aPayer();
    await chargeAppointment(clinic.ports(), clinic.aAppointment(patientId), clinic.clock.now());
    await clinic.sweep();
    return patientId;
  };
  await pay();
  const backup = join(folder, 'base');
  await baseBackup(server, backup);
  await pay();
  const before = await countRows(url);
  const [target] = await ask<{ time: string }>(url, 'select clock_timestamp()::text as time');
  const since = clinic.clock.now() + 1;
  clinic.clock.advance(60);

  const paidSince = await pay();
  expect(await clinic.ends(paidSince)).toEqual(['booked captured none']);
  const told = await toldSince(clinic.database.db, since);
  await ask(url, 'select pg_switch_wal()');
  await expect
    .poll(() => execFileSync('ls', [join(folder, 'log')], { encoding: 'utf8' }))
    .toMatch(/\n[0-9A-F]{24}\n$/);

  const began = performance.now();
  restored = await restoreTo(backup, target?.time ?? '');
  const restoredUrl = new URL(url);
  restoredUrl.port = new URL(restored.url).port;
  const again = await clinicOn(restoredUrl.href, true);
  again.clock.set(clinic.clock.now());
  const took = Math.round(performance.now() - began);
  const after = await countRows(restoredUrl.href);
  const report = await reconcile(again.ports(), 0);
  const violations = await again.violations();
  process.stdout.write(
    [
      `Restored to ${target?.time} in ${took} ms`,
      `    ${JSON.stringify(after)}`,
      `    ${violations.length} invariants broken`,
      `    ${report.intents} intents, ${report.payments} payments, differences: ${JSON.stringify(report.differences)}`,
      `    ${told.length} patients to call`,
      '',
    ].join('\n'),
  );

  expect(after).toEqual(before);
  expect(violations).toEqual([]);
  expect(told.map(({ state }) => state)).toEqual(['booked']);
  expect(told[0]?.email).toContain('@');
  expect(report.differences.map(({ what, outcome }) => `${what}: ${outcome}`)).toEqual([
    'stranger: alarm',
  ]);
});
