import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, toInstant } from '../clinic-time.ts';
import { NOW } from '../testing/index.ts';
import { dayRuler, dayTemplate, stepOfTime, stepStart } from './day-template.ts';
import {
  addStep,
  fits,
  instantsOf,
  keptBack,
  noSteps,
  releasedFrom,
  servedMinutes,
  slotCodeName,
  starts,
  stepAt,
  stretchesOf,
} from './free-starts.ts';
import type { LengthRules, SlotCodeRules } from './free-starts.ts';

const DAY = '2026-12-15';
const ORDINARY = dayRuler(DAY);
const timeOf = (step: number) =>
  `${String(Math.floor(step / 12)).padStart(2, '0')}:${String((step % 12) * 5).padStart(2, '0')}`;

const span = (from: string, to: string, code: string) => ({
  from: stepOfTime(from),
  to: stepOfTime(to),
  code,
});
type Span = ReturnType<typeof span>;
const maskOf = (...times: readonly string[]) => {
  const mask = noSteps();
  for (const time of times) addStep(mask, stepOfTime(time));
  return mask;
};

interface Case {
  readonly served?: Readonly<Record<string, number>>;
  readonly startEvery?: number | null;
  readonly taken?: readonly string[];
  readonly date?: string;
}
const stretchesFor = (
  spans: readonly Span[],
  { served = { O: 15 }, startEvery = null, date = DAY }: Case,
) => stretchesOf(dayTemplate(spans), new Map(Object.entries(served)), startEvery, dayRuler(date));
const startsOf = (spans: readonly Span[], given: Case = {}) =>
  starts(stretchesFor(spans, given), maskOf(...(given.taken ?? []))).map(({ step }) =>
    timeOf(step),
  );
const fitsAt = (time: string, spans: readonly Span[], given: Case = {}) =>
  fits(stretchesFor(spans, given), maskOf(...(given.taken ?? [])), stepOfTime(time));

const code = (over: Partial<SlotCodeRules>): SlotCodeRules => ({
  code: 'O',
  description: 'In person',
  types: ['O'],
  minutes: null,
  release: 'always',
  releaseAt: '00:00',
  ...over,
});
const rules = (over: Partial<LengthRules>): LengthRules => ({
  type: { code: 'O', minutes: 10 },
  codes: [code({}), code({ code: 'L', minutes: 30 })],
  pace: null,
  ...over,
});
const served = (over: Partial<LengthRules>) => [...servedMinutes(rules(over))];

describe('the length of an appointment (R-90)', () => {
  // Shows: R-90
  test("is the provider's minutes for the type, else the code's, else the type's", () => {
    expect(served({})).toEqual([
      ['O', 10],
      ['L', 30],
    ]);
    expect(served({ pace: { offers: true, minutes: 20 } })).toEqual([
      ['O', 20],
      ['L', 20],
    ]);
    expect(served({ pace: { offers: true, minutes: null } })).toEqual(served({}));
    expect(served({ pace: { offers: false, minutes: null } })).toEqual([]);
    expect(served({ type: { code: 'P', minutes: 5 } })).toEqual([]);
  });

  // Shows: R-90
  test('may reach across a change of code, not across a change of length', () => {
    const two = [span('08:00', '08:10', 'O'), span('08:10', '08:30', 'A')];
    expect(startsOf(two, { served: { O: 15, A: 15 } })).toEqual(['08:00', '08:15']);
    expect(startsOf(two, { served: { O: 15, A: 20 } })).toEqual(['08:10']);
    expect(fitsAt('08:05', two, { served: { O: 15, A: 15 } })).toBe(3);
    expect(fitsAt('08:05', two, { served: { O: 15, A: 20 } })).toBeNull();
  });
});

