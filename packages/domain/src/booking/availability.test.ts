import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { TYPE_CODES, NOW } from '../testing/index.ts';
import { SLOT_CODES, slotServes } from './appointment-type.ts';
import {
  STEPS_PER_DAY,
  dateBounds,
  dayRuler,
  dayTemplate,
  earliestFree,
  isInsideWindow,
  scheduledSlots,
  slotCodeAt,
  stepOfTime,
  stepStart,
} from './availability.ts';
import type { ProviderDay } from './availability.ts';

describe('the booking window (R-13)', () => {
  // Shows: 5.choose-type.4, R-13
  test('the picker starts today until 18:59:59 and tomorrow from 19:00:00 on', () => {
    const seven = toInstant('2026-11-21', '19:00');
    expect(dateBounds(seven - 1)).toEqual({
      today: '2026-11-21',
      min: '2026-11-21',
      max: '2027-02-19',
    });
    expect(dateBounds(seven)).toEqual({
      today: '2026-11-21',
      min: '2026-11-22',
      max: '2027-02-19',
    });
  });

  test('at midnight today moves on', () => {
    expect(dateBounds(startOfDay('2026-11-22')).min).toBe('2026-11-22');
    expect(dateBounds(startOfDay('2026-11-22') - 1).today).toBe('2026-11-21');
  });

  // Shows: 9.window.1, R-13
  test('the last bookable second is the last of the clinic day today + 90', () => {
    const now = toInstant('2026-11-21', '09:00');
    expect(isInsideWindow(toInstant('2027-02-19', '23:55'), now)).toBe(true);
    expect(isInsideWindow(startOfDay('2027-02-20') - 1, now)).toBe(true);
    expect(isInsideWindow(startOfDay('2027-02-20'), now)).toBe(false);
  });

  test('a start is inside exactly while its clinic date is', () => {
    const now = fc.integer({ min: startOfDay('2000-01-01'), max: startOfDay('2035-12-31') });
    fc.assert(
      fc.property(now, fc.integer({ min: 88 * 86_400, max: 92 * 86_400 }), (at, ahead) => {
        const inside = toClinic(at + ahead).date <= addDays(toClinic(at).date, 90);
        expect(isInsideWindow(at + ahead, at)).toBe(inside);
      }),
    );
  });
});

const changeDays = ['1990-04-01', '1990-10-28', '2006-04-02', '2025-11-02', '2026-03-08'];
const timeOfStep = (step: number) =>
  `${String(Math.floor(step / 12)).padStart(2, '0')}:${String((step % 12) * 5).padStart(2, '0')}`;
const anyDate = fc.integer({ min: 0, max: 25_000 }).map((days) => addDays('1970-01-01', days));

