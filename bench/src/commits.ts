import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import type pg from 'pg';

import { SPECIFIED_NAMES, addDays, keyOfHold, scheduledSlots, toClinic } from '@clinic/domain';

import { DAYS, PROVIDERS, providerId, SEARCHED_AT, TEMPLATE } from '../reference-work.ts';
import type { BenchPatient } from './clinic.ts';
import { load, requestBytes } from './http-load.ts';
import { figure } from './report.ts';
import type { Figure, Row } from './report.ts';
import type { Serving } from './serving.ts';

const CLIENTS = 16;
const PGBENCH_SECONDS = 5;

interface Commits {
  readonly service: Serving;
  readonly databaseUrl: string;
  readonly client: pg.Client;
  readonly patients: readonly BenchPatient[];
}

/** Bookings through HTTP with 16 clients, and what the same database does for pgbench. */
export async function measureCommits(on: Commits): Promise<Row[]> {
  const { client, databaseUrl, patients, service } = on;
  const bookings = bookingsOf(patients);
  const half = Math.floor(bookings.length / 2);
  const create = await measured(on, bookings.slice(0, half), ({ create }) => ({ first: create() }));
  const both = await measured(on, bookings.slice(half), ({ hold, create }) => ({
    first: hold,
    second: (answer) => create(keyOfHold(holdIn(answer))),
  }));
  // Its jobs would take their part of the database.
  await service.stop();
  const limit = { what: "pgbench, create's rows", value: await pgbench(databaseUrl, client) };
  const name = `create, ${CLIENTS} clients, through HTTP`;
  return [
    { name, ours: create, limit: { what: 'aim', value: 1000 }, aim: 1 },
    { name, ours: create, limit, aim: 0.5 },
    { name: `hold and ${name}`, ours: both, limit, aim: 0.3 },
  ];
}

interface Booking {
  readonly hold: Buffer;
  readonly create: (key?: string) => Buffer;
}

/** Every patient books once, each a slot of their own on the days beside W. */
export function bookingsOf(patients: readonly BenchPatient[]): Booking[] {
  const dates = Array.from({ length: 60 }, (_, day) =>
    addDays(toClinic(SEARCHED_AT).date, day + 1),
  ).filter((date) => !DAYS.includes(date));
  // The rare type of the earliest search stands where each day has its last slot.
  const slots = dates.flatMap((date) =>
    scheduledSlots({ date, template: TEMPLATE }, SPECIFIED_NAMES).slice(0, -1),
  );
  return patients.map(({ token }, at) => {
    const slot = slots[Math.floor(at / PROVIDERS)];
    if (!slot) throw new Error('More patients than slots');
    const doctor = providerId(at % PROVIDERS);
    const asked = { start: slot.start, end: slot.end, doctor, selectedType: 'O' };
    const headers = { 'x-access-token': token, 'content-type': 'application/json' };
    const post = (path: string, body: object, more: Record<string, string> = {}) =>
      requestBytes('POST', path, { ...headers, ...more }, JSON.stringify(body));
    return {
      hold: post('/api/schedule/hold', asked),
      create: (key) =>
        post(
          '/api/schedule/create',
          { ...asked, reason: 'A cough that does not go away' },
          key === undefined ? {} : { 'idempotency-key': key },
        ),
    };
  });
}

function holdIn(answer: string): string {
  const { extras } = JSON.parse(answer) as { extras: { hold: { id: string } } };
  return extras.hold.id;
}

/** The requests of one booking, one after the other on the same connection. */
interface Requests {
  readonly first: Buffer;
  readonly second?: (answer: string) => Buffer;
}

/** Bookings a second, in three parts after a first fifth that is not counted. */
async function measured(
  { client, service }: Commits,
  bookings: readonly Booking[],
  requestsOf: (booking: Booking) => Requests,
): Promise<Figure> {
  const before = await booked(client);
  const todo = [...bookings];
  await book(service.port, todo.splice(0, Math.floor(todo.length / 5)), requestsOf);
  const rates: number[] = [];
  const third = Math.ceil(todo.length / 3);
  while (todo.length > 0) {
    const part = todo.splice(0, third);
    rates.push(part.length / (await book(service.port, part, requestsOf)));
  }
  if ((await booked(client)) !== before + bookings.length)
    throw new Error('Not every booking that was answered stands');
  await emailsSent(client);
  return figure('/s', rates);
}

