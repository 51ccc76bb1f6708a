import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPECIFIED_TYPES } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BEFORE_BASELINE,
  type BlankDatabase,
  blankDatabase,
  migrateBeforeBaseline,
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

describe('A database of before the baseline', () => {
  let older: BlankDatabase;
  beforeAll(async () => {
    older = await blankDatabase();
  });
  afterAll(() => older.close());
  beforeEach(async () => {
    const { db } = older.database;
    await db.execute(sql`drop schema if exists public, drizzle cascade`);
    await db.execute(sql`create schema public`);
  });

  // 11 are those of version 0.1.0.
  test.each([1, 11, BEFORE_BASELINE])(
    'with %i of the old migrations ends in the schema of a new one',
    async (count) => {
      await migrateBeforeBaseline(older, count);
      await older.migrate();
      const schema = await schemaOf(older.database.db);
      expect(schema).toEqual(await schemaOf(fresh.database.db));
      expect(schema.filter((each) => /claim|slot_cell|chart/.test(each))).toEqual([]);
      await older.migrate();
      expect(await schemaOf(older.database.db)).toEqual(schema);
    },
  );

  test('keeps nothing of a migration that fails, and goes on from there', async () => {
    const { db } = older.database;
    await migrateBeforeBaseline(older, 11);
    await db.execute(sql`create table appointment (id integer)`);
    await expect(older.migrate()).rejects.toThrow(/RENAME TO "appointment"/);
    await db.execute(sql`drop table appointment`);
    const { rows } = await db.execute<{ done: number }>(
      sql`select count(*)::int as done from drizzle.__drizzle_migrations`,
    );
    const untouched = await blankDatabase();
    try {
      await migrateBeforeBaseline(untouched, rows[0]?.done ?? 0);
      expect(await schemaOf(db)).toEqual(await schemaOf(untouched.database.db));
    } finally {
      await untouched.close();
    }
    await older.migrate();
    expect(await schemaOf(db)).toEqual(await schemaOf(fresh.database.db));
  });

  // Shows: R-97
  test('keeps its accounts, and who had signed up still waits (R-97)', async () => {
    await migrateBeforeBaseline(older, 11);
    const { database } = older;
    const account = (name: string, confirmed: boolean, blocked = false) =>
      database.inTransaction((tx) =>
        tx.execute(sql`
          insert into patient (id, email, password_hash, email_confirmed, chart_id, first_name,
            last_name, sex, birth_date, address, city, province, postal, country, card_province,
            card_sealed, card_index, eligibility, blocked, created_at_s)
          values (gen_random_uuid(), ${name}, 'hash', ${confirmed}, ${name}, ${name}, '', '',
            '1990-01-01', '', '', '', '', '', 'BC', '\\x01', convert_to(${name}, 'utf8'), 'E',
            ${blocked}, 7)`),
      );
    await account('open', true);
    await account('waits', false);
    await account('blocked', false, true);
    const id = await database.db.execute(sql`select id from patient where email = 'waits'`);
    await older.migrate();
    const accounts = await database.db.execute(sql`select email from patient order by email`);
    expect(accounts.rows).toEqual([{ email: 'blocked' }, { email: 'open' }]);
    const forms = await database.db.execute(
      sql`select id, email, password_hash, encode(card_sealed, 'hex') as card, tries, expires_at_s
            from pending_sign_up`,
    );
    expect(forms.rows).toEqual([
      {
        ...id.rows[0],
        email: 'waits',
        password_hash: 'hash',
        card: '01',
        tries: 0,
        expires_at_s: null,
      },
    ]);
  });

  test('gives the types of the specification the rules that stood on their letters', async () => {
    await migrateBeforeBaseline(older, 11);
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
          position: 0,
          active: true,
        })),
      ),
    );
  });
});
