import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type pg from 'pg';

import { SPECIFIED_NAMES, addDays, scheduledSlots, toClinic } from '@clinic/domain';

import { DAYS, PROVIDERS, providerId, SEARCHED_AT, TEMPLATE } from '../reference-work.ts';
import type { BenchPatient } from './clinic.ts';
import { load, requestBytes } from './http-load.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

const CLIENTS = 16;
const PGBENCH_SECONDS = 5;

/** Every patient books once, each a slot of their own on the days beside W. */
function bookings(patients: readonly BenchPatient[]): Buffer[] {
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
    const body = JSON.stringify({
      start: slot.start,
      end: slot.end,
      doctor: providerId(at % PROVIDERS),
      selectedType: 'O',
      reason: 'A cough that does not go away',
    });
    const headers = { 'x-access-token': token, 'content-type': 'application/json' };
    return requestBytes('POST', '/api/schedule/create', headers, body);
  });
}

/** Bookings through HTTP with 16 clients, and what the same database does for pgbench. */
export async function measureCommits(
  port: number,
  databaseUrl: string,
  patients: readonly BenchPatient[],
  client: pg.Client,
): Promise<Row[]> {
  const requests = bookings(patients);
  const warmUp = requests.splice(0, Math.floor(requests.length / 5));
  await load({ port, connections: CLIENTS, next: () => warmUp.pop() ?? null });
  const rates: number[] = [];
  const third = Math.ceil(requests.length / 3);
  while (requests.length > 0) {
    const part = requests.splice(0, third);
    const { perSecond, statuses } = await load({
      port,
      connections: CLIENTS,
      next: () => part.pop() ?? null,
    });
    if (statuses.size !== 1 || !statuses.has(200))
      throw new Error(`Not every booking succeeded: ${JSON.stringify([...statuses])}`);
    rates.push(perSecond);
  }
  const name = `booking commits, ${CLIENTS} clients, through HTTP`;
  const ours = figure('/s', rates);
  const limit = await pgbench(databaseUrl, client);
  return [
    { name, ours, limit: { what: 'aim', value: 1000 }, aim: 1 },
    { name, ours, limit: { what: 'pgbench, 6 statements', value: limit }, aim: 0.5 },
  ];
}

/** A booking as six plain statements, as a yardstick: lock, count, step, appointment. */
const SCRIPT = `
\\set n random(1, 1000)
begin;
select id from patient where id = (select id from bench_patient where n = :n) for no key update;
select count(*) from appointment where record_id = 'bench' and id = (select id from bench_patient where n = :n);
insert into appointment_step values ('pgbench', nextval('bench_slot') * 300, gen_random_uuid());
insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, state, created_at_s, changed_at_s)
  values (gen_random_uuid(), 'bench', 'pgbench', currval('bench_slot') * 300, currval('bench_slot') * 300 + 300, '2020-01-01', 'O', 'booked', 0, 0);
commit;
`;

async function pgbench(databaseUrl: string, client: pg.Client): Promise<number> {
  await client.query(`create sequence bench_slot start 20000000`);
  await client.query(
    `create table bench_patient as
       select row_number() over ()::int as n, id from patient limit 1000`,
  );
  await client.query(`create unique index on bench_patient (n)`);
  const script = join(mkdtempSync(join(tmpdir(), 'clinic-bench-')), 'booking.sql');
  writeFileSync(script, SCRIPT);
  const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2'];
  const what = ['-T', String(PGBENCH_SECONDS), '-f', script, databaseUrl];
  const { stdout } = await promisify(execFile)('pgbench', [...how, ...what]).catch(
    (cause: unknown) => {
      throw new Error('There is no row without its limit: is pgbench on PATH?', { cause });
    },
  );
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
