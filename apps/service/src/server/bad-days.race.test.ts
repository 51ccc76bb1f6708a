import { addDays, toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../../testing/index.ts';
import { patientWaits } from '../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../testing/test-database.ts';
import { databaseOn } from '../database/db.ts';
import { openPostgres } from '../database/engine-postgres.ts';

let url: string;
let admin: Client;
let clinic: TestApp;
let token: string;
beforeEach(async () => {
  url = await testDatabaseUrl();
  admin = new Client(url);
  await admin.connect();
  clinic = await testApp({ database: connected() });
  await aClinic(clinic);
  token = await signIn(clinic, await aPatient(clinic));
});
afterEach(async () => {
  await clinic.close();
  await admin.end();
});

const connected = () => databaseOn(openPostgres({ url, poolSize: 4, waits: patientWaits }));
/** The service on new connections. */
async function connectAnew() {
  const { keyring } = clinic;
  await clinic.close();
  clinic = await testApp({ keyring, database: connected() });
}

const start = toInstant(addDays(toClinic(NOW).date, 1), '08:00');
const slot = { doctor: '101', start, end: start + 300, selectedType: 'O' };
const book = async () => {
  const { statusCode, headers } = await ask(clinic, 'createBooking', {
    token,
    body: { ...slot, reason: 'A cough' },
  });
  return { status: statusCode, retryAfter: headers['retry-after'] };
};
const ready = async () => {
  const answer = await clinic.app.inject('/readyz');
  return [answer.statusCode, answer.json<{ readonly status: string }>().status];
};

/** The database's name, quoted. */
const name = async () =>
  (await admin.query<{ name: string }>('select quote_ident(current_database()) as name')).rows[0]
    ?.name;
const onEachTable = (statement: string) =>
  admin.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public'
      loop execute format('${statement}', name); end loop;
  end $$`);

test.each([
  [
    'disk is full',
    'database disk full',
    async () => {
      await admin.query(`create function no_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file' using errcode = '53100'; end $$`);
      await onEachTable('create trigger no_room before insert on %I execute function no_room()');
    },
    () => onEachTable('drop trigger no_room on %I'),
  ],
  [
    'server takes no writes, as after a failover',
    'database read-only',
    async () => {
      await admin.query(`alter database ${await name()} set default_transaction_read_only = on`);
      await connectAnew();
    },
    async () => admin.query(`alter database ${await name()} reset default_transaction_read_only`),
  ],
])(
  'While the %s whoever books is told to try again, /readyz says why, and all is well at its end',
  async (_, says, begin, end) => {
    await begin();
    expect(await book()).toEqual({ status: 503, retryAfter: '2' });
    expect(await ready()).toEqual([503, says]);
    await end();
    expect(await ready()).toEqual([200, 'ready']);
    expect(await book()).toEqual({ status: 200, retryAfter: undefined });
  },
);
