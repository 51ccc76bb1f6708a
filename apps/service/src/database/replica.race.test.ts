import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { toClinic } from '@clinic/domain';
import { newClinicUrl } from '../../testing/clinics.ts';
import { aStaffMember, askDesk, deskSession } from '../../testing/desk.ts';
import { type PostgresServer, startPostgresServer } from '../../testing/postgres-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { newDatabaseUrl } from '../../testing/test-database.ts';
import { startTransactionPooler } from '../../testing/transaction-pooler.ts';
import { type Database, type Db, type Tx, sql } from './db.ts';
import { readFact, writeFact } from './installation.store.ts';
import { openDatabase } from './open-database.ts';
import { sqlStateOf } from './sqlstate.ts';

/** Log that is not there yet is asked for again at once. */
const soon = { wal_retrieve_retry_interval: '20ms' };
const LONG_MS = 30_000;
let primary: PostgresServer;
let standby: PostgresServer;
/** Of a clinic with a role of its own, which is no superuser. */
let url: string;
let replicaUrl: string;
beforeAll(async () => {
  primary = await startPostgresServer({ settings: { synchronous_commit: 'on' } });
  url = await newClinicUrl(primary.url);
  standby = await startPostgresServer({ follows: primary, settings: soon });
  replicaUrl = at(standby);
});
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const each of closing.splice(0)) await each.close();
});

/** The clinic's address at another server. */
const at = (server: PostgresServer) =>
  Object.assign(new URL(url), { port: new URL(server.url).port }).href;

