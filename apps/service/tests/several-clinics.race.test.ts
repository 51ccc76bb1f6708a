import type { Call } from '@clinic/contract';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/database/open-database.ts';
import { newClinicUrl } from '../testing/clinics.ts';
import { ask, newDatabaseUrl } from '../testing/index.ts';
import { startPgbouncer } from '../testing/pgbouncer.ts';
import { type Pooler, startTransactionPooler } from '../testing/transaction-pooler.ts';
import { everyCall } from './every-call.ts';
import { objectMatrix } from './object-matrix.ts';
import { withNobodysPassword, withValueAt } from './places.ts';
import { everyRow, tableNames } from './rows-of.ts';
import { type TwoPatients, idsOf, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

interface Clinic extends TwoPatients {
  readonly url: string;
  /** Of its role and its schema. */
  readonly name: string;
}

let pooler: Pooler;
let clinics: Clinic[];

/** Each clinic, and the one whose things it is asked for. */
const pairs = () => clinics.map((here, at) => [here, clinics[(at + 1) % 3] as Clinic] as const);

/** Behind one pooler: PgBouncer itself in `npm run topology -- clinics`. */
async function startPooler(urls: readonly string[]): Promise<Pooler> {
  return process.env.TEST_POOLER === 'pgbouncer'
    ? startPgbouncer(process.env.TEST_DATABASE_URL ?? '', urls)
    : startTransactionPooler();
}

beforeAll(async () => {
  const admin = await newDatabaseUrl();
  const urls: string[] = [];
  for (let count = 0; count < 3; count++) urls.push(await newClinicUrl(admin));
  pooler = await startPooler(urls);
  clinics = await Promise.all(
    urls.map(async (url) => {
      const database = await openDatabase({
        url: pooler.through(url),
        directUrl: url,
        poolSize: 4,
      });
      return { ...(await twoPatients(undefined, { database })), url, name: new URL(url).username };
    }),
  );
});
afterAll(async () => {
  for (const each of clinics) await each.close();
  await pooler.close();
});

/** What a clinic is asked, with somebody of another clinic in the place of its own other patient. */
const askedFor = (here: Clinic, there: Clinic): TwoPatients => ({
  ...here,
  other: there.other,
  secrets: there.secrets,
});

const ownedPlaces = everyCall.flatMap((call) =>
  Object.entries(objectMatrix[call.id]).flatMap(([place, rule]) =>
    rule.kind === 'owned' ? [{ call, id: call.id, place, rule }] : [],
  ),
);

const send = (here: Clinic, call: Call, place: string, value: string) =>
  ask(here, call.id, withNobodysPassword(withValueAt(validRequests[call.id](here), place, value)));

describe('Three clinics on one database, behind one pooler', () => {
  // Shows: S-1
  test.each(ownedPlaces)(
    "refuse another clinic's $place by $id as an unknown one",
    async ({ call, place, rule }) => {
      for (const [here, there] of pairs()) {
        const unknown = await send(here, call, place, rule.unknown);
        expect(unknown.statusCode).toBe(rule.status);
        for (const value of rule.others(askedFor(here, there))) {
          const response = await send(here, call, place, value);
          expect(response.statusCode).toBe(rule.status);
          expect(response.body).toBe(unknown.body);
        }
      }
    },
  );

  test('do not know each other’s sessions', async () => {
    for (const [here, there] of pairs()) {
      expect((await ask(here, 'getMe', { token: here.asker.token })).statusCode).toBe(200);
      expect((await ask(here, 'getMe', { token: there.asker.token })).statusCode).toBe(401);
    }
  });

  test('have no row that names anybody of another clinic', async () => {
    for (const [here, there] of pairs()) {
      const rows = [...(await everyRow(here)).values()].flat().join('\n');
      for (const id of idsOf(here.other)) expect(rows).toContain(id);
      for (const id of [...idsOf(there.asker), ...idsOf(there.other)])
        expect(rows).not.toContain(id);
    }
  });

  test('may not read or write a table of another clinic, nor take its role', async () => {
    for (const [here, there] of pairs()) {
      const client = new Client(here.url);
      await client.connect();
      const refusalOf = (statement: string) =>
        client.query(statement).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
      for (const table of await tableNames(there)) {
        const name = `"${there.name}"."${table}"`;
        for (const statement of [`select from ${name}`, `delete from ${name}`])
          expect([statement, await refusalOf(statement)]).toEqual([statement, '42501']);
      }
      for (const statement of [
        `set role "${there.name}"`,
        `create table "${there.name}".mine ()`,
        'create table public.mine ()',
        'create table extensions.mine ()',
        'create schema mine',
        `alter role "${there.name}" password 'mine'`,
      ])
        expect([statement, await refusalOf(statement)]).toEqual([statement, '42501']);
      await client.end();
    }
  });

  test('are granted nothing outside of their own schema', async () => {
    for (const { database, name } of clinics) {
      const { rows } = await database.db.execute(sql`
        select n.nspname as schema, c.relname as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname <> ${name} and n.nspname !~ '^(pg_|information_schema)'
           and c.relkind in ('r', 'v', 'm', 'S', 'p', 'f')
           and case c.relkind when 'S' then has_sequence_privilege(c.oid, 'usage, select, update')
               else has_table_privilege(c.oid,
                 'select, insert, update, delete, truncate, references, trigger') end`);
      expect(rows).toEqual([]);
      const schemas = await database.db.execute(sql`
        select nspname as name from pg_namespace
         where nspname !~ '^(pg_|information_schema)'
           and has_schema_privilege(oid, 'create')`);
      expect(schemas.rows).toEqual([{ name }]);
    }
  });
});
