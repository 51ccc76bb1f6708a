import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { aClinic, aPatientRow, somePatients } from '../../testing/a-clinic.ts';
import { ask } from '../../testing/ask.ts';
import { violations } from '../../testing/invariants.ts';
import { listensAt } from '../../testing/live-socket.ts';
import { patientWaits } from '../../testing/patient-waits.ts';
import { startPgbouncer } from '../../testing/pgbouncer.ts';
import { signIn } from '../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { newDatabaseUrl, testDatabaseUrl } from '../../testing/test-database.ts';
import { type Pooler, startTransactionPooler } from '../../testing/transaction-pooler.ts';
import { type Keyring, createKeyring } from '../security/keyring.ts';
import { newKeyMaterial } from '../security/keyring-file.ts';
import { type Database, databaseOn } from './db.ts';
import { type Waits, openPostgres } from './engine-postgres.ts';
import { migratePostgres } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { reachOf } from './pooler.ts';
import { sqlStateOf } from './sqlstate.ts';

/** PgBouncer itself in `npm run topology -- pooler`; here what it does, for a machine without it. */
const startPooler = () =>
  process.env.TEST_POOLER === 'pgbouncer'
    ? startPgbouncer(process.env.TEST_DATABASE_URL ?? '')
    : startTransactionPooler();

let pooler: Pooler;
let direct: string;
let pooled: string;
beforeAll(async () => {
  pooler = await startPooler();
});
afterAll(() => pooler.close());
beforeEach(async () => {
  direct = await testDatabaseUrl();
  pooled = pooler.through(direct);
});

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

async function openPooled(waits: Waits, directUrl?: string): Promise<Database> {
  const reach = await reachOf(pooled);
  return databaseOn(openPostgres({ url: pooled, reach, directUrl, poolSize: 16, waits }));
}

const keyring: Keyring = createKeyring(newKeyMaterial());

/** One of the services of a clinic, as a process of its own would be. */
async function aService(directUrl?: string): Promise<TestApp> {
  const service = await testApp({ database: await openPooled(patientWaits, directUrl), keyring });
  closing.push(service);
  return service;
}

describe('Behind a pooler that gives a connection for each transaction', () => {
  test('the service finds out how it reaches the database, and says so in a word', async () => {
    const { namedStatements } = pooler;
    expect(await reachOf(direct)).toEqual({ kind: 'direct' });
    expect(await reachOf(pooled)).toEqual({ kind: 'pooler', namedStatements });
    const said: string[] = [];
    const opened = (url: string, directUrl?: string) =>
      openDatabase({ url, directUrl, poolSize: 2, onReached: (how) => said.push(how) });
    closing.push(await opened(direct), await opened(pooled), await opened(pooled, direct));
    const named = namedStatements ? 'named-statements' : 'no-named-statements';
    expect(said).toEqual(['direct', `pooler.${named}.polling`, `pooler.${named}.listening`]);
    await expect(opened(pooled, pooled)).rejects.toThrow('DATABASE_DIRECT_URL leads to a pooler');
  });

  test('a statement is ended at its time limit, alone and in a transaction', async () => {
    const database = await openPooled({ lockMs: 1_000, statementMs: 10_000 });
    closing.push(database);
    const stateOf = (work: Promise<unknown>) => work.then(() => null, sqlStateOf);
    const sleep = sql`select pg_sleep(30)`;
    expect(await stateOf(database.db.execute(sleep))).toBe('57014');
    expect(await stateOf(database.inTransaction((tx) => tx.execute(sleep)))).toBe('57014');
    const holder = new Client(direct);
    await holder.connect();
    await holder.query('begin; lock table patient');
    const waits = sql`select from patient limit 1`;
    expect(await stateOf(database.db.execute(waits))).toBe('55P03');
    expect(await stateOf(database.inTransaction((tx) => tx.execute(waits)))).toBe('55P03');
    await holder.end();
  });

  test('a transaction fails by what failed first, whichever is heard first', async () => {
    const database = await openPooled(patientWaits);
    closing.push(database);
    const failing = database.inTransaction(async (tx) => {
      const first = tx.execute(sql`select 1 / 0`);
      first.catch(() => undefined);
      await tx.execute(sql`select 1`);
    });
    expect(await failing.then(() => null, sqlStateOf)).toBe('22012');
  });

  test('one process migrates at a time, and the others wait', async () => {
    const blank = await newDatabaseUrl();
    const url = pooler.through(blank);
    const watcher = new Client(blank);
    await watcher.connect();
    await watcher.query('begin; select pg_advisory_xact_lock(7318201)');
    const migrating = Promise.all([migratePostgres(url), migratePostgres(url)]);
    const waiting = async () => {
      const { rowCount } = await watcher.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return rowCount;
    };
    await expect.poll(waiting).toBe(2);
    await watcher.query('commit');
    await migrating;
    const { rows } = await watcher.query(
      'select count(*) = count(distinct created_at) as once from drizzle.__drizzle_migrations',
    );
    expect(rows).toEqual([{ once: true }]);
    await watcher.end();
  });

  test('a process that starts on a connection on which another one did finds nothing to do', async () => {
    const another = pooler.through(await newDatabaseUrl());
    await migratePostgres(another);
    await expect(migratePostgres(another)).resolves.toBeUndefined();
  });

  test('600 bookings by 16 clients at once all end in an appointment', async () => {
    const clinic = await aService();
    await aClinic(clinic.database, { providers: [{ id: '101' }, { id: '102' }], days: 20 });
    const patients = await somePatients(clinic.database, 300);
    const tokens = await Promise.all(patients.map((id) => signIn(clinic, { id })));
    const bookings = [1, 2].flatMap((nth) =>
      tokens.map((token, at) => {
        const day = addDays(toClinic(NOW).date, (nth - 1) * 9 + 1 + (at % 9));
        const step = Math.floor(at / 9);
        const start = toInstant(day, step < 24 ? '08:00' : '11:00') + ((step >> 1) % 12) * 300;
        const doctor = step % 2 === 0 ? '101' : '102';
        return {
          token,
          body: { doctor, start, end: start + 300, selectedType: 'O', reason: 'A cough' },
        };
      }),
    );
    const statuses: number[] = [];
    const client = async () => {
      for (let next = bookings.shift(); next; next = bookings.shift())
        statuses.push((await ask(clinic, 'createBooking', next)).statusCode);
    };
    await Promise.all(Array.from({ length: 16 }, client));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses).toHaveLength(600);
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });
});