/** The seconds that it takes. */
async function book(
  port: number,
  bookings: readonly Booking[],
  requestsOf: (booking: Booking) => Requests,
): Promise<number> {
  const todo = bookings.map(requestsOf);
  const following = new Map(todo.map(({ first, second }) => [first, second]));
  const { seconds, statuses } = await load({
    port,
    connections: CLIENTS,
    next: () => todo.pop()?.first ?? null,
    follow: (answer, request) => following.get(request)?.(answer) ?? null,
  });
  if (statuses.size !== 1 || !statuses.has(200))
    throw new Error(`Not every booking succeeded: ${JSON.stringify([...statuses])}`);
  return seconds;
}

async function booked(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from appointment where state = 'booked' and patient_id is not null`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Emails of what was booked before are not sent while the next is measured. One that failed is not waited for: it is
 * due at a time to which the clock of this service, which stands, never comes.
 */
async function emailsSent(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      'select from outbox where done_at_s is null and attempts = 0 limit 1',
    );
    if (rowCount === 0) return;
    await pause(100);
  }
}

/**
 * The rows of a booking in one transaction, as plain statements: lock the patient, count what they
 * have, then step, appointment, audit and outbox. No two clients want the same patient or slot.
 */
const SCRIPT = `
begin;
select p.id as patient, n % ${PROVIDERS} as provider, 2000000100 + n / ${PROVIDERS} * 300 as start
  from nextval('bench_booking') n
  join bench_patient b on b.at = n % :patients join patient p using (id) for no key update of p \\gset
select count(*) from appointment
 where patient_id = :patient and state in ('held', 'booked', 'registered');
insert into appointment_step values ('w' || lpad(:provider::text, 2, '0'), :start::bigint, gen_random_uuid())
  returning provider_id as doctor, appointment_id as appointment \\gset
insert into appointment (id, record_id, patient_id, provider_id, start_s, end_s, clinic_date, type, state,
    once_a_day, request_key, booking_number, answers_sealed, created_at_s, changed_at_s)
  values (:appointment::uuid, :patient::text, :patient::uuid, :doctor, :start::bigint, :start::bigint + 300,
    to_timestamp(:start::bigint)::date, 'O', 'booked', true, 'slot:' || :doctor || ':' || :start::text,
    upper(right(:appointment::text, 12)), decode(repeat('5a', 80), 'hex'), 0, 0);
insert into audit (at_s, actor, action, subject, details, mac)
  values (0, 'patient:' || :patient::text, 'appointment booked', 'appointment:' || :appointment::text,
    jsonb_build_object('provider', :doctor::text, 'start', :start::bigint, 'type', 'O'),
    sha256(:appointment::text::bytea));
insert into outbox (id, kind, payload, due_at_s)
  values (gen_random_uuid(), 'appointment-email',
    jsonb_build_object('event', 'booked', 'appointmentId', :appointment::text, 'sequence', 0), 4000000000);
commit;
`;

async function pgbench(databaseUrl: string, client: pg.Client): Promise<number> {
  await client.query('create sequence bench_booking');
  await client.query(
    `create table bench_patient as select row_number() over () - 1 as at, id from patient`,
  );
  await client.query(`create unique index on bench_patient (at)`);
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ patients: number }>(
    'select count(*)::int as patients from bench_patient',
  );
  const script = join(mkdtempSync(join(tmpdir(), 'clinic-bench-')), 'booking.sql');
  writeFileSync(script, SCRIPT);
  const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2'];
  const what = ['-D', `patients=${rows[0]?.patients}`, '-T', String(PGBENCH_SECONDS)];
  const { stdout } = await promisify(execFile)('pgbench', [
    ...how,
    ...what,
    '-f',
    script,
    databaseUrl,
  ]).catch((cause: unknown) => {
    throw new Error('There is no row without its limit: is pgbench on PATH?', { cause });
  });
  for (const [table, which] of Object.entries(WRITTEN)) await areAlike(client, table, which);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** What a booking writes, through HTTP without a hold and by pgbench. */
const WRITTEN = {
  appointment: `patient_id is not null and state = 'booked' and hold_placed_at_s is null`,
  audit: `action = 'appointment booked'`,
  outbox: `kind = 'appointment-email'`,
};

/** It is a limit only where its rows have the columns of ours. */
async function areAlike(client: pg.Client, table: string, which: string): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select distinct (select string_agg(key, ' ' order by key) from jsonb_each(to_jsonb(written))
                       where value <> 'null' and key not in ('chain', 'done_at_s')) as columns
       from ${table} written where ${which}`,
  );
  if (rows.length !== 1)
    throw new Error(`pgbench writes another ${table}: ${JSON.stringify(rows)}`);
}
