import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toInstant } from '../clinic-time.ts';
import { NOW } from '../testing/index.ts';
import { APPOINTMENT_TYPE_CODES, SLOT_CODES, slotServes } from './appointment-type.ts';
import { stepsIn, stepsOf, earliestFree, freeSteps, scheduledSlots } from './availability.ts';
import type { DayRow } from './availability.ts';
import { stepOfTime, stepStart, dayRuler } from './day-steps.ts';
import { codeOfAlias, dayTemplate, servingSteps, whyNoTemplate } from './day-template.ts';

const morning = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('08:15'), code: 'O' }]);
const row = (over: Partial<DayRow> = {}): DayRow => ({
  doctor: '101',
  date: '2026-12-15',
  template: morning,
  busy: [],
  ...over,
});
const at = (time: string, date = '2026-12-15') => toInstant(date, time);

describe('day templates', () => {
  test('PP is written Q, and no work is _', () => {
    const template = dayTemplate([
      { from: 0, to: 2, code: 'PP' },
      { from: 1, to: 2, code: 'A' },
    ]);
    expect(template.slice(0, 4)).toBe('QA__');
    expect(template).toHaveLength(288);
    expect([codeOfAlias('Q'), codeOfAlias('A'), codeOfAlias('_')]).toEqual(['PP', 'A', null]);
  });

  test.each([
    ['', 'length'],
    ['_'.repeat(287), 'length'],
    ['_'.repeat(289), 'length'],
    [`${'_'.repeat(287)}F`, 'unknownCode'],
    [`${'_'.repeat(287)}x`, 'unknownCode'],
    ['_'.repeat(288), null],
    [morning, null],
  ])('%s: %s', (text, refusal) => {
    expect(whyNoTemplate(text)).toBe(refusal);
  });

  test('serving cells of what is no template throw', () => {
    expect(() => servingSteps('O', 'O')).toThrow(RangeError);
    expect(() => servingSteps('x'.repeat(288), 'O')).toThrow(RangeError);
  });
});

describe('free = cells − busy (R-12, R-13, R-20)', () => {
  const earliest = (one: DayRow, now = NOW) => earliestFree([one], 'O', now)?.start ?? null;

  test('a start that somebody has is not free, nor one of another type', () => {
    expect(earliest(row({ busy: [96] }))).toBe(at('08:05'));
    expect(earliest(row({ busy: [96, 98] }))).toBe(at('08:05'));
    expect(earliest(row({ busy: [96, 97, 98, 98] }))).toBeNull();
    expect(earliestFree([row()], 'P', NOW)).toBeNull();
  });

  test('a start exactly 30 minutes ahead is left out', () => {
    expect(earliest(row(), at('07:30') - 1)).toBe(at('08:00'));
    expect(earliest(row(), at('07:30'))).toBe(at('08:05'));
  });

  test('nothing is found after the clinic day today + 90', () => {
    expect(earliest(row({ date: '2027-02-19' }))).toBe(at('08:00', '2027-02-19'));
    expect(earliest(row({ date: '2027-02-20' }))).toBeNull();
  });

  test('a busy cell outside the day is a bug and throws', () => {
    expect(() => earliest(row({ busy: [288] }))).toThrow(RangeError);
    expect(() => earliest(row({ busy: [-1] }))).toThrow(RangeError);
  });

  test('the earliest start wins, and at the same instant the first row', () => {
    const later = row({ doctor: '102', busy: [96] });
    const nextDay = row({ doctor: '103', date: '2026-12-16' });
    const same = row({ doctor: '104' });
    expect(earliestFree([nextDay, later, row(), same], 'O', NOW)).toEqual({
      doctor: '101',
      date: '2026-12-15',
      start: at('08:00'),
    });
    expect(earliestFree([later, nextDay], 'O', NOW)?.start).toBe(at('08:05'));
    expect(earliestFree([row()], 'D', NOW)).toBeNull();
    expect(earliestFree([], 'O', NOW)).toBeNull();
  });

  // Shows: 3.slot.1
  test('the schedule lists every slot of a row with its code and length', () => {
    const { length, 0: first } = scheduledSlots(row());
    expect(first).toEqual({ code: 'O', start: at('08:00'), end: at('08:05') });
    expect(length).toBe(3);
  });

  test('the schedule starts at midnight when the template does and knows the skipped hour', () => {
    const allDay = dayTemplate([{ from: 0, to: 288, code: 'P' }]);
    const ordinary = scheduledSlots({ date: '2026-12-15', template: allDay });
    expect([ordinary.length, ordinary[0]?.start]).toEqual([288, startOfDay('2026-12-15')]);
    const spring = scheduledSlots({ date: '2026-03-08', template: allDay });
    expect(spring).toHaveLength(288 - 12);
    expect(new Set(spring.map(({ start }) => start)).size).toBe(spring.length);
  });

  test('instants become cells of their own day only', () => {
    const instants = [at('08:00'), at('08:04'), at('08:00', '2026-12-16'), at('23:55')];
    expect(stepsOf('2026-12-15', instants)).toEqual([96, 96, 287]);
  });
});

describe('the same answer as looking at every cell', () => {
  const template = fc
    .array(fc.constantFrom(...SLOT_CODES, null), { minLength: 288, maxLength: 288 })
    .map((codes) =>
      dayTemplate(
        codes.flatMap((code, step) => (code ? [{ from: step, to: step + 1, code }] : [])),
      ),
    );
  const busy = fc.array(fc.nat(287), { maxLength: 120 });
  const type = fc.constantFrom(...APPOINTMENT_TYPE_CODES);

  test('bits find what a loop over cells finds', () => {
    fc.assert(
      fc.property(template, busy, type, (day, taken, wanted) => {
        const expected = Array.from(day).flatMap((alias, step) => {
          const code = codeOfAlias(alias);
          return code && slotServes(code, wanted) && !taken.includes(step) ? [step] : [];
        });
        expect(stepsIn(freeSteps(day, taken, wanted))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test('the earliest is the least of all that are free', () => {
    const windowEnd = startOfDay('2027-02-20') - 1;
    const rows = fc.array(
      fc.record({
        doctor: fc.constantFrom('1', '2', '3'),
        date: fc.nat(95).map((days) => addDays('2026-11-20', days)),
        template,
        busy,
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(rows, type, (drawn, wanted) => {
        const all = drawn.flatMap(({ date, template: day, busy: taken }) =>
          stepsIn(freeSteps(day, taken, wanted))
            .map((step) => stepStart(dayRuler(date), step))
            .filter((start) => start !== null && start > NOW + 1800 && start <= windowEnd),
        ) as number[];
        const least = all.length > 0 ? Math.min(...all) : undefined;
        expect(earliestFree(drawn, wanted, NOW)?.start).toBe(least);
      }),
      { numRuns: 100 },
    );
  });
});
