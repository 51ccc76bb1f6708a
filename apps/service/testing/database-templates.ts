import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  openAsBlob,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/pglite';
import type { Client, Db, Engine } from '../src/database/db.ts';
import { createPglite, pgliteEngine } from '../src/database/engine-pglite.ts';
import { migratePglite, migratePostgres, migrationsFolder } from '../src/database/migrate.ts';

/** Changes with every migration, so that a template is never older than the schema. */
export const schemaVersion = (): string => {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrationsFolder)
    .filter((each) => each.endsWith('.sql'))
    .sort())
    hash.update(readFileSync(join(migrationsFolder, name)));
  return hash.digest('hex').slice(0, 12);
};

/** A migrated embedded database as one file, made once per machine and schema. */
async function pgliteTemplate(): Promise<string> {
  const template = join(tmpdir(), `clinic-test-template-${schemaVersion()}.tar`);
  if (existsSync(template)) return template;
  const client = await createPglite({});
  await migratePglite(drizzle({ client }));
  const dump = await client.dumpDataDir('none');
  await client.close();
  const making = `${template}.${process.pid}`;
  writeFileSync(making, Buffer.from(await dump.arrayBuffer()));
  // Of two that make it at once the first is kept: what somebody reads must not be replaced, whose
  // blob could not be read any more.
  try {
    linkSync(making, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  }
  rmSync(making);
  return template;
}

/** A migrated embedded database in memory. */
export async function pgliteCopy(): Promise<Engine> {
  const engine = pgliteEngine(
    await createPglite({ loadDataDir: await openAsBlob(await pgliteTemplate()) }),
  );
  return {
    ...engine,
    db: preparing(engine.db),
    transaction: (work, lastWrites) => engine.transaction((db) => work(preparing(db)), lastWrites),
  };
}

const prepared = new Map<string, string>();

/** Refuses two texts under one name, as PostgreSQL does; the embedded engine knows no names. */
function preparing(db: Db): Db {
  const { $client } = db;
  const query: Client['query'] = (statement) => {
    const { name, text } = statement;
    const before = name === '' ? text : (prepared.get(name) ?? text);
    if (before !== text) throw new Error(`Two statements have the name ${name}`);
    prepared.set(name, text);
    return $client.query(statement);
  };
  return Object.assign(db, { $client: { query } });
}

/** The name of a migrated database on the server, made once per server and schema. */
export async function postgresTemplate(serverUrl: string): Promise<string> {
  const { Client, escapeIdentifier } = await import('pg');
  const name = `clinic_template_${schemaVersion()}`;
  const client = new Client(serverUrl);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7318202)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return name;
    const making = `${name}_making`;
    await client.query(`drop database if exists ${escapeIdentifier(making)}`);
    await client.query(`create database ${escapeIdentifier(making)}`);
    await migratePostgres(Object.assign(new URL(serverUrl), { pathname: `/${making}` }).href);
    await client.query(
      `alter database ${escapeIdentifier(making)} rename to ${escapeIdentifier(name)}`,
    );
    return name;
  } finally {
    await client.end();
  }
}
