import { performance } from 'node:perf_hooks';

import { scheduleAnswer } from '../../apps/service/testing/schedule-answer.ts';
import { DAYS, FREE, referenceWork, TEMPLATE } from '../reference-work.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

const ROUNDS = 200;

/** W as the function that a request runs: from rows to the answer's text, each answer counted. */
export function measureSearchFunction(): Row[] {
  const work = referenceWork();
  const rows = work.map(({ providerId, date }) => ({ providerId, date, codes: TEMPLATE }));
  const taken = [...Map.groupBy(work, ({ providerId }) => providerId)].map(
    ([providerId, days]) => ({ providerId, starts: days.flatMap(({ booked }) => booked) }),
  );
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const answer = scheduleAnswer(DAYS, rows, taken);
    samples.push(performance.now() - began);
    const free = freeIn(answer);
    if (free !== FREE) throw new Error(`W has ${FREE} free slots, not ${free}`);
  }
  return [
    {
      name: 'answer to W as a function, cold',
      ours: figure('ms', samples.slice(0, 1)),
      limit: { what: 'aim', value: 20 },
      aim: 'under',
    },
    {
      name: 'answer to W as a function',
      ours: figure('ms', samples.slice(20)),
      limit: { what: 'aim', value: 2.5 },
      aim: 'under',
    },
  ];
}

interface Answer {
  readonly extras: readonly {
    readonly providers: readonly {
      readonly schedule: readonly unknown[];
      readonly booked: readonly unknown[];
    }[];
  }[];
}

function freeIn(text: string): number {
  const providers = (JSON.parse(text) as Answer).extras.flatMap((day) => day.providers);
  return providers.reduce((sum, { schedule, booked }) => sum + schedule.length - booked.length, 0);
}
