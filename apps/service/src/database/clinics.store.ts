import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { sql } from './db.ts';
import { withClient } from './pooler.ts';
import { lockFor } from './shared-names.store.ts';

// Several clinics share a database: each has a role and a schema of the same name (docs/adr/0026). The
// clinics are kept apart by what each role is granted: nothing outside of its own schema.

/** A schema that all clinics share, because a database can have an extension only once. */
const EXTENSIONS = 'extensions';

/** Thrown when there cannot be a clinic of this name; the message is for the database's administrator. */
export class ClinicRefused extends Error {
  override readonly name = 'ClinicRefused';
}

/** A PostgreSQL name that needs no quotes in an address, a unit or a file. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const TAKEN = new Set(['public', 'none', 'drizzle', 'information_schema', EXTENSIONS]);

export function whyNoName(name: string): string | null {
  if (!NAME.test(name))
    return 'A clinic’s name has small letters, digits and underscores, begins with a letter and has 40 at most.';
  return TAKEN.has(name) || name.startsWith('pg_')
    ? `The name ${name} is PostgreSQL’s or the service’s own.`
    : null;
}

/**
 * Creates the clinic's role and schema, and hands the clinic's address to `keep` before it commits: when
 * `keep` throws, there is no clinic. The role in `adminUrl` must be allowed to create roles, and to create in
 * the database.
 */
export async function addClinic(
  adminUrl: string,
  name: string,
  keep: (clinicUrl: string) => void,
): Promise<void> {
  const refused = whyNoName(name);
  if (refused !== null) throw new ClinicRefused(refused);
  const password = randomBytes(24).toString('hex');
  await withClient({ connectionString: adminUrl }, async (client) => {
    await client.query('begin');
    await lockFor('clinics', { $client: client });
    const { database, extended } = await refuseTaken(client, name);
    if (!extended)
      await client.query(`create schema if not exists ${EXTENSIONS};
        create extension btree_gist schema ${EXTENSIONS};
        grant usage on schema ${EXTENSIONS} to public`);
    const role = pg.escapeIdentifier(name);
    // A role that is no superuser must be a member of another role to make it the owner of something.
    await client.query(`create role ${role} login password '${verifierOf(password)}';
      grant ${role} to current_user;
      create schema ${role} authorization ${role};
      grant connect on database ${pg.escapeIdentifier(database)} to ${role};
      alter role ${role} in database ${pg.escapeIdentifier(database)}
        set search_path = ${role}, ${EXTENSIONS};
      revoke ${role} from current_user`);
    keep(Object.assign(new URL(adminUrl), { username: name, password }).href);
    await client.query('commit');
  });
}

/**
 * Drops the clinic's schema with every row, and its role. The role in `adminUrl` must be one that may make
 * clinics. A clinic to which somebody is connected is refused.
 */
export async function removeClinic(adminUrl: string, name: string): Promise<void> {
  const clinic = (await clinicsOn(adminUrl)).find((each) => each.name === name);
  if (clinic === undefined || name === 'public')
    throw new ClinicRefused(`There is no clinic ${name} on this database.`);
  if (clinic.connections > 0)
    throw new ClinicRefused(
      `${name} has ${clinic.connections} connections: stop its processes first. Nothing was changed.`,
    );
  await withClient({ connectionString: adminUrl }, async (client) => {
    const role = pg.escapeIdentifier(name);
    await client.query(`begin;
      grant ${role} to current_user;
      drop schema ${role} cascade;
      drop owned by ${role};
      drop role ${role};
      commit`);
  });
}

/** Throws when the name is in use. */
async function refuseTaken(client: pg.Client, name: string) {
  const [found] = await sql<{
    database: string;
    extended: boolean;
    role: boolean;
    schema: boolean;
  }>({ $client: client })`
    select current_database() as database,
           exists (select from pg_extension where extname = 'btree_gist') as extended,
           exists (select from pg_roles where rolname = ${name}) as role,
           to_regnamespace(${name}) is not null as schema`;
  if (!found) throw new Error('The database did not say what it has');
  if (found.role && found.schema)
    throw new ClinicRefused(`There is a clinic ${name} already. Nothing was changed.`);
  if (found.role || found.schema)
    throw new ClinicRefused(
      `There is a ${found.role ? 'role' : 'schema'} ${name} already, which is no clinic of this database. Take another name.`,
    );
  return found;
}

/** The password's hash as PostgreSQL stores it (RFC 5803): the password stands in no server log. */
function verifierOf(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4_096];
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const keyed = (word: string) => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${server}`;
}

export interface ClinicOnDatabase {
  readonly name: string;
  readonly tables: number;
  readonly bytes: number;
  readonly connections: number;
}

/**
 * Schemas whose owner has the same name and may log in, with the service's tables or none yet, and 'public' when
 * the service's tables are in it.
 */
export const clinicsOn = (adminUrl: string): Promise<readonly ClinicOnDatabase[]> =>
  withClient(
    { connectionString: adminUrl },
    (client) =>
      sql<ClinicOnDatabase>({ $client: client })`
        select n.nspname as name, count(t.oid)::int as tables,
               coalesce(sum(pg_total_relation_size(t.oid)), 0)::float8 as bytes,
               (select count(*)::int from pg_stat_activity a
                 where a.usesysid = coalesce(max(t.relowner), n.nspowner)
                   and a.datname = current_database()) as connections
          from pg_namespace n
          join pg_roles r on r.oid = n.nspowner
          left join pg_class t on t.relnamespace = n.oid and t.relkind = 'r'
         where r.rolname = n.nspname and r.rolcanlogin
            or n.nspname = 'public' and to_regclass('public.installation') is not null
         group by n.nspname, n.nspowner
        having count(t.oid) = 0 or bool_or(t.relname = 'installation')
         order by 1`,
  );
