import { performance } from 'node:perf_hooks';

import type pg from 'pg';

import { STEP_SECONDS, addDays, stepOfTime, toClinic, toInstant } from '@clinic/domain';

import { DAYS, PROVIDERS, SEARCHED_AT, providerId } from '../reference-work.ts';
import { OTHER_DAYS, insertAppointments } from './clinic.ts';
import { load, requestBytes } from './http-load.ts';
import { figure } from './report.ts';
import type { Figure, Row } from './report.ts';
import { changeDay } from './search-http.ts';

const ROUNDS = 60;
const WARM = 10;

const FIRST_DAY = toClinic(SEARCHED_AT).date;
const LAST_DAY = addDays(FIRST_DAY, 90);
/** The only free slot of type P. */
const ONLY = { doctor: providerId(PROVIDERS - 1), start: toInstant(LAST_DAY, '17:55') };

/** One slot of type P a day and provider, all of them taken but the very last: no search is longer. */
export async function seedFullWindow(client: pg.Client): Promise<void> {
  const step = stepOfTime('17:55');
  await client.query(`insert into appointment_type values ('P', 'Phone', 2, false, false, false)`);
  await client.query(`insert into fee_policy values ('P', 'E', '2020-01-01', 0, null)`);
  await client.query(
    `update schedule_day set codes = overlay(codes placing 'P' from $2 for 1)
      where clinic_date = any($1::date[])`,
    [OTHER_DAYS, step + 1],
  );
  const slots = OTHER_DAYS.flatMap((date) =>
    Array.from({ length: PROVIDERS }, (_, provider) => ({
      provider: providerId(provider),
      date,
      start: toInstant(date, '17:55'),
    })),
  );
  await insertAppointments(
    client,
    slots.filter(({ provider, date }) => provider !== ONLY.doctor || date !== LAST_DAY),
  );
}

export interface MeasuredEarliest {
  /** To the window's last day. */
  readonly farthest: Figure;
  readonly rows: readonly Row[];
}

/**
 * The earliest time over HTTP, near and far, each after a commit in the window, beside the one statement
 * that decides it.
 */
export async function measureEarliest(
  port: number,
  token: string,
  client: pg.Client,
): Promise<MeasuredEarliest> {
  const answer = await fetch(`http://127.0.0.1:${port}${pathOf('P')}`, {
    headers: { 'x-access-token': token },
  });
  const { extras } = (await answer.json()) as { extras: { slot: unknown } };
  const expected = JSON.stringify({ ...ONLY, end: ONLY.start + STEP_SECONDS });
  if (JSON.stringify(extras.slot) !== expected)
    throw new Error(`The earliest is ${expected}, the answer ${JSON.stringify(extras.slot)}`);
  const near: number[] = [];
  const far: number[] = [];
  const statement: number[] = [];
  // In turn, so that what slows the machine down slows all of them down.
  for (let round = 0; round < ROUNDS; round++) {
    await changeDay(client, DAYS[round % DAYS.length] ?? '');
    near.push(await ask(port, token, 'O'));
    await changeDay(client, DAYS[(round + 1) % DAYS.length] ?? '');
    far.push(await ask(port, token, 'P'));
    statement.push(await decideInSql(client));
  }
  const farthest = figure('ms', far.slice(WARM));
  const limit = {
    what: 'the one statement that decides it',
    value: figure('ms', statement.slice(WARM)).median,
  };
  const row = (name: string, ours: Figure): Row => ({ name, ours, limit, aim: 'under' });
  return {
    farthest,
    rows: [
      row('earliest over HTTP, free tomorrow', figure('ms', near.slice(WARM))),
      row('earliest over HTTP, free on the last of 90 days', farthest),
    ],
  };
}

const pathOf = (type: string) => `/api/doctors/earliest?type=${type}&id=-1`;

async function ask(port: number, token: string, type: string): Promise<number> {
  const sent = [requestBytes('GET', pathOf(type), { 'x-access-token': token })];
  const { latencies } = await load({ port, connections: 1, next: () => sent.pop() ?? null });
  return latencies[0] ?? Number.NaN;
}

/** The first step of type P that nobody has: a code stands once in a template here, and clocks do not change. */
async function decideInSql(client: pg.Client): Promise<number> {
  const began = performance.now();
  const { rows } = await client.query<{ doctor: string; start: string }>({
    name: 'earliest',
    text: `select d.provider_id as doctor, d.start::text
             from (select provider_id, clinic_date,
                          $3::bigint + (clinic_date - $1::date) * 86400
                            + (strpos(codes, 'P') - 1) * $4::bigint as start
                     from schedule_day
                    where clinic_date between $1::date and $2::date and strpos(codes, 'P') > 0) d
            where not exists (select 1 from appointment_step s
                               where s.provider_id = d.provider_id and s.step_start_s = d.start)
            order by d.start, d.provider_id limit 1`,
    values: [FIRST_DAY, LAST_DAY, toInstant(FIRST_DAY, '00:00'), STEP_SECONDS],
  });
  const found = { doctor: rows[0]?.doctor, start: Number(rows[0]?.start) };
  if (JSON.stringify(found) !== JSON.stringify(ONLY))
    throw new Error(`The statement decided for ${JSON.stringify(found)}`);
  return performance.now() - began;
}