async function tell(server: PostgresServer, statement: string): Promise<void> {
  const client = new Client(server.url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** With what was said of the replica, in turn. */
async function opened(options: Parameters<typeof openDatabase>[0] = {}) {
  const said: string[] = [];
  const onReplica = (standing: string) => said.push(standing);
  const usual = { url, replicaUrl, poolSize: 4, onReplica, replicaPatienceMs: LONG_MS };
  const database = await openDatabase({ ...usual, ...options });
  closing.push(database);
  return { database, said };
}

const isReplica = async (db: Db) =>
  (await sql<{ is: boolean }>(db)`select pg_is_in_recovery() as is`)[0]?.is;

let turn = 0;
/** Writes, and reads at once: where it was read, and whether that is what was written. */
async function writeAndRead(database: Database) {
  const value = String(++turn);
  await database.inTransaction((tx) => writeFact(tx, 'turn', value));
  return database.readAside(async (db) => ({
    atReplica: await isReplica(db),
    isNewest: (await readFact(db, 'turn')) === value,
  }));
}

/** A replica that was away is asked again. */
function someSecondsLater() {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
}

test('A replica is read, never with less than was committed before, and takes no write', async () => {
  const { database, said } = await opened();
  for (let round = 0; round < 20; round++)
    expect(await writeAndRead(database)).toEqual({ atReplica: true, isNewest: true });
  const role = new URL(url).username;
  await tell(primary, `alter role ${role} set synchronous_commit = off`);
  const lazy = (await opened()).database;
  for (let round = 0; round < 3; round++)
    expect(await writeAndRead(lazy)).toEqual({ atReplica: true, isNewest: true });
  await tell(primary, `alter role ${role} reset synchronous_commit`);
  expect(said).toEqual(['caught-up']);
  expect(await isReplica(database.db)).toBe(false);
  const written = database.readAside((db) => writeFact(db as Tx, 'turn', 'written aside'));
  expect(await written.then(() => null, sqlStateOf)).toBe('25006');
  expect(await readFact(database.db, 'turn')).not.toBe('written aside');
  await database.inTransaction(async () => {
    await expect(database.readAside(isReplica)).rejects.toThrow('inside a transaction');
  });
});

test('What reads much at the desk is read there, with what the asking itself left', async () => {
  const { database } = await opened();
  const servers: unknown[] = [];
  const readAside: Database['readAside'] = (read) =>
    database.readAside(async (db) => {
      servers.push(await isReplica(db));
      return read(db);
    });
  const clinic = await testApp({ database: { ...database, db: database.db, readAside } });
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const today = toClinic(clinic.clock.now()).date;
  const days = { from: today, to: today };
  const asked = { cookie, query: days, body: days };
  for (const call of ['deskReports', 'deskStatistics', 'deskMoney', 'deskExportAudit'] as const)
    expect((await askDesk(clinic, call, asked)).answer().success).toBe(true);
  const trail = (await askDesk(clinic, 'deskAuditTrail', { cookie })).answer().extras;
  expect(trail.entries.map(({ action }) => action)).toEqual([
    'audit trail exported',
    'payments shown',
    'statistics exported',
  ]);
  expect(servers).toEqual([true, true, true, true, true]);
  await clinic.app.close();
});

test('One that replays no more is left alone until it has caught up', async () => {
  const { database, said } = await opened({ replicaPatienceMs: 3_000 });
  await tell(standby, 'select pg_wal_replay_pause()');
  expect(await writeAndRead(database)).toEqual({ atReplica: false, isNewest: true });
  await tell(standby, 'select pg_wal_replay_resume()');
  expect(await writeAndRead(database)).toEqual({ atReplica: false, isNewest: true });
  someSecondsLater();
  expect(await writeAndRead(database)).toEqual({ atReplica: true, isNewest: true });
  expect(said).toEqual(['caught-up', 'behind', 'caught-up']);
});

test('One that stops, in the midst of a read or before the start, is not missed', async () => {
  const { database, said } = await opened();
  let reads = 0;
  const read = database.readAside(async (db) => {
    if (++reads === 1) await standby.crash();
    return isReplica(db);
  });
  expect(await read).toBe(false);
  const without = await opened();
  expect(await writeAndRead(without.database)).toEqual({ atReplica: false, isNewest: true });
  await standby.startAgain();
  someSecondsLater();
  for (const each of [database, without.database])
    expect(await writeAndRead(each)).toEqual({ atReplica: true, isNewest: true });
  expect(said).toEqual(['caught-up', 'silent', 'caught-up']);
  expect(without.said).toEqual(['silent', 'caught-up']);
});

test('One behind a pooler is read like the database behind it', async () => {
  const [before, aside] = [await startTransactionPooler(), await startTransactionPooler()];
  const { database } = await opened({
    url: before.through(url),
    directUrl: url,
    replicaUrl: aside.through(replicaUrl),
  });
  closing.push(before, aside);
  expect(await writeAndRead(database)).toEqual({ atReplica: true, isNewest: true });
});

test('Another server or another clinic is refused, and what takes writes is not read', async () => {
  const refusal = 'DATABASE_REPLICA_URL leads to another clinic';
  await expect(opened({ replicaUrl: await newDatabaseUrl() })).rejects.toThrow(refusal);
  const beside = await newClinicUrl(primary.url);
  await expect(opened({ replicaUrl: beside })).rejects.toThrow(refusal);
  const { said } = await opened({ replicaUrl: url });
  expect(said).toEqual(['promoted']);
});

test('One that still follows the server before a promotion is not read, however far it is', async () => {
  const late = await startPostgresServer({ follows: primary, settings: soon });
  closing.push({ close: () => late.stop() });
  await tell(standby, 'select pg_promote()');
  // The position in the log is far beyond that of the server that took over.
  await tell(primary, 'create table unknown_to_the_other (); select pg_switch_wal()');
  await tell(primary, 'create table unknown_too (); select pg_switch_wal()');
  const taken = await opened({ replicaUrl: at(late) });
  expect(await writeAndRead(taken.database)).toEqual({ atReplica: true, isNewest: true });
  const promoted = { url: replicaUrl, replicaUrl: at(late), replicaPatienceMs: 500 };
  const { database, said } = await opened(promoted);
  expect(await writeAndRead(database)).toEqual({ atReplica: false, isNewest: true });
  expect(said).toEqual(['behind']);
});
