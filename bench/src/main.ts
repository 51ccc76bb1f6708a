import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { startPostgresServer } from '../../apps/service/testing/postgres-server.ts';
import { ratesTimes } from '../../apps/service/testing/test-config.ts';
import { postgresTemplate } from '../../apps/service/testing/database-templates.ts';
import { SEARCHED_AT } from '../reference-work.ts';
import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';
import type { BenchPatient } from './clinic.ts';
import { giveHalfToEmr, seedHistory, seedPatients, seedWork, takeBackFromEmr } from './clinic.ts';
import { measureCommits } from './commits.ts';
import { measureDeskSheet } from './desk-sheet.ts';
import { measureEarliest, seedFullWindow } from './earliest.ts';
import { measureEmails } from './emails.ts';
import { measureEnumeration } from './enumeration.ts';
import { measureFindPatient } from './find-patient.ts';
import { measureFlood } from './flood.ts';
import { measureLive } from './live.ts';
import { measurePageWeight } from './page-weight.ts';
import { measurePages } from './pages.ts';
import { grouped, line, reached } from './report.ts';
import type { Figure, Row } from './report.ts';
import { measureSearchFunction } from './search-function.ts';
import { measureSearchOverHttp } from './search-http.ts';
import { measureSecondStart } from './second-start.ts';
import { serving } from './serving.ts';
import type { Serving } from './serving.ts';

const HISTORY = 100_000;
const LONG_HISTORY = 1_000_000;
const PATIENTS = 12_000;
const AFTER = `after ${grouped(LONG_HISTORY)} past bookings, beside none`;

const rows: Row[] = [];
function print(found: readonly Row[]): void {
  for (const row of found) console.log(line(row));
  rows.push(...found);
}

interface Measured {
  readonly databaseUrl: string;
  readonly client: pg.Client;
  readonly patients: readonly BenchPatient[];
  readonly options: ServiceOnOptions;
  readonly service: Serving;
}

/** With the service and W on a PostgreSQL server that has everything that makes it durable. */
async function onPostgres(measure: (on: Measured) => Promise<void>): Promise<void> {
  const server = await startPostgresServer({ durable: true });
  try {
    const databaseUrl = await server.createDatabase('bench', await postgresTemplate(server.url));
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await seedWork(client);
    await seedFullWindow(client);
    const patients = await seedPatients(client, PATIENTS);
    const keys = {
      current: 'bench',
      index: 'bench',
      keys: { bench: randomBytes(32).toString('base64') },
    };
    const config = { strictAnswers: false, practice: false };
    const options = { databaseUrl, keys, config, now: SEARCHED_AT, logLevel: 'info' as const };
    const service = await serving({ kind: 'service', options });
    try {
      await client.query('vacuum analyze');
      await measure({ databaseUrl, client, patients, options, service });
    } finally {
      await service.stop();
      await client.end();
    }
  } finally {
    await server.stop();
  }
}

async function measureService({ client, patients, options, service }: Measured): Promise<void> {
  const token = patients[0]?.token ?? '';
  const search = (type: string | null, history: number) =>
    measureSearchOverHttp(service.port, token, client, { type, history });
  const before = await search(null, 0);
  const ofType = await search('O', 0);
  print([...before.rows, ...ofType.rows]);
  await giveHalfToEmr(client);
  const withEmr = await search(null, 0);
  print([
    beside('search W, half of it booked in an EMR, beside none', withEmr.uncached, before.uncached),
  ]);
  await takeBackFromEmr(client);
  const earliest = await measureEarliest(service.port, token, client);
  print(earliest.rows);
  await seedHistory(client, HISTORY);
  print((await search(null, HISTORY)).rows);
  await seedHistory(client, LONG_HISTORY, HISTORY);
  const later = await search(null, LONG_HISTORY);
  const ofTypeLater = await search('O', LONG_HISTORY);
  const farther = await measureEarliest(service.port, token, client);
  print([
    beside(`search W ${AFTER}`, later.uncached, before.uncached),
    beside(`search W of a type ${AFTER}`, ofTypeLater.uncached, ofType.uncached),
    beside(`earliest ${AFTER}`, farther.farthest, earliest.farthest),
  ]);
  const limited = { ...options, config: { ...options.config, rates: ratesTimes(1) } };
  const careful = await serving({ kind: 'service', options: limited });
  try {
    print([await measureFlood(careful.port, patients)]);
  } finally {
    await careful.stop();
  }
}

async function measureBookings(on: Measured): Promise<void> {
  await seedHistory(on.client, HISTORY);
  print(await measureCommits(on));
}

/** A time beside the one of a service that has less to look through. */
function beside(name: string, after: Figure, before: Figure): Row {
  const ratio = after.median / before.median;
  return {
    name,
    ours: { unit: '×', median: ratio, p10: ratio, p90: ratio },
    limit: { what: 'aim', value: 1.2 },
    aim: 'under',
  };
}

console.log(
  `Node ${process.version}, tz ${process.versions.tz ?? 'unknown'}, ours · limit · ratio`,
);
const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  function: () => print(measureSearchFunction()),
  service: () => onPostgres(measureService),
  live: () => onPostgres(async (on) => print(await measureLive(on))),
  commits: () => onPostgres(measureBookings),
  emails: () =>
    onPostgres(async (on) => {
      // Another process of it would send its part of them nowhere.
      await on.service.stop();
      print(await measureEmails(on));
    }),
  enumeration: async () => print(await measureEnumeration()),
  weight: async () => print(await measurePageWeight()),
  pages: async () => print(await measurePages()),
  find: () =>
    onPostgres(async ({ service, client }) =>
      print(await measureFindPatient(service.port, client)),
    ),
  desk: () => onPostgres(async (on) => print(await measureDeskSheet(on))),
  start: async () => print(await measureSecondStart()),
};
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in parts));
if (unknown !== undefined)
  throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`);
for (const [name, measure] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) await measure();
const missed = rows.filter((row) => !reached(row));
console.log(`${rows.length - missed.length} of ${rows.length} aims reached`);
