import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { NOW, TYPE_CODES, slotServes, specifiedType } from '../testing/index.ts';
import {
  STEPS_PER_DAY,
  dayRuler,
  dayTemplate,
  scheduledSlots,
  stepOfTime,
  stepStart,
} from './day-template.ts';
import { dateBounds, isInsideWindow } from './booking-window.ts';
import { SPECIFIED_CODES, SPECIFIED_NAMES } from './specified-types.ts';
import { earliestFree, servedMinutes, stretchesOf, takenSteps } from './free-starts.ts';
import type { ProviderDay } from './free-starts.ts';

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
});

const morning = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('08:15'), code: 'O' }]);
const DAY = '2026-12-15';
const at = (time: string, date = DAY) => toInstant(date, time);

describe('day templates', () => {
  test('later spans overwrite earlier ones, and no work is _', () => {
    const template = dayTemplate([
      { from: 0, to: 2, code: 'Q' },
      { from: 1, to: 2, code: 'A' },
    ]);
    expect(template.slice(0, 4)).toBe('QA__');
    expect(template).toHaveLength(288);
  });

  test.each(['', '_'.repeat(288), 'F'.repeat(288), 'x'.repeat(288)])('%s has no slot', (text) => {
    expect(scheduledSlots({ date: DAY, template: text }, SPECIFIED_NAMES)).toEqual([]);
  });

  // Shows: 3.slot.1
  test('the schedule lists every slot of a day with its code and length', () => {
    const { length, 0: first } = scheduledSlots({ date: DAY, template: morning }, SPECIFIED_NAMES);
    expect(first).toEqual({ code: 'O', start: at('08:00'), end: at('08:05') });
    expect(length).toBe(3);
  });

  test('the schedule starts at midnight when the template does and knows the skipped hour', () => {
    const allDay = dayTemplate([{ from: 0, to: 288, code: 'P' }]);
    const ordinary = scheduledSlots({ date: DAY, template: allDay }, SPECIFIED_NAMES);
    expect([ordinary.length, ordinary[0]?.start]).toEqual([288, startOfDay(DAY)]);
    const spring = scheduledSlots({ date: '2026-03-08', template: allDay }, SPECIFIED_NAMES);
    expect(spring).toHaveLength(288 - 12);
    expect(new Set(spring.map(({ start }) => start)).size).toBe(spring.length);
  });
});

describe('the earliest that is free (R-12, R-13, R-20)', () => {
  const stretches = (template = morning, type = 'O', date = DAY) => {
    const { code, minutes } = specifiedType(type);
    const rules = { type: { code, minutes }, codes: SPECIFIED_CODES, pace: null };
    return stretchesOf(template, servedMinutes(rules), null, dayRuler(date));
  };
  const day = (taken: readonly string[] = [], doctor = '101') => ({
    doctor,
    stretches: stretches(),
    taken: takenSteps(
      dayRuler(DAY),
      taken.map((time) => at(time)),
    ),
  });
  const earliest = (one: ProviderDay, { date = DAY, now = NOW } = {}) =>
    earliestFree(dayRuler(date), [one], now)?.start ?? null;

  test('a start that somebody has is not free', () => {
    expect(earliest(day(['08:00']))).toBe(at('08:05'));
    expect(earliest(day(['08:00', '08:10']))).toBe(at('08:05'));
    expect(earliest(day(['08:00', '08:05', '08:10']))).toBeNull();
  });

  test('a start exactly 30 minutes ahead is left out', () => {
    expect(earliest(day(), { now: at('07:30') - 1 })).toBe(at('08:00'));
    expect(earliest(day(), { now: at('07:30') })).toBe(at('08:05'));
  });

  test('nothing is found after the clinic day today + 90', () => {
    expect(earliest(day(), { date: '2027-02-19' })).toBe(at('08:00', '2027-02-19'));
    expect(earliest(day(), { date: '2027-02-20' })).toBeNull();
  });

  test('the earliest start wins with its end, and at the same instant the first row', () => {
    const [later, same] = [day(['08:00'], '102'), day([], '104')];
    expect(earliestFree(dayRuler(DAY), [later, day(), same], NOW)).toEqual({
      doctor: '101',
      start: at('08:00'),
      end: at('08:05'),
    });
    expect(earliestFree(dayRuler(DAY), [later], NOW)?.start).toBe(at('08:05'));
    expect(earliestFree(dayRuler(DAY), [], NOW)).toBeNull();
  });

  test('with 5 minutes it is the least of all steps that are free, and of the first doctor who has it', () => {
    const template = fc
      .array(fc.constantFrom(...SPECIFIED_NAMES.keys(), null), { minLength: 288, maxLength: 288 })
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
    fc.assert(
      fc.property(dates, doctors, fc.constantFrom(...TYPE_CODES), (date, drawn, wanted) => {
        const ruler = dayRuler(date);
        const days = drawn.map((one, place) => {
          const taken = new Set(one.steps.map((step) => stepStart(ruler, step) ?? 0));
          return { doctor: String(place), template: one.template, taken };
        });
        const free = days.flatMap(({ doctor, template: codes, taken }) =>
          scheduledSlots({ date, template: codes }, SPECIFIED_NAMES)
            .filter(({ code, start }) => slotServes(code, wanted) && !taken.has(start))
            .filter(({ start }) => start > NOW + 1800 && start < startOfDay('2027-02-20'))
            .map(({ start, end }) => ({ doctor, start, end })),
        );
        const [least] = free.toSorted((one, other) => one.start - other.start);
        const asked = days.map(({ doctor, template: codes, taken }) => ({
          doctor,
          stretches: stretches(codes, wanted, date),
          taken: takenSteps(ruler, [...taken]),
        }));
        expect(earliestFree(ruler, asked, NOW)).toEqual(least ?? null);
      }),
      { numRuns: 200 },
    );
  });
});