const eight = toInstant(addDays(toClinic(NOW).date, 1), '08:00');
const slot = { doctor: '101', start: eight, end: eight + 300, selectedType: 'O' };

/** A page of a signed-in patient, open at one service. */
async function pageAt(url: string, token: string) {
  const socket = await listensAt(url, token);
  closing.unshift({ close: async () => void socket.close() });
  return socket;
}

describe.each(['listening past it', 'polling'])('Two services behind a pooler, %s,', (how) => {
  let here: TestApp;
  let there: TestApp;
  let url: string;
  beforeEach(async () => {
    const directUrl = how === 'polling' ? undefined : direct;
    [here, there] = [await aService(directUrl), await aService(directUrl)];
    await aClinic(here.database);
    // Its own jobs look too, and their commits are heard.
    const jobs = ['slots', 'lapsed-holds', 'unknown-bookings', 'payments', 'audit-seal'];
    for (const job of jobs) await there.app.stopJob(job);
    url = await there.app.listen({ host: '127.0.0.1', port: 0 });
  });
  const newPatient = async () => signIn(here, { id: await aPatientRow(here.database) });

  // Shows: S-12
  test('tell the pages open at one what was taken at the other', async () => {
    const page = await pageAt(url, await newPatient());
    const heard = once(page as never, 'slots');
    await ask(here, 'placeHold', { token: await newPatient(), body: slot });
    expect((await heard)[0]).toEqual([
      { doctor: '101', start: eight, end: eight + 300, state: 'taken' },
    ]);
  });

  // Shows: S-12
  test('tell the page of the patient whom it is for, once, of each change', async () => {
    const token = await newPatient();
    const page = await pageAt(url, token);
    const other = await pageAt(url, await newPatient());
    const heard: string[] = [];
    page.on('messages', () => heard.push('heard'));
    other.on('messages', () => heard.push('overheard'));
    const write = (message: string) => ask(here, 'startMessage', { token, body: { message } });
    await write('My knee');
    await expect.poll(() => heard).toEqual(['heard']);
    await write('My other knee');
    await expect.poll(() => heard).toEqual(['heard', 'heard']);
  });

  // Shows: S-12
  test('close the pages of a session that ended at the other one', async () => {
    const token = await newPatient();
    const page = await pageAt(url, token);
    const closed = once(page as never, 'disconnect');
    const taken = once(page as never, 'slots');
    await ask(here, 'placeHold', { token: await newPatient(), body: slot });
    await taken;
    await ask(here, 'logout', { token });
    expect(await closed).toContain('io server disconnect');
  });
});

describe('Two services behind a pooler', () => {
  let here: TestApp;
  let there: TestApp;
  beforeEach(async () => {
    [here, there] = [await aService(), await aService()];
    await aClinic(here.database);
  });
  const newPatient = async () => signIn(here, { id: await aPatientRow(here.database) });

  test('know the same sessions', async () => {
    const token = await newPatient();
    expect((await ask(there, 'getMe', { token })).statusCode).toBe(200);
    await ask(here, 'logout', { token });
    expect((await ask(there, 'getMe', { token })).statusCode).toBe(401);
  });

  test('count the same limits', async () => {
    const rule = { name: 'both', count: 10, seconds: 900 };
    const uses = Array.from({ length: 40 }, (_, at) =>
      (at % 2 ? here : there).platform.rateLimit.use(rule, 'somebody', NOW),
    );
    const refused = (await Promise.all(uses)).filter((refusal) => refusal !== null);
    expect(refused).toHaveLength(30);
  });

  test('keep the same holds', async () => {
    const token = await newPatient();
    const book = { ...slot, reason: 'A cough' };
    expect((await ask(here, 'placeHold', { token, body: slot })).statusCode).toBe(200);
    const rival = await ask(there, 'createBooking', { token: await newPatient(), body: book });
    expect(rival.statusCode).toBe(409);
    expect((await ask(there, 'createBooking', { token, body: book })).statusCode).toBe(200);
  });

  test('do what is due once', async () => {
    const patients = await somePatients(here.database, 12);
    for (const [at, id] of patients.entries()) {
      const start = eight + at * 300;
      const body = { ...slot, start, end: start + 300, reason: 'A cough' };
      await ask(here, 'createBooking', { token: await signIn(here, { id }), body });
    }
    const drained = await Promise.all(
      [here, there, here, there].map(({ platform }) => platform.outbox.drain()),
    );
    expect(drained.reduce((sum, each) => sum + each)).toBe(12);
    expect([...here.mail.sent, ...there.mail.sent]).toHaveLength(12);
  });
});