describe('steps of a clinic day', () => {
  test('13:00 is step 156, 23:55 the last, and 24:00 ends the day', () => {
    expect([stepOfTime('00:00'), stepOfTime('13:00'), stepOfTime('23:55')]).toEqual([0, 156, 287]);
    expect(stepOfTime('24:00')).toBe(STEPS_PER_DAY);
  });

  test('step 156 of 2026-12-15 starts at 20:00Z', () => {
    expect(stepStart(dayRuler('2026-12-15'), 156)).toBe(toInstant('2026-12-15', '13:00'));
  });

  test.each([...changeDays, '2026-11-01', '2026-12-15', '2027-03-14'])(
    'on %s each step starts when its wall time does',
    (date) => {
      const ruler = dayRuler(date);
      for (let step = 0; step < STEPS_PER_DAY; step++) {
        const time = timeOfStep(step);
        const instant = toInstant(date, time);
        const wasOnTheClock = toClinic(instant).time === time;
        expect(stepStart(ruler, step)).toBe(wasOnTheClock ? instant : null);
      }
    },
  );

  test('the hour that the clocks skipped has no steps, the one that came twice has one set', () => {
    const missing = (date: string) =>
      Array.from({ length: STEPS_PER_DAY }, (_, step) => step).filter(
        (step) => stepStart(dayRuler(date), step) === null,
      );
    expect(missing('2026-03-08')).toEqual([24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
    expect(missing('2025-11-02')).toEqual([]);
    expect(missing('2026-11-01')).toEqual([]);
  });

  test.each(changeDays)(
    'on %s the template gives each start its code, and no other second',
    (date) => {
      const codes = SLOT_CODES.map((code, at) => ({ from: at, to: at + 1, code }));
      const day = Array.from({ length: 288 / SLOT_CODES.length }, (_, round) => round);
      const template = day.map(() => dayTemplate(codes).slice(0, SLOT_CODES.length)).join('');
      expect(template).toHaveLength(288);
      for (let step = 0; step < STEPS_PER_DAY; step++) {
        const start = stepStart(dayRuler(date), step);
        if (start === null) continue;
        expect(slotCodeAt(template, start)).toBe(SLOT_CODES[step % SLOT_CODES.length]);
        expect([slotCodeAt(template, start + 1), slotCodeAt(template, start + 299)]).toEqual([
          null,
          null,
        ]);
      }
    },
  );

  test('the second of two equal hours has no slots', () => {
    const allDay = dayTemplate([{ from: 0, to: 288, code: 'P' }]);
    const secondHour = toInstant('2025-11-02', '01:00') + 3600;
    const atEnds = [secondHour - 300, secondHour, secondHour + 3300, secondHour + 3600];
    expect(atEnds.map((at) => slotCodeAt(allDay, at))).toEqual(['P', null, null, 'P']);
  });

  // Shows: 9.window.1, R-16
  test('starts lie on the 5-minute grid (R-16)', () => {
    const allDay = dayTemplate([{ from: 0, to: 288, code: 'P' }]);
    const starts = [NOW, NOW + 60, NOW + 299, NOW + 300];
    expect(starts.map((at) => slotCodeAt(allDay, at))).toEqual(['P', null, null, 'P']);
  });

  test('the way from a step to its instant and back gives the step', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyDate, fc.constantFrom(...changeDays)),
        fc.nat(287),
        fc.nat(299),
        (date, step, within) => {
          const start = stepStart(dayRuler(date), step);
          fc.pre(start !== null);
          const template = dayTemplate([{ from: step, to: step + 1, code: 'P' }]);
          expect(slotCodeAt(template, start + within)).toBe(within === 0 ? 'P' : null);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

const morning = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('08:15'), code: 'O' }]);
const DAY = '2026-12-15';
const day = (over: Partial<ProviderDay> = {}): ProviderDay => ({
  doctor: '101',
  template: morning,
  isTaken: () => false,
  ...over,
});
const at = (time: string, date = DAY) => toInstant(date, time);

describe('day templates', () => {
  test('PP is written Q, and no work is _', () => {
    const template = dayTemplate([
      { from: 0, to: 2, code: 'PP' },
      { from: 1, to: 2, code: 'A' },
    ]);
    expect(template.slice(0, 4)).toBe('QA__');
    expect(template).toHaveLength(288);
    const codes = [0, 1, 2].map((step) => slotCodeAt(template, startOfDay(DAY) + step * 300));
    expect(codes).toEqual(['PP', 'A', null]);
  });

  test.each(['', '_'.repeat(288), 'F'.repeat(288), 'x'.repeat(288)])('%s has no slot', (text) => {
    expect(scheduledSlots({ date: DAY, template: text })).toEqual([]);
    expect(slotCodeAt(text, at('08:00'))).toBeNull();
  });
});

describe('free = steps − taken (R-12, R-13, R-20)', () => {
  const taken =
    (...times: string[]) =>
    (start: number) =>
      times.some((time) => at(time) === start);
  const earliest = (one: ProviderDay, { date = DAY, now = NOW } = {}) =>
    earliestFree(date, [one], 'O', now)?.start ?? null;

  test('a start that somebody has is not free, nor one of another type', () => {
    expect(earliest(day({ isTaken: taken('08:00') }))).toBe(at('08:05'));
    expect(earliest(day({ isTaken: taken('08:00', '08:10') }))).toBe(at('08:05'));
    expect(earliest(day({ isTaken: taken('08:00', '08:05', '08:10') }))).toBeNull();
    expect(earliestFree(DAY, [day()], 'P', NOW)).toBeNull();
  });

  test('a start that is taken on another day is free on this one', () => {
    expect(earliest(day({ isTaken: (start) => start === at('08:00', '2026-12-16') }))).toBe(
      at('08:00'),
    );
  });

  test('a start exactly 30 minutes ahead is left out', () => {
    expect(earliest(day(), { now: at('07:30') - 1 })).toBe(at('08:00'));
    expect(earliest(day(), { now: at('07:30') })).toBe(at('08:05'));
  });

  test('nothing is found after the clinic day today + 90', () => {
    expect(earliest(day(), { date: '2027-02-19' })).toBe(at('08:00', '2027-02-19'));
    expect(earliest(day(), { date: '2027-02-20' })).toBeNull();
  });

  test('the earliest start wins, and at the same instant the first row', () => {
    const later = day({ doctor: '102', isTaken: taken('08:00') });
    const same = day({ doctor: '104' });
    expect(earliestFree(DAY, [later, day(), same], 'O', NOW)).toEqual({
      doctor: '101',
      start: at('08:00'),
    });
    expect(earliestFree(DAY, [later], 'O', NOW)?.start).toBe(at('08:05'));
    expect(earliestFree(DAY, [day()], 'D', NOW)).toBeNull();
    expect(earliestFree(DAY, [day()], 'F', NOW)).toBeNull();
    expect(earliestFree(DAY, [], 'O', NOW)).toBeNull();
  });

  // Shows: 3.slot.1
  test('the schedule lists every slot of a day with its code and length', () => {
    const { length, 0: first } = scheduledSlots({ date: DAY, template: morning });
    expect(first).toEqual({ code: 'O', start: at('08:00'), end: at('08:05') });
    expect(length).toBe(3);
  });

  test('the schedule starts at midnight when the template does and knows the skipped hour', () => {
    const allDay = dayTemplate([{ from: 0, to: 288, code: 'P' }]);
    const ordinary = scheduledSlots({ date: DAY, template: allDay });
    expect([ordinary.length, ordinary[0]?.start]).toEqual([288, startOfDay(DAY)]);
    const spring = scheduledSlots({ date: '2026-03-08', template: allDay });
    expect(spring).toHaveLength(288 - 12);
    expect(new Set(spring.map(({ start }) => start)).size).toBe(spring.length);
  });

  test('the earliest is the least of all that are free, and of the first doctor who has it', () => {
    const template = fc
      .array(fc.constantFrom(...SLOT_CODES, null), { minLength: 288, maxLength: 288 })
      .map((codes) =>
        dayTemplate(
          codes.flatMap((code, step) => (code ? [{ from: step, to: step + 1, code }] : [])),
        ),
      );
    const steps = fc.array(fc.nat(287), { maxLength: 120 });
    const doctors = fc.array(fc.record({ template, steps }), { maxLength: 6 });
    const dates = fc.oneof(
      fc.nat(95).map((days) => addDays('2026-11-20', days)),
      fc.constantFrom('2026-11-21', '2027-02-19', '2027-02-20'),
    );
    const type = fc.constantFrom(...TYPE_CODES);
    fc.assert(
      fc.property(dates, doctors, type, (date, drawn, wanted) => {
        const ruler = dayRuler(date);
        const days = drawn.map((one, at) => {
          const taken = new Set(one.steps.map((step) => stepStart(ruler, step)));
          const isTaken = (start: number) => taken.has(start);
          return { doctor: String(at), template: one.template, isTaken };
        });
        const free = days.flatMap(({ doctor, template: codes, isTaken }) =>
          scheduledSlots({ date, template: codes })
            .filter(({ code, start }) => slotServes(code, wanted) && !isTaken(start))
            .filter(({ start }) => start > NOW + 1800 && start < startOfDay('2027-02-20'))
            .map(({ start }) => ({ doctor, start })),
        );
        const [least] = free.toSorted((one, other) => one.start - other.start);
        expect(earliestFree(date, days, wanted, NOW)).toEqual(least ?? null);
      }),
      { numRuns: 200 },
    );
  });
});
