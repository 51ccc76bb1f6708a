import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { Client } from 'pg';
import { addClinic } from '../src/database/clinics.store.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { serverFacts } from '../src/database/server-facts.store.ts';
import { NOW } from '@clinic/domain/testing';
import { violations } from '../testing/invariants.ts';
import { startPostgresServer } from '../testing/postgres-server.ts';
import { twoPatients } from './two-patients.ts';

// npm run topology -- dump: one clinic of two on a database is dumped and put back with the commands of
// docs/operating.md, while the other goes on.
/** The one of that page, and its neighbour. */
const NAMES = ['kerrisdale', 'burnaby'] as const;

const programs = dirname(process.env['PG_DUMP'] ?? '');
const folder = mkdtempSync(join(tmpdir(), 'clinic-dump-'));
const faults: string[] = [];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const [dump, restore] = commandsOf("One clinic's dump");

const server = await startPostgresServer({ programs });
const admin = await server.createDatabase('clinics');
const own = await newClinic(NAMES[0]);
const other = await newClinic(NAMES[1]);

const began = performance.now();
shell(dump);
const dumped = await contentsOf(own);
say(`${NAMES[0]} dumped: ${rowsIn(dumped)} rows in ${dumped.size} tables`);
for (const url of [own, other])
  await withDatabase(url, (database) => database.query(`update provider set first_name = 'Later'`));
const beside = await contentsOf(other);
shell(restore);
compare(NAMES[0], dumped, await contentsOf(own));
compare(NAMES[1], beside, await contentsOf(other));
say(`put back ${((performance.now() - began) / 1_000).toFixed(1)} s later`);

for (const [name, url] of [
  [NAMES[0], own],
  [NAMES[1], other],
] as const) {
  // As the service opens it at its start, with its role and its migrations.
  const database = await openDatabase({ url });
  const { schema, open } = await serverFacts(database.db);
  if (schema !== name) faults.push(`The role of ${name} has the schema ${schema}`);
  if (open.length > 0) faults.push(`The role of ${name} may use what is ${open.join(' and ')}'s`);
  const broken = await violations(database.db, NOW);
  faults.push(...broken.map((each) => `${name}: ${JSON.stringify(each)}`));
  await database.close();
}
await server.stop();
rmSync(folder, { recursive: true });
for (const fault of faults) say(fault);
say(faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = faults.length === 0 ? 0 : 1;

async function newClinic(name: string): Promise<string> {
  let url = '';
  await addClinic(admin, name, (given) => (url = given));
  const clinic = await twoPatients(undefined, { database: await openDatabase({ url }) });
  await clinic.close();
  return url;
}

/** The commands of a section of docs/operating.md. */
function commandsOf(section: string): readonly [string, string] {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8');
  const text = page.split(/^##+ /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  const [first, second] = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, shown]) => shown);
  if (first === undefined || second === undefined)
    throw new Error(`docs/operating.md has no commands under '${section}'`);
  return [first, second];
}

async function withDatabase<T>(
  url: string,
  question: (database: Client) => Promise<T>,
): Promise<T> {
  const database = new Client(url);
  await database.connect();
  try {
    return await question(database);
  } finally {
    await database.end();
  }
}

function shell(commands: string): void {
  execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env: {
      PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
      DATABASE_URL: own,
      DATABASE_ADMIN_URL: admin,
      PGOPTIONS: '--client-min-messages=warning',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

type Contents = ReadonlyMap<string, string>;

/** Of every table: how many rows, and what they say. */
async function contentsOf(url: string): Promise<Contents> {
  return withDatabase(url, async (database) => {
    const { rows: tables } = await database.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`,
    );
    const contents = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await database.query<{ has: string }>(
        `select count(*) || ' rows ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as has
           from ${name} t`,
      );
      contents.set(name, rows[0]?.has ?? '');
    }
    return contents;
  });
}

function rowsIn(contents: Contents): number {
  return [...contents.values()].reduce((sum, has) => sum + Number.parseInt(has, 10), 0);
}

function compare(name: string, before: Contents, now: Contents): void {
  for (const table of new Set([...before.keys(), ...now.keys()]))
    if (before.get(table) !== now.get(table))
      faults.push(`${name}.${table} had ${before.get(table)} and has ${now.get(table)}`);
}
