import { performance } from 'node:perf_hooks';

import {
  SPECIFIED_CODES,
  dayRuler,
  fits,
  servedMinutes,
  starts,
  stretchesOf,
  takenSteps,
} from '@clinic/domain';

import { scheduleAnswer } from '../../apps/service/testing/schedule-answer.ts';
import { DAYS, FREE, referenceWork, SEARCHED_AT, TEMPLATE } from '../reference-work.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

const ROUNDS = 200;
const LENGTHS = [5, 15, 20];

const work = referenceWork();

/** W as the functions that a request runs. */
export function measureSearchFunction(): Row[] {
  return [...measureAnswer(), ...LENGTHS.map(measureStarts)];
}

/** From rows to the answer's text, each answer counted. */
function measureAnswer(): Row[] {
  const rows = work.map(({ providerId, date }) => ({ providerId, date, codes: TEMPLATE }));
  const taken = [...Map.groupBy(work, ({ providerId }) => providerId)].map(
    ([providerId, days]) => ({ providerId, starts: days.flatMap(({ booked }) => booked) }),
  );
  const lengths = { types: [], codes: SPECIFIED_CODES, paces: [] };
  const asked = { type: null, own: null, now: SEARCHED_AT };
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const answer = scheduleAnswer(DAYS, { rows, taken, lengths }, asked);
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

/** Where appointments of a length may start, from the masks of what is taken. */
function measureStarts(minutes: number): Row {
  const rulers = new Map(DAYS.map((date) => [date, dayRuler(date)]));
  const days = work.map(({ date, booked }) => {
    const ruler = rulers.get(date) ?? dayRuler(date);
    return { date, taken: takenSteps(ruler, booked) };
  });
  const rules = { type: { code: 'O', minutes }, codes: SPECIFIED_CODES, pace: null };
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const stretches = new Map(
      DAYS.map((date) => {
        const ruler = rulers.get(date) ?? dayRuler(date);
        return [date, stretchesOf(TEMPLATE, servedMinutes(rules), null, ruler)];
      }),
    );
    const found = days.map(({ date, taken }) => starts(stretches.get(date) ?? [], taken));
    samples.push(performance.now() - began);
    const count = found.reduce((sum, each) => sum + each.length, 0);
    const wrong = found.some((each, at) => {
      const day = days[at];
      return each.some(
        ({ step }) => day && fits(stretches.get(day.date) ?? [], day.taken, step) === null,
      );
    });
    if (wrong || count === 0 || (minutes === 5 && count !== FREE))
      throw new Error(`W has other free starts of ${minutes} minutes than ${count}`);
  }
  return {
    name: `free starts of W at ${minutes} minutes as a function`,
    ours: figure('ms', samples.slice(20)),
    limit: { what: 'aim', value: 1 },
    aim: 'under',
  };
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
