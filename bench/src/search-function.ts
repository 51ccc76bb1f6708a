import { performance } from 'node:perf_hooks';

import { SPECIFIED_CODES, fits, starts } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';

import {
  dayText,
  factsOfDays,
  stretchesOn,
  takenOn,
} from '../../apps/service/testing/schedule-answer.ts';
import { DAYS, FREE, referenceWork, SEARCHED_AT, TEMPLATE } from '../reference-work.ts';
import { figure } from './report.ts';
import type { Figure, Row } from './report.ts';

const ROUNDS = 200;
const LENGTHS = [5, 15, 20] as const;

const work = referenceWork();
const rows = work.map(({ providerId, date }) => ({ providerId, date, codes: TEMPLATE }));
const taken = [...Map.groupBy(work, ({ providerId }) => providerId)].map(([providerId, days]) => ({
  providerId,
  starts: days.flatMap(({ booked }) => booked),
}));
/** W's hours are all of one type. */
const TYPE = 'O';
const rowsOn = Map.groupBy(rows, ({ date }) => date);
const factsOf = (days: readonly ClinicDate[], minutes: number) =>
  factsOfDays(
    days,
    (date) => rowsOn.get(date) ?? [],
    { lengths: lengthsOf(minutes), taken, holds: [] },
    SEARCHED_AT,
  );
const lengthsOf = (minutes: number) => ({
  types: [{ code: TYPE, minutes, startEvery: null }],
  codes: SPECIFIED_CODES,
  paces: [],
});

/** W as the functions that a request runs. */
export function measureSearchFunction(): Row[] {
  return [
    row('answer to W as a function, cold', figure('ms', [measuredAnswer()]), 20),
    row('answer to W as a function', warm(measuredAnswer), 2.5),
    ...LENGTHS.map((minutes) =>
      row(
        `free starts of W at ${minutes} minutes as a function`,
        warm(() => measuredStarts(minutes)),
        1,
      ),
    ),
  ];
}

const row = (name: string, ours: Figure, value: number): Row => ({
  name,
  ours,
  limit: { what: 'aim', value },
  aim: 'under',
});
const warm = (measured: () => number) =>
  figure('ms', Array.from({ length: ROUNDS }, measured).slice(20));

/** From rows to the texts of the days, each answer counted. */
function measuredAnswer(): number {
  const asked = { providerId: null, type: null, own: null };
  const began = performance.now();
  const texts = factsOf(DAYS, 5).map((day) => dayText(day, asked));
  const time = performance.now() - began;
  expectFree(freeIn(texts), 5);
  return time;
}

/** Where appointments of a length may start, from rows and what is taken. */
function measuredStarts(minutes: number): number {
  const began = performance.now();
  const found = factsOf(DAYS, minutes).flatMap((day) =>
    day.rows.map((each) => {
      const stretches = stretchesOn(each, day.ruler, day.lengths, TYPE);
      const mask = takenOn(day, each, null);
      return { stretches, mask, starts: starts(stretches, mask) };
    }),
  );
  const time = performance.now() - began;
  for (const { stretches, mask, starts: shown } of found)
    if (shown.some(({ step }) => fits(stretches, mask, step) === null))
      throw new Error(`W has no room at a start of ${minutes} minutes`);
  expectFree(
    found.reduce((sum, { starts: shown }) => sum + shown.length, 0),
    minutes,
  );
  return time;
}

/** Starts of W by the length of an appointment. */
const STARTS: Readonly<Record<number, number>> = { 5: FREE, 15: 4_094, 20: 2_391 };

function expectFree(found: number, minutes: number) {
  const expected = STARTS[minutes];
  if (found !== expected)
    throw new Error(`W has ${expected} free starts of ${minutes} minutes, not ${found}`);
}

interface Day {
  readonly providers: readonly {
    readonly schedule: readonly unknown[];
    readonly booked: readonly unknown[];
  }[];
}

function freeIn(texts: readonly string[]): number {
  const providers = texts.flatMap((text) => (JSON.parse(text) as Day).providers);
  return providers.reduce((sum, { schedule, booked }) => sum + schedule.length - booked.length, 0);
}
