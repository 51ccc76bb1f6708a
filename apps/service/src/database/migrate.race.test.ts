import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';

import {
  type BlankDatabase,
  anOlderClinic,
  blankDatabase,
  migrateAsOfRelease020,
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

test('A migration lets patients by while a table is in use, and is done after that', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  const waiting = async () => {
    const { rows } = await database.db.execute(
      sql`select 1 from pg_locks where not granted and relation = to_regclass('appointment')
             and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  try {
    await migrateAsOfRelease020(blank);
    const taken = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const holding = database.inTransaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.execute(sql`lock table appointment in access share mode`);
      taken.resolve();
      await given.promise;
    });
    await taken.promise;
    const migrating = blank.migrate();
    // Twice: it has let go and come again.
    for (let times = 0; times < 2; times++) {
      await expect.poll(waiting).toBe(1);
      await database.db.execute(sql`select from appointment limit 1`);
    }
    given.resolve();
    await Promise.all([holding, migrating]);
  } finally {
    await blank.close();
  }
});

test('A migration that waits for a table keeps none that an earlier one has changed', async () => {
  const blank = await blankDatabase();
  const { database } = blank;
  const taken = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  try {
    await migrateAsOfRelease020(blank);
    const holding = database.inTransaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.execute(sql`lock table payment in access share mode`);
      taken.resolve();
      await given.promise;
    });
    await taken.promise;
    const migrating = blank.migrate();
    await expect
      .poll(async () => {
        const { rows } = await database.db.execute(
          sql`select 1 from pg_locks where not granted and relation = 'payment'::regclass
                 and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length;
      })
      .toBe(1);
    await database.inTransaction((tx) =>
      tx.execute(sql`lock table appointment, patient in row exclusive mode nowait`),
    );
    given.resolve();
    await Promise.all([holding, migrating]);
  } finally {
    given.resolve();
    await blank.close();
  }
});
