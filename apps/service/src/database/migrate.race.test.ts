import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';

import {
  BEFORE_BASELINE,
  blankDatabase,
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
