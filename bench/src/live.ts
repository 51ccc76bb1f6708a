import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import type { SlotChange } from '@clinic/contract';
import { SPECIFIED_NAMES, scheduledSlots } from '@clinic/domain';

import { listensAt } from '../../apps/service/testing/live-socket.ts';
import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';
import { TEMPLATE, providerId } from '../reference-work.ts';
import { OTHER_DAYS } from './clinic.ts';
import type { BenchPatient } from './clinic.ts';
import { figure, quantile } from './report.ts';
import type { Row } from './report.ts';
import { serving } from './serving.ts';
import type { Serving } from './serving.ts';

const ROUNDS = 60;
const UNCOUNTED = 10;
/** Longer than commits are gathered for: each is told of by itself. */
const BETWEEN_MS = 100;
const AIM_MS = 10;

interface Live {
  readonly databaseUrl: string;
  readonly options: ServiceOnOptions;
  readonly service: Serving;
  readonly patients: readonly BenchPatient[];
}

/** From the answer to a hold at one process until a browser at another one is told what was taken. */
export async function measureLive(on: Live): Promise<Row[]> {
  const [viewer, ...holders] = on.patients;
  const there = await serving({ kind: 'service', options: on.options });
  try {
    const socket = await listensAt(`http://127.0.0.1:${there.port}`, viewer?.token ?? '');
    const date = OTHER_DAYS[0] ?? '';
    const slots = scheduledSlots({ date, template: TEMPLATE }, SPECIFIED_NAMES);
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await pause(BETWEEN_MS);
      const { start, end } = slots[round] ?? { start: 0, end: 0 };
      const heard = once(socket as never, 'slots').then(
        ([said]) => [performance.now(), said as SlotChange[]] as const,
      );
      const { status } = await fetch(`http://127.0.0.1:${on.service.port}/api/schedule/hold`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-access-token': holders[round]?.token ?? '',
        },
        body: JSON.stringify({ start, end, doctor: providerId(0), selectedType: 'O' }),
      });
      const answeredAt = performance.now();
      const [heardAt, said] = await heard;
      if (status !== 200 || said[0]?.start !== start || said[0].state !== 'taken')
        throw new Error(
          `A hold was answered with ${status} and told of as ${JSON.stringify(said)}`,
        );
      samples.push(Math.max(0, heardAt - answeredAt));
    }
    socket.close();
    const alone = (await notifyAlone(on.databaseUrl)).toFixed(1);
    return [
      {
        name: 'live, from a commit to a browser of another process',
        ours: figure('ms', samples.slice(UNCOUNTED)),
        limit: { what: `aim (NOTIFY alone ${alone} ms)`, value: AIM_MS },
        aim: 'under',
      },
    ];
  } finally {
    await there.stop();
  }
}

/** Milliseconds from one connection to another, the median. */
async function notifyAlone(databaseUrl: string): Promise<number> {
  const [says, hears] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  await Promise.all([says.connect(), hears.connect()]);
  await hears.query('listen bench_live');
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await pause(BETWEEN_MS);
    const heard = once(hears, 'notification').then(() => performance.now());
    const saidAt = performance.now();
    await says.query(`select pg_notify('bench_live', '')`);
    samples.push((await heard) - saidAt);
  }
  await Promise.all([says.end(), hears.end()]);
  return quantile(samples.slice(UNCOUNTED), 0.5);
}