describe('when an appointment may start (R-91)', () => {
  const hour = [span('08:00', '09:15', 'O')];

  // Shows: R-91
  test('at the first step of a stretch, then every length', () => {
    expect(startsOf(hour)).toEqual(['08:00', '08:15', '08:30', '08:45', '09:00']);
  });

  // Shows: R-91
  test('or every so many minutes as are set', () => {
    expect(startsOf([span('08:00', '08:45', 'O')], { startEvery: 10 })).toEqual([
      '08:00',
      '08:10',
      '08:20',
      '08:30',
    ]);
    expect(startsOf([span('08:00', '09:00', 'O')], { startEvery: 30 })).toEqual(['08:00', '08:30']);
  });

  // Shows: R-91
  test('and at the first step after anything taken, where the whole length is free', () => {
    const taken = ['08:30', '08:35'];
    expect(startsOf(hour, { taken })).toEqual(['08:00', '08:15', '08:40', '08:45', '09:00']);
    expect(startsOf(hour, { taken: ['08:00'] })[0]).toBe('08:05');
    expect(startsOf(hour, { taken: ['09:05'] })).toEqual(['08:00', '08:15', '08:30', '08:45']);
  });

  // Shows: R-91
  test('each stretch is anchored to its own first step', () => {
    const two = [span('08:00', '08:20', 'O'), span('08:25', '09:00', 'O')];
    expect(startsOf(two)).toEqual(['08:00', '08:25', '08:40']);
  });

  // Shows: R-91
  test('what is taken hides starts and never moves the others', () => {
    const all = new Set(startsOf(hour));
    const anchored = startsOf(hour, { taken: ['08:20'] }).filter((time) => all.has(time));
    expect(anchored).toEqual(['08:00', '08:30', '08:45', '09:00']);
  });

  // Shows: R-91
  test('a hold may begin at any step at which the whole length fits', () => {
    expect([fitsAt('08:05', hour), fitsAt('09:00', hour), fitsAt('09:05', hour)]).toEqual([
      3,
      3,
      null,
    ]);
    expect(fitsAt('08:05', hour, { taken: ['08:15'] })).toBeNull();
    expect(fitsAt('07:55', hour)).toBeNull();
  });

  // Shows: R-91
  test('no appointment reaches beyond the day', () => {
    expect(startsOf([span('23:30', '24:00', 'O')], { served: { O: 20 } })).toEqual(['23:30']);
    expect(fitsAt('23:45', [span('23:30', '24:00', 'O')], { served: { O: 20 } })).toBeNull();
  });

  // Shows
  test('five minutes are the grid of the specification', () => {
    const spans = [span('08:00', '08:20', 'O')];
    expect(startsOf(spans, { served: { O: 5 }, taken: ['08:05'] })).toEqual([
      '08:00',
      '08:10',
      '08:15',
    ]);
  });

  test.each(['2026-03-08', '2025-11-02'])(
    'on %s none reaches across the change of the clocks',
    (date) => {
      const spans = [span('01:00', '04:00', 'O')];
      const given = { date, served: { O: 40 } };
      const ruler = dayRuler(date);
      const shown = starts(stretchesFor(spans, given), noSteps());
      for (const { step, steps } of shown) {
        const first = stepStart(ruler, step) ?? 0;
        const last = stepStart(ruler, step + steps - 1) ?? 0;
        expect(last - first).toBe((steps - 1) * 300);
      }
      const times = shown.map(({ step }) => timeOf(step));
      expect(times).toEqual(
        date === '2026-03-08' ? ['01:00', '03:00'] : ['01:00', '02:00', '02:40', '03:20'],
      );
    },
  );
});

describe('when a code is released (R-92)', () => {
  // Shows: R-92
  test('always, from Monday of its week on, or on the day itself', () => {
    const from = (release: SlotCodeRules['release'], releaseAt = '00:00') =>
      releasedFrom(code({ release, releaseAt }), DAY);
    expect(from('always')).toBeNull();
    expect(from('sameDay')).toBe(toInstant(DAY, '00:00'));
    expect(from('sameDay', '07:30')).toBe(toInstant(DAY, '07:30'));
    expect(from('sameWeek', '08:00')).toBe(toInstant('2026-12-14', '08:00'));
    expect(releasedFrom(code({ release: 'sameWeek' }), '2026-12-14')).toBe(
      toInstant('2026-12-14', '00:00'),
    );
  });

  // Shows
  test('before, it is as if booked: the release uncovers starts and moves none', () => {
    const codes = [code({}), code({ code: 'S', release: 'sameDay', releaseAt: '07:30' })];
    const spans = [
      span('08:00', '08:20', 'O'),
      span('08:20', '08:40', 'S'),
      span('08:40', '09:30', 'O'),
    ];
    const at = (now: number) => {
      const kept = keptBack(dayTemplate(spans), codes, DAY, now);
      const shown = starts(stretchesFor(spans, { served: { O: 15, S: 15 } }), kept);
      return shown.map(({ step }) => timeOf(step));
    };
    const release = toInstant(DAY, '07:30');
    expect(at(release)).toEqual(['08:00', '08:15', '08:30', '08:45', '09:00', '09:15']);
    expect(at(release - 1)).toEqual(['08:00', '08:40', '08:45', '09:00', '09:15']);
  });

  // Shows: R-92
  test('is said by its steps', () => {
    const kept = [code({ release: 'sameDay' }), code({ code: 'A' })];
    const template = dayTemplate([span('08:00', '08:10', 'O'), span('08:10', '08:20', 'A')]);
    expect(instantsOf(ORDINARY, keptBack(template, kept, DAY, NOW))).toEqual([
      toInstant(DAY, '08:00'),
      toInstant(DAY, '08:05'),
    ]);
  });
});

