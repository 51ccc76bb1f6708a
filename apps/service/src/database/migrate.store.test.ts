import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPECIFIED_TYPES } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type BlankDatabase,
  anOlderClinic,
  blankDatabase,
  migrateAsOfRelease020,
  migrateFirst,
  schemaOf,
} from '../../testing/older-clinic.ts';

import { appointmentType } from '../schema.ts';
import { migrationsFolder } from './migrate.ts';

let fresh: BlankDatabase;
beforeAll(async () => {
  fresh = await blankDatabase();
  await fresh.migrate();
});
afterAll(() => fresh.close());

test('A new database has each migration since the baseline once, however often it starts', async () => {
  await fresh.migrate();
  const { rows } = await fresh.database.db.execute(
    sql`select count(*)::int as migrations from drizzle.__drizzle_migrations`,
  );
  const since = readMigrationFiles({ migrationsFolder }).length;
  expect(rows).toEqual([{ migrations: since }]);
});

/** The part of drizzle's tool that compares tables. */
interface DrizzleKit {
  generateDrizzleJson(tables: object): object;
  generateMigration(from: object, to: object): Promise<string[]>;
}

test('The migrations make the tables that the schema files describe', async () => {
  const kit = (await import('drizzle-kit/api')) as unknown as DrizzleKit;
  const service = join(migrationsFolder, '..');
  const files = globSync('src/**/schema*.ts', { cwd: service });
  const tables: object = {};
  for (const file of files) Object.assign(tables, await import(join(service, file)));
  const snapshots = globSync('meta/*_snapshot.json', { cwd: migrationsFolder }).sort();
  const newest = readFileSync(join(migrationsFolder, snapshots.at(-1) ?? ''), 'utf8');
  const made = JSON.parse(newest) as object;
  expect(await kit.generateMigration(made, kit.generateDrizzleJson(tables))).toEqual([]);
});

describe('An older database', () => {
  let older: BlankDatabase;
  beforeEach(async () => {
    older = await blankDatabase();
  });
  afterEach(() => older.close());

  test('of version 0.1 is refused and left as it is', async () => {
    const { db } = older.database;
    await migrateFirst(older, 1);
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
    const before = await schemaOf(db);
    await expect(older.migrate()).rejects.toThrow(
      'The database is one of version 0.1: start version 0.2.0 on it once, and then this version.',
    );
    expect(await schemaOf(db)).toEqual(before);
  });

  test('of version 0.2.0 ends in the schema of a new one', async () => {
    const { db } = older.database;
    await migrateAsOfRelease020(older);
    await older.migrate();
    const schema = await schemaOf(db);
    expect(schema).toEqual(await schemaOf(fresh.database.db));
    await older.migrate();
    expect(await schemaOf(db)).toEqual(schema);
  });

  test('that 0.2.0 has brought up from 0.1 ends in the schema of a new one', async () => {
    const upgraded = await anOlderClinic();
    try {
      await upgraded.migrate();
      const { db } = upgraded.database;
      expect(await schemaOf(db)).toEqual(await schemaOf(fresh.database.db));
    } finally {
      await upgraded.close();
    }
  });

  test('keeps nothing of a migration that fails, and goes on from there', async () => {
    const { db } = older.database;
    await migrateAsOfRelease020(older);
    await db.execute(sql`create table staff (id integer)`);
    await expect(older.migrate()).rejects.toThrow(/CREATE TABLE "staff"/);
    await db.execute(sql`drop table staff`);
    const { rows } = await db.execute<{ done: number }>(
      sql`select count(*)::int as done from drizzle.__drizzle_migrations`,
    );
    const untouched = await blankDatabase();
    try {
      await migrateFirst(untouched, rows[0]?.done ?? 0);
      expect(await schemaOf(db)).toEqual(await schemaOf(untouched.database.db));
    } finally {
      await untouched.close();
    }
    await older.migrate();
    expect(await schemaOf(db)).toEqual(await schemaOf(fresh.database.db));
  });

  test('gives the types of the specification the rules that stood on their letters', async () => {
    await migrateFirst(older, 1);
    const { database } = older;
    await database.inTransaction(async (tx) => {
      for (const type of SPECIFIED_TYPES)
        await tx.execute(sql`
          insert into appointment_type values (${type.code}, ${type.description}, 0,
            ${type.enforceMrp}, ${type.enforceNoPcp}, ${type.requiresDocuments})`);
    });
    await older.migrate();
    const kept = await database.db.select().from(appointmentType);
    expect(kept).toEqual(
      expect.arrayContaining(
        SPECIFIED_TYPES.map((type) => ({
          ...type,
          translations: null,
          emrName: null,
          hue: null,
          shape: null,
          position: 0,
          active: true,
        })),
      ),
    );
  });
});
