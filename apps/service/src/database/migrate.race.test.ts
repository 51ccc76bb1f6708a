import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';

import {
  BEFORE_BASELINE,
  blankDatabase,
  migrateAsOfRelease020,
  migrateBeforeBaseline,
  schemaOf,
} from '../../testing/older-clinic.ts';

import { migrationsFolder } from './migrate.ts';

const SINCE_BASELINE = readMigrationFiles({ migrationsFolder }).length;

test.each([
  ['a new database', 0, SINCE_BASELINE],
  ['a database older than the baseline', BEFORE_BASELINE, BEFORE_BASELINE + SINCE_BASELINE],
])('Processes that start at once migrate %s once', async (_what, before, after) => {
  const blank = await blankDatabase();
  const alone = await blankDatabase();
  try {
    if (before > 0) await migrateBeforeBaseline(blank, before);
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
      sql`select 1 from pg_locks where not granted and relation = to_regclass('claim')
             and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  try {
    await migrateBeforeBaseline(blank, BEFORE_BASELINE);
    const taken = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const holding = database.inTransaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.execute(sql`lock table claim in access share mode`);
      taken.resolve();
      await given.promise;
    });
    await taken.promise;
    const migrating = blank.migrate();
    // Twice: it has let go and come again.
    for (let times = 0; times < 2; times++) {
      await expect.poll(waiting).toBe(1);
      await database.db.execute(sql`select from claim limit 1`);
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
