import { setTimeout as pause } from 'node:timers/promises';

import type pg from 'pg';

import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';
import { REPLIES, readMessage, smtpServer } from '../../apps/service/testing/smtp-server.ts';
import { SEARCHED_AT } from '../reference-work.ts';
import type { BenchPatient } from './clinic.ts';
import { bookingsOf } from './commits.ts';
import { load } from './http-load.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';
import { serving } from './serving.ts';

/** The most bookings that were measured on one machine (docs/performance.md). */
const A_SECOND = 107;
const SECONDS = 20;
const REPLY_MS = 100;

interface Emails {
  readonly client: pg.Client;
  readonly patients: readonly BenchPatient[];
  readonly options: ServiceOnOptions;
}

/**
 * How long the emails of bookings wait behind a mail server that takes a moment for each, and how fast
 * as many go out that all wait, as after an outage.
 */
export async function measureEmails({ client, patients, options }: Emails): Promise<Row[]> {
  const arrived = new Map<string, number>();
  const taken: string[] = [];
  const server = await smtpServer(async (asked, raw) => {
    if (asked !== 'text') return REPLIES[asked];
    await pause(REPLY_MS);
    const { to } = readMessage(raw);
    taken.push(to);
    arrived.set(to, performance.now());
    return REPLIES.text;
  });
  const count = A_SECOND * SECONDS;
  const allTaken = async (many: number) => {
    while (taken.length < many) await pause(10);
    await pause(1_000);
    if (taken.length !== many) throw new Error(`${taken.length} emails came in place of ${many}`);
  };
  const service = await serving({ kind: 'service', options: { ...options, smtpUrl: server.url } });
  try {
    const booked = bookingsOf(patients).slice(0, count);
    const askedAt = new Map<string, number>();
    for (let second = 0; second < SECONDS; second++) {
      const at = second * A_SECOND;
      const todo = booked.slice(at, at + A_SECOND).map(({ create }) => create());
      const now = performance.now();
      for (const { id } of patients.slice(at, at + A_SECOND)) askedAt.set(id, now);
      const [{ statuses }] = await Promise.all([
        load({ port: service.port, connections: 16, next: () => todo.pop() ?? null }),
        pause(1_000),
      ]);
      if (statuses.get(200) !== A_SECOND) throw new Error('Not every booking succeeded');
    }
    await allTaken(count);
    const waits = [...askedAt].map(
      ([id, at]) => (arrived.get(`${id}@bench.example`) ?? Number.NaN) - at,
    );
    const oldest = Math.max(...waits);
    const began = performance.now();
    await client.query(
      `insert into outbox (id, kind, payload, due_at_s)
       select gen_random_uuid(), kind, payload, $1 from outbox`,
      [SEARCHED_AT],
    );
    await allTaken(2 * count);
    const rate = count / ((Math.max(...arrived.values()) - began) / 1000);
    const of = `emails, ${REPLY_MS} ms each`;
    return [
      {
        name: `oldest of ${A_SECOND} ${of}, a second`,
        ours: { ...figure('ms', waits), median: oldest },
        limit: { what: 'aim', value: 60_000 },
        aim: 'under',
      },
      {
        name: `${count} ${of}, that all wait`,
        ours: { unit: '/s', median: rate, p10: rate, p90: rate },
        limit: { what: 'bookings a second', value: A_SECOND },
        aim: 1,
      },
    ];
  } finally {
    await service.stop();
    await server.close();
  }
}
