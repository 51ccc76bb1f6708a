import { gunzipSync } from 'node:zlib';

import type pg from 'pg';

import type { ClinicDate } from '@clinic/domain';

import { DAYS, FREE } from '../reference-work.ts';
import { load, requestBytes, sameUntil } from './http-load.ts';
import { figure, grouped, quantile } from './report.ts';
import type { Figure, Row } from './report.ts';
import { serving } from './serving.ts';

/** How many clients ask at once for what has not changed, and the part of a bare server's rate to reach. */
const UNCHANGED = [
  { clients: 1, aim: 0.25 },
  { clients: 16, aim: 0.5 },
  { clients: 64, aim: 0.65 },
] as const;
const SECONDS = 2;
/** In milliseconds, after a commit on one of the days; and once a template changed, so that all are read. */
const AIM = { everyStep: 7, ofType: 4, allDays: 15 } as const;
const ROUNDS = 60;

const PATH = `/api/doctors/schedule?from=${DAYS[0]}&to=${DAYS.at(-1)}&id=-1`;

/** What is searched for, after how many bookings of the past. */
interface Searched {
  /** Null for 5-minute steps; the app asks for a type. */
  readonly type: string | null;
  readonly history: number;
}

export interface SearchedOverHttp {
  readonly uncached: Figure;
  readonly rows: readonly Row[];
}

/** W over HTTP: after each change of the schedule, and unchanged beside a bare server. */
export async function measureSearchOverHttp(
  port: number,
  token: string,
  client: pg.Client,
  { type, history }: Searched,
): Promise<SearchedOverHttp> {
  const headers = { 'x-access-token': token, 'accept-encoding': 'gzip' };
  const path = type === null ? PATH : `${PATH}&type=${type}`;
  const request = requestBytes('GET', path, headers);
  const bytes = await checkedAnswer(port, path, headers);
  const after = history === 0 ? '' : `, after ${grouped(history)} bookings`;
  const what = type === null ? 'search W over HTTP' : 'search W of a type over HTTP';
  const afterEach = async (change: (round: number) => Promise<unknown>) => {
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await change(round);
      const sent = [request];
      const { latencies } = await load({ port, connections: 1, next: () => sent.pop() ?? null });
      samples.push(...latencies);
    }
    return figure('ms', samples.slice(10));
  };
  const row = (name: string, ours: Figure, value: number): Row => ({
    name,
    ours,
    limit: { what: 'aim', value },
    aim: 'under',
  });
  const uncached = await afterEach((round) => changeDay(client, DAYS[round % DAYS.length] ?? ''));
  const anew = await afterEach(() => changeTemplates(client));
  return {
    uncached,
    rows: [
      row(`${what}, one day changed${after}`, uncached, type === null ? AIM.everyStep : AIM.ofType),
      row(`${what}, every day changed${after}`, anew, AIM.allDays),
      ...(await unchangedBesideBare(port, request, bytes, { what, after })),
    ],
  };
}

async function unchangedBesideBare(
  port: number,
  request: Buffer,
  bytes: Buffer,
  { what, after }: { readonly what: string; readonly after: string },
): Promise<Row[]> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' };
  const bare = await serving({ kind: 'bare', headers, bytes: bytes.toString('base64') });
  const rate = async (at: number, clients: number) => {
    const next = sameUntil(request, SECONDS / 2);
    return (await load({ port: at, connections: clients, next })).perSecond;
  };
  const rows: Row[] = [];
  try {
    for (const { clients, aim } of UNCHANGED) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < 4; round++) {
        ours.push(await rate(port, clients));
        theirs.push(await rate(bare.port, clients));
      }
      rows.push({
        name: `${what}, unchanged, ${clients} client${clients === 1 ? '' : 's'}${after}`,
        ours: figure('/s', ours.slice(1)),
        limit: { what: 'bare node:http, same bytes', value: quantile(theirs.slice(1), 0.5) },
        aim,
      });
    }
    return rows;
  } finally {
    await bare.stop();
  }
}

/** A commit that touches one day and leaves its slots as they are. */
export async function changeDay(client: pg.Client, day: ClinicDate): Promise<void> {
  const { rowCount } = await client.query(
    `update appointment set state = state where id in
       (select id from appointment where clinic_date = $1 and state = 'booked' limit 1)`,
    [day],
  );
  if (rowCount !== 1) throw new Error(`No appointment to touch on ${day}`);
}

/** What a change of a template, a provider or a type does: nothing that was read before counts. */
const changeTemplates = (client: pg.Client) =>
  client.query(`update schedule_version set changed_xid = pg_current_xact_id()`);

interface Answer {
  readonly extras: readonly {
    readonly providers: readonly {
      readonly schedule: readonly unknown[];
      readonly booked: readonly unknown[];
    }[];
  }[];
}

/** A time counts only if the answer is right. */
async function checkedAnswer(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<Buffer> {
  const { request } = await import('node:http');
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
    })
      .on('error', reject)
      .end();
  });
  const { extras } = JSON.parse(gunzipSync(bytes).toString()) as Answer;
  const providers = extras.flatMap((day) => day.providers);
  const free = providers.reduce(
    (sum, { schedule, booked }) => sum + schedule.length - booked.length,
    0,
  );
  if (free !== FREE) throw new Error(`W has ${FREE} free slots, the answer has ${free}`);
  return bytes;
}
