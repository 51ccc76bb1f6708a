import { setTimeout as pause } from 'node:timers/promises';

import type { InjectOptions } from 'light-my-request';
import fc from 'fast-check';

import { everyCall } from '../../apps/service/tests/every-call.ts';
import { valuesOf } from '../../apps/service/tests/fuzz/valid-values.ts';
import { PARTS, shapeOf } from '../../apps/service/tests/places.ts';
import { requestOf } from '../../apps/service/testing/ask.ts';
import { DAYS } from '../reference-work.ts';
import type { BenchPatient } from './clinic.ts';
import { load, requestBytes } from './http-load.ts';
import { quantile } from './report.ts';
import type { Figure, Row } from './report.ts';

/** To each call of the contract, one after the other, from one account. */
const FLOOD = 2_000;
const FLOODING_CONNECTIONS = 4;
const OTHERS = 8;
const THINKING_MS = 20;
const QUIET_MS = 5_000;
const SEED = 20_261_121;

type Call = (typeof everyCall)[number];

/** What other patients wait for while one account floods every call, beside the same without it. */
export async function measureFlood(port: number, patients: readonly BenchPatient[]): Promise<Row> {
  const [flooder, ...rest] = patients;
  if (flooder === undefined) throw new Error('Nobody floods');
  const others = rest.slice(0, OTHERS);
  await watched(port, others, pause(QUIET_MS / 5));
  const quiet = await watched(port, others, pause(QUIET_MS));
  const limited: Call[] = [];
  const flooded = await watched(port, others, flood(port, flooder, limited));
  const missing = everyCall.filter((call) => !limited.includes(call)).map(({ id }) => id);
  // Whoever has signed out is refused with 401 before anything is counted.
  const unlimited = missing.filter((id) => id !== 'logout' && id !== 'endSessions');
  if (unlimited.length > 0) throw new Error(`No 429 from ${unlimited.join(', ')}`);
  const p95 = (samples: readonly number[]): Figure => {
    const at = quantile(samples, 0.95);
    return { unit: 'ms', median: at, p10: at, p90: at };
  };
  return {
    name: `others' p95 while ${everyCall.length} × ${FLOOD} requests come`,
    ours: p95(flooded),
    limit: { what: '2 × quiet', value: 2 * quantile(quiet, 0.95) },
    aim: 'under',
  };
}

/** How long patients who click now and then wait until `over`, in milliseconds. */
async function watched(
  port: number,
  patients: readonly BenchPatient[],
  over: Promise<unknown>,
): Promise<number[]> {
  const until = { over: false };
  const latencies: number[] = [];
  const watch = async ({ token }: BenchPatient) => {
    const headers = { 'x-access-token': token };
    const paths = [
      '/api/me/appointments',
      `/api/doctors/schedule?from=${DAYS[0]}&to=${DAYS.at(-1)}&id=-1`,
      '/api/schedule/hold',
    ];
    for (let click = 0; !until.over; click++) {
      const path = paths[click % paths.length] ?? '';
      const sent = [requestBytes('GET', path, { ...headers, 'accept-encoding': 'gzip' })];
      const result = await load({ port, connections: 1, next: () => sent.pop() ?? null });
      latencies.push(...result.latencies);
      await pause(THINKING_MS);
    }
  };
  const watching = patients.map(watch);
  await over;
  until.over = true;
  await Promise.all(watching);
  return latencies;
}

async function flood(port: number, { token }: BenchPatient, limited: Call[]): Promise<void> {
  // What ends the session comes last.
  const ending = (call: Call) => (call.id === 'logout' || call.id === 'endSessions' ? 1 : 0);
  for (const call of [...everyCall].sort((one, other) => ending(one) - ending(other))) {
    const request = smallest(call, token);
    let left = FLOOD;
    const next = () => (left-- > 0 ? request : null);
    const { statuses } = await load({ port, connections: FLOODING_CONNECTIONS, next });
    if (statuses.has(429)) limited.push(call);
  }
}

/** A request that the contract takes. */
function smallest(call: Call, token: string): Buffer {
  const parts = PARTS.flatMap((part) => {
    const shape = shapeOf(call, part);
    if (shape === null) return [];
    const [value] = fc.sample(valuesOf(shape, { texts: ['101'], numbers: [] }), {
      numRuns: 1,
      seed: SEED,
    });
    return [[part, value] as const];
  });
  const { method, url, headers, payload }: InjectOptions = requestOf(call.id, {
    ...Object.fromEntries(parts),
    token,
  });
  const isJson = payload !== undefined && !Buffer.isBuffer(payload);
  const body = isJson ? JSON.stringify(payload) : (payload?.toString() ?? '');
  return requestBytes(
    method ?? 'GET',
    typeof url === 'string' ? url : '',
    {
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [
          name,
          String(value).replace(/[^\x20-\x7e]/g, '?'),
        ]),
      ),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    body,
  );
}
