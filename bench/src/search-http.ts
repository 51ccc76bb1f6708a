import { gunzipSync } from 'node:zlib';

import type pg from 'pg';

import { DAYS, FREE } from '../reference-work.ts';
import { load, requestBytes, sameUntil } from './http-load.ts';
import { figure, grouped, quantile } from './report.ts';
import type { Figure, Row } from './report.ts';
import { serving } from './serving.ts';

const CONNECTIONS = 64;
const SECONDS = 4;
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
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await changeSchedule(client, round);
    const sent = [request];
    const { latencies } = await load({ port, connections: 1, next: () => sent.pop() ?? null });
    samples.push(...latencies);
  }
  const uncached = figure('ms', samples.slice(10));
  const after = history === 0 ? '' : `, after ${grouped(history)} bookings`;
  const what = type === null ? 'search W over HTTP' : 'search W of a type over HTTP';
  return {
    uncached,
    rows: [
      {
        name: `${what}, uncached${after}`,
        ours: uncached,
        limit: { what: 'aim', value: 15 },
        aim: 'under',
      },
      await unchangedBesideBare(port, request, bytes, { what, after }),
    ],
  };
}

async function unchangedBesideBare(
  port: number,
  request: Buffer,
  bytes: Buffer,
  { what, after }: { readonly what: string; readonly after: string },
): Promise<Row> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' };
  const bare = await serving({ kind: 'bare', headers, bytes: bytes.toString('base64') });
  const rate = async (at: number, seconds = SECONDS / 2) => {
    const next = sameUntil(request, seconds);
    return (await load({ port: at, connections: CONNECTIONS, next })).perSecond;
  };
  try {
    await rate(port, 1);
    await rate(bare.port, 1);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 3; round++) {
      ours.push(await rate(port));
      theirs.push(await rate(bare.port));
    }
    return {
      name: `${what}, unchanged, ${CONNECTIONS} clients${after}`,
      ours: figure('/s', ours),
      limit: { what: 'bare node:http, same bytes', value: quantile(theirs, 0.5) },
      aim: 0.5,
    };
  } finally {
    await bare.stop();
  }
}

/** A commit that touches one day of W and leaves its slots as they are. */
async function changeSchedule(client: pg.Client, round: number): Promise<void> {
  await client.query(
    `update appointment set state = state where id in
       (select id from appointment where clinic_date = $1 and state = 'booked' limit 1)`,
    [DAYS[round % DAYS.length]],
  );
}

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
