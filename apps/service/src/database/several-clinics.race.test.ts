import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newClinicUrl } from '../../testing/clinics.ts';
import { patientWaits } from '../../testing/patient-waits.ts';
import { newDatabaseUrl } from '../../testing/test-database.ts';
import { sealAudit } from '../security/audit-chain.store.ts';
import { createAudit } from '../security/audit.store.ts';
import { createKeyring } from '../security/keyring.ts';
import { newKeyMaterial } from '../security/keyring-file.ts';
import type { Database, Tx } from './db.ts';
import { migratePostgres, migrationsFolder } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { LOCKS, channelOf, lockFor, lockWord, tryLockFor } from './shared-names.store.ts';

const MIGRATIONS = readMigrationFiles({ migrationsFolder }).length;

let server: string;
beforeEach(async () => {
  server = await newDatabaseUrl();
});

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

async function opened(url: string): Promise<Database> {
  const database = await openDatabase({ url, poolSize: 4, waits: patientWaits });
  closing.push(database);
  return database;
}

/** Does something while a transaction of the clinic holds what `take` takes. */
async function whileHeld(
  url: string,
  take: (tx: Tx) => Promise<unknown>,
  work: () => Promise<void>,
) {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('begin');
    await take({ $client: client } as unknown as Tx);
    await work();
  } finally {
    await client.end();
  }
}

describe('Two clinics on one database', () => {
  let one: string;
  let other: string;
  beforeEach(async () => {
    [one, other] = [await newClinicUrl(server), await newClinicUrl(server)];
  });

  test('get their tables and their journal each', async () => {
    for (const url of [one, other]) {
      const { db } = await opened(url);
      const { rows } = await db.execute(
        sql`select count(*)::int as migrations, to_regclass('drizzle.__drizzle_migrations') as shared
              from __drizzle_migrations`,
      );
      expect(rows).toEqual([{ migrations: MIGRATIONS, shared: null }]);
    }
  });

  test('wait for no lock of the other’s', async () => {
    const keyring = createKeyring(newKeyMaterial());
    const entry = { actor: 'system:test', action: 'looked', subject: 'clinic:1', at: 1 };
    const sealed = async (database: Database) => {
      await database.inTransaction((tx) => createAudit(keyring)(tx, entry));
      return sealAudit(database, keyring);
    };
    const own = await opened(one);
    await whileHeld(
      one,
      async (tx) => {
        for (const lock of ['migration', 'schedule', 'sealer'] as const) await lockFor(lock, tx);
        await lockWord('a word', tx);
      },
      async () => {
        const database = await opened(other);
        expect(await sealed(database)).toBe(1);
        await database.inTransaction((tx) => lockFor('schedule', tx));
        await database.inTransaction((tx) => lockWord('a word', tx));
        expect(await sealed(own)).toBe(0);
      },
    );
  });

  test('are not mixed by two addresses', async () => {
    const mixed = openDatabase({ url: one, directUrl: other });
    await expect(mixed).rejects.toThrow('DATABASE_DIRECT_URL leads to another clinic');
  });

  test('do not hear each other', async () => {
    const [here, there, neighbour, beside] = [
      await opened(one),
      await opened(one),
      await opened(other),
      await opened(other),
    ];
    const heard: string[] = [];
    there.onTold((words) => heard.push(`there ${words}`));
    beside.onTold((words) => heard.push(`beside ${words}`));
    // Said again until somebody listens.
    const says = (database: Database, words: string) => () => {
      database.tellOthers(words);
      return heard;
    };
    await expect.poll(says(here, 'one')).toContain('there one');
    await expect.poll(says(neighbour, 'two')).toContain('beside two');
    expect(new Set(heard)).toEqual(new Set(['there one', 'beside two']));
  });
});

describe('A clinic in the schema public', () => {
  test('has the channel and the locks of release 0.2.0, which may run beside it', async () => {
    const database = await opened(server);
    expect(await channelOf(database.db)).toBe('clinic_commits');
    const older = new Client(server);
    await older.connect();
    for (const lock of ['migration', 'schedule', 'sealer'] as const) {
      await older.query('begin');
      await older.query(`select pg_advisory_xact_lock(${LOCKS[lock]})`);
      expect(await database.inTransaction((tx) => tryLockFor(lock, tx))).toBe(false);
      await older.query('commit');
    }
    await database.inTransaction(async (tx) => {
      await lockWord('a word', tx);
      const { rows } = await older.query(
        `select pg_try_advisory_lock(hashtextextended('a word', 0)) as free`,
      );
      expect(rows).toEqual([{ free: false }]);
    });
    await older.end();
  });
});

test('A clinic that release 0.2.0 has begun in another schema goes on with its journal', async () => {
  const url = await newClinicUrl(server);
  const admin = new Client(server);
  await admin.connect();
  await admin.query(`grant create on database "${new URL(server).pathname.slice(1)}" to public`);
  await admin.end();
  const client = new Client(url);
  await client.connect();
  await migrate(drizzle({ client }), { migrationsFolder });
  await migratePostgres(url);
  const { rows } = await client.query(
    `select count(*)::int as migrations, to_regclass('__drizzle_migrations') as own
       from drizzle.__drizzle_migrations`,
  );
  expect(rows).toEqual([{ migrations: MIGRATIONS, own: null }]);
  await client.end();
});

test('A role without a schema is refused with the reason', async () => {
  const url = await newClinicUrl(server);
  const client = new Client(url);
  await client.connect();
  await client.query('drop schema if exists ' + client.escapeIdentifier(new URL(url).username));
  await client.end();
  await expect(migratePostgres(url)).rejects.toThrow('The database has no schema for the clinic');
});