test('a code is called by the one type that it serves, or by itself', () => {
  expect(slotCodeName({ code: 'Q', types: ['PP'] })).toBe('PP');
  expect(slotCodeName({ code: 'A', types: ['V', 'D'] })).toBe('A');
  expect(slotCodeName({ code: 'Z', types: [] })).toBe('Z');
});

/** The rule said plainly, step by step. */
function naive(
  template: string,
  { served: lengths, startEvery, date }: Required<Omit<Case, 'taken'>>,
  taken: ReadonlySet<number>,
) {
  const ruler = dayRuler(date);
  const length = (step: number) =>
    stepStart(ruler, step) === null ? 0 : (lengths[template[step] ?? ''] ?? 0);
  const follows = (step: number) =>
    stepStart(ruler, step) === (stepStart(ruler, step - 1) ?? Number.NaN) + 300;
  const isJoined = (step: number) => length(step) === length(step - 1) && follows(step);
  const fit = (step: number) => {
    if (length(step) === 0) return null;
    const steps = length(step) / 5;
    for (let at = step; at < step + steps; at++)
      if (at > 287 || taken.has(at) || (at > step && !isJoined(at))) return null;
    return steps;
  };
  const firstOf = (step: number): number => (step > 0 && isJoined(step) ? firstOf(step - 1) : step);
  const steps = Array.from({ length: 288 }, (_, step) => step);
  return {
    fits: steps.map(fit),
    starts: steps.filter(
      (step) =>
        fit(step) !== null &&
        (((step - firstOf(step)) * 5) % (startEvery ?? length(step)) === 0 || taken.has(step - 1)),
    ),
  };
}

// Shows
test('fits and starts agree with the rule said plainly, on any day', () => {
  const minutes = fc.integer({ min: 1, max: 12 }).map((steps) => steps * 5);
  const spans = (least: number, most: number) =>
    fc.array(
      fc.tuple(fc.nat(287), fc.integer({ min: least, max: most }), fc.constantFrom('O', 'P', 'A')),
      { maxLength: 10 },
    );
  const date = fc.oneof(
    fc.nat(400).map((days) => addDays('2026-11-20', days)),
    fc.constantFrom('2026-03-08', '2025-11-02', '1990-04-01', '1990-10-28'),
  );
  const lengths = fc.record({ O: minutes, A: minutes }, { requiredKeys: [] });
  fc.assert(
    fc.property(
      date,
      spans(1, 60),
      lengths,
      fc.option(minutes),
      spans(1, 6),
      (on, work, drawn, startEvery, busy) => {
        const template = dayTemplate(
          work.map(([from, steps, of]) => ({ from, to: Math.min(288, from + steps), code: of })),
        );
        const taken = new Set(
          busy.flatMap(([from, steps]) =>
            Array.from({ length: steps }, (_, at) => from + at).filter((step) => step < 288),
          ),
        );
        const ruler = dayRuler(on);
        const mask = noSteps();
        for (const step of taken) addStep(mask, step);
        const stretches = stretchesOf(template, new Map(Object.entries(drawn)), startEvery, ruler);
        const plain = naive(template, { served: drawn, startEvery, date: on }, taken);
        expect(Array.from({ length: 288 }, (_, step) => fits(stretches, mask, step))).toEqual(
          plain.fits,
        );
        expect(starts(stretches, mask).map(({ step }) => step)).toEqual(plain.starts);
      },
    ),
    { numRuns: process.env.LONG === '1' ? 10_000 : 300 },
  );
});

test('a step and its instant name each other, on any day', () => {
  for (const date of [DAY, '2026-03-08', '2025-11-02', '1990-10-28']) {
    const ruler = dayRuler(date);
    for (let step = 0; step < 288; step++) {
      const at = stepStart(ruler, step);
      if (at !== null) expect(stepAt(ruler, at)).toBe(step);
    }
    expect([stepAt(ruler, ruler.start - 300), stepAt(ruler, ruler.start + 60)]).toEqual([
      null,
      null,
    ]);
  }
  const second = toInstant('2025-11-02', '01:00') + 3600;
  expect(stepAt(dayRuler('2025-11-02'), second)).toBeNull();
  expect(stepAt(ORDINARY, toInstant(DAY, '08:00'))).toBe(96);
});
