import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { STEPS_PER_DAY, stepAt, stepOfTime, stepStart, dayRuler, timeOfStep } from './day-steps.ts';

const changeDays = ['1990-04-01', '1990-10-28', '2006-04-02', '2025-11-02', '2026-03-08'];
const anyDate = fc.integer({ min: 0, max: 25_000 }).map((days) => addDays('1970-01-01', days));

describe('cells of a clinic day', () => {
  test('13:00 is cell 156, 23:55 the last, and 24:00 ends the day', () => {
    expect([stepOfTime('00:00'), stepOfTime('13:00'), stepOfTime('23:55')]).toEqual([0, 156, 287]);
    expect(stepOfTime('24:00')).toBe(STEPS_PER_DAY);
    expect([timeOfStep(0), timeOfStep(156), timeOfStep(287)]).toEqual(['00:00', '13:00', '23:55']);
  });

  test('cell 156 of 2026-12-15 starts at 20:00Z', () => {
    expect(stepStart(dayRuler('2026-12-15'), 156)).toBe(toInstant('2026-12-15', '13:00'));
  });

  test.each([...changeDays, '2026-11-01', '2026-12-15', '2027-03-14'])(
    'on %s each cell starts when its wall time does',
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

  test('the hour that the clocks skipped has no cells, the one that came twice has one set', () => {
    const missing = (date: string) =>
      Array.from({ length: STEPS_PER_DAY }, (_, step) => step).filter(
        (step) => stepStart(dayRuler(date), step) === null,
      );
    expect(missing('2026-03-08')).toEqual([24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
    expect(missing('2025-11-02')).toEqual([]);
    expect(missing('2026-11-01')).toEqual([]);
    const secondHour = toInstant('2025-11-02', '01:00') + 3600;
    const atEnds = [secondHour, secondHour + 3599, secondHour + 3600].map((at) =>
      stepAt(dayRuler('2025-11-02'), at),
    );
    expect(atEnds).toEqual([null, null, 24]);
  });

  test('the way from a cell to its instant and back gives the cell', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyDate, fc.constantFrom(...changeDays)),
        fc.nat(287),
        fc.nat(299),
        (date, step, within) => {
          const ruler = dayRuler(date);
          const start = stepStart(ruler, step);
          fc.pre(start !== null);
          expect(stepAt(ruler, start + within)).toBe(step);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each(changeDays)('on %s every cell holds its first and its last second', (date) => {
    const ruler = dayRuler(date);
    const steps = Array.from({ length: STEPS_PER_DAY }, (_, step) => step);
    const onTheClock = steps.filter((step) => stepStart(ruler, step) !== null);
    const seconds = (within: number) =>
      onTheClock.map((step) => stepAt(ruler, (stepStart(ruler, step) ?? 0) + within));
    expect(seconds(0)).toEqual(onTheClock);
    expect(seconds(299)).toEqual(onTheClock);
  });

  test('instants of the day before and after lie in no cell', () => {
    for (const date of [...changeDays, '2026-12-15']) {
      const ruler = dayRuler(date);
      expect(stepAt(ruler, startOfDay(date) - 1)).toBeNull();
      expect(stepAt(ruler, startOfDay(date))).toBe(0);
      expect(stepAt(ruler, startOfDay(addDays(date, 1)) - 1)).toBe(287);
      expect(stepAt(ruler, startOfDay(addDays(date, 1)))).toBeNull();
    }
  });
});
