import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';

import {
  type BlankDatabase,
  anOlderClinic,
  blankDatabase,
  migrateAsOfRelease020,
  migrateFirst,
  schemaOf,
} from '../../testing/older-clinic.ts';

import { migrationsFolder } from './migrate.ts';

const SINCE_BASELINE = readMigrationFiles({ migrationsFolder }).length;

/** Those of version 0.1 in the journal of a database that 0.2.0 has brought up; the last is the baseline's. */
const BEFORE_BASELINE = 16;

test.each<[string, () => Promise<BlankDatabase>, number]>([
  ['a new database', blankDatabase, SINCE_BASELINE],
  ['a database that began with 0.1', anOlderClinic, BEFORE_BASELINE + SINCE_BASELINE],
])('Processes that start at once migrate %s once', async (_what, open, after) => {
  const blank = await open();
  const alone = await blankDatabase();
  try {
    await Promise.all([blank.migrate(), blank.migrate(), blank.migrate()]);
    const { rows } = await blank.database.db.execute(
      sql`select count(*)::int as migrations from drizzle.__drizzle_migrations`,
    );
    expect(rows).toEqual([{ migrations: after }]);
    await alone.migrate();
    expect(await schemaOf(blank.database.db)).toEqual(await schemaOf(alone.database.db));
  } finally {
    await blank.close();
    await alone.close();
  }
});

type Database = BlankDatabase['database'];

/** A transaction that has read a table, and ends once it is told to, after a last read where that is named. */
async function reading(database: Database, table: string, last?: string) {
  const begun = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  let tries = 0;
  const ended = database.inTransaction(async (tx) => {
    tries += 1;
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    // Sooner than any server would look, so that it is the first to be ended.
    await tx.execute(sql`set local deadlock_timeout = '400ms'`);
    await tx.execute(sql.raw(`select from ${table} limit 1`));
    begun.resolve();
    await told.promise;
    if (last !== undefined) await tx.execute(sql.raw(`select from ${last} limit 1`));
  });
  await begun.promise;
  return {
    async end() {
      told.resolve();
      await ended;
      return { tries };
    },
  };
}

/** How many wait for a table. */
async function waitingFor({ db }: Database, table: string) {
  const { rows } = await db.execute(
    sql`select 1 from pg_locks where not granted and relation = ${table}::regclass
           and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

test('A migration lets patients by while a table is in use, and is done after that', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  try {
    await migrateAsOfRelease020(blank);
    const reader = await reading(database, 'appointment');
    const migrating = blank.migrate();
    // Twice: it has let go and come again.
    for (let times = 0; times < 2; times++) {
      await expect.poll(() => waitingFor(database, 'appointment')).toBe(1);
      await database.db.execute(sql`select from appointment limit 1`);
    }
    await Promise.all([reader.end(), migrating]);
  } finally {
    await blank.close();
  }
});

test('A migration that waits for a table keeps none that an earlier one has changed', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  try {
    await migrateAsOfRelease020(blank);
    const reader = await reading(database, 'payment');
    const migrating = blank.migrate();
    await expect.poll(() => waitingFor(database, 'payment')).toBe(1);
    await database.inTransaction((tx) =>
      tx.execute(sql`lock table appointment, patient in row exclusive mode nowait`),
    );
    await Promise.all([reader.end(), migrating]);
  } finally {
    await blank.close();
  }
});

test('A migration of several tables gives way to a request that has one of them and waits for another', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  try {
    // The next one changes slot codes, and then types.
    await migrateFirst(blank, 45);
    const reader = await reading(database, 'appointment_type', 'slot_code');
    const migrating = blank.migrate();
    await expect.poll(() => waitingFor(database, 'appointment_type')).toBe(1);
    expect(await reader.end()).toEqual({ tries: 1 });
    await migrating;
  } finally {
    await blank.close();
  }
});

test('A migration that gave way takes the table that was in use before the others', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  try {
    await migrateFirst(blank, 45);
    const reader = await reading(database, 'appointment_type');
    const migrating = blank.migrate();
    for (const waiting of [1, 0, 1])
      await expect.poll(() => waitingFor(database, 'appointment_type')).toBe(waiting);
    await database.inTransaction((tx) =>
      tx.execute(sql`lock table slot_code in access share mode nowait`),
    );
    await Promise.all([reader.end(), migrating]);
  } finally {
    await blank.close();
  }
});
