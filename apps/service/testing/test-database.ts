import { randomBytes } from 'node:crypto';
import { SPECIFIED_CODES } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { type Database, databaseOn } from '../src/database/db.ts';
import { openPostgres } from '../src/database/engine-postgres.ts';
import { slotCode } from '../src/schema.ts';
import { pgliteCopy, postgresTemplate } from './database-templates.ts';
import { patientWaits } from './patient-waits.ts';

/** A database of one's own, empty and migrated. Closing it gives the engine to the next test. */
export type TestDatabase = Database;

interface Lent {
  readonly database: Database;
  readonly dispose: () => Promise<void>;
}

const idle: Lent[] = [];

/**
 * Embedded, or on the PostgreSQL server of `TEST_DATABASE_URL` when `TEST_DATABASE=postgres`. The
 * first one in a test file takes a moment; later ones are emptied and used again, in milliseconds.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const lent = idle.pop() ?? (await (onPostgres() ? lendPostgres() : lendPglite()));
  return {
    ...lent.database,
    get db() {
      return lent.database.db;
    },
    close: () => takeBack(lent),
  };
}

const onPostgres = () => process.env.TEST_DATABASE === 'postgres';

async function takeBack(lent: Lent): Promise<void> {
  try {
    await empty(lent.database);
    idle.push(lent);
  } catch {
    await lent.dispose();
  }
}

/** `session_replication_role` lets even the append-only trail be emptied. All in one statement: each costs. */
async function empty(database: Database): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.execute(sql`do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables
          where schemaname = 'public' and tablename <> 'schedule_version'
        loop execute format('delete from %I', name); end loop;
    end $$`);
    // As the migrations leave it.
    await tx
      .insert(slotCode)
      .values(SPECIFIED_CODES.map((each) => ({ ...each, types: [...each.types] })));
  });
}

async function lendPglite(): Promise<Lent> {
  const database = databaseOn(await pgliteCopy());
  return { database, dispose: () => database.close() };
}

async function lendPostgres(): Promise<Lent> {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 10, waits: patientWaits }));
  return { database, dispose: () => database.close() };
}

/** The address of a new migrated database on the test server, for tests that open it themselves. */
export const testDatabaseUrl = async (): Promise<string> =>
  newDatabaseUrl(await postgresTemplate(testServerUrl()));

/** The address of a new database on the test server; PostgreSQL's own template is an empty one. */
export async function newDatabaseUrl(template = 'template1'): Promise<string> {
  const serverUrl = testServerUrl();
  const { Client, escapeIdentifier } = await import('pg');
  const name = `clinic_${randomBytes(6).toString('hex')}`;
  const client = new Client(serverUrl);
  await client.connect();
  try {
    await client.query(
      `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`,
    );
  } finally {
    await client.end();
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

function testServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL names no PostgreSQL server (npm test starts one)');
  return url;
}
