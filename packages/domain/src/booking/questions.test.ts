import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specifiedType, aCrashReport } from '../testing/index.ts';
import { APPOINTMENT_FORMS } from './appointment-type.ts';
import {
  crashDate,
  reasonRule,
  toggleExperiencing,
  toggleTreatment,
  whyCrashReportRefused,
  whyReasonRefused,
} from './questions.ts';
import type { CrashReport } from './questions.ts';

describe('the reason field (§5 Reason field, R-37)', () => {
  // Shows: 2.confirm.2, 5.reason.2, 5.reason.3, 9.lengths.1
  test.each([
    ['I', 8, 'claimNumber'],
    ['D', 7, 'licenceNumber'],
    ['O', 2, 'reason'],
    ['V', 2, 'reason'],
    ['P', 2, 'reason'],
    ['PP', 2, 'reason'],
    ['M', 2, 'reason'],
    ['G', 2, 'reason'],
  ])('%s takes %i to 80 characters', (code, minimum, label) => {
    const { form } = specifiedType(code);
    expect(reasonRule(form)).toEqual({ label, minimum, maximum: 80 });
    expect(whyReasonRefused(form, '')).toBe('empty');
    expect(whyReasonRefused(form, 'x'.repeat(minimum - 1))).toBe('tooShort');
    expect(whyReasonRefused(form, 'x'.repeat(minimum))).toBeNull();
    expect(whyReasonRefused(form, 'x'.repeat(80))).toBeNull();
    expect(whyReasonRefused(form, 'x'.repeat(81))).toBe('tooLong');
  });

  // Shows: R-37
  test('space around it does not count, inside it does', () => {
    expect(whyReasonRefused('standard', '  \n\t ')).toBe('empty');
    expect(whyReasonRefused('standard', ' x ')).toBe('tooShort');
    expect(whyReasonRefused('standard', ` ${'x'.repeat(80)} `)).toBeNull();
    expect(whyReasonRefused('standard', 'a b')).toBeNull();
  });

  // Shows: R-37
  test('a character beyond the basic plane counts once', () => {
    expect(whyReasonRefused('standard', '🦴')).toBe('tooShort');
    expect(whyReasonRefused('standard', '🦴🦴')).toBeNull();
    expect(whyReasonRefused('standard', '🦴'.repeat(80))).toBeNull();
    expect(whyReasonRefused('standard', '🦴'.repeat(81))).toBe('tooLong');
  });

  test('what passes is never longer than 80 nor shorter than the minimum', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...APPOINTMENT_FORMS),
        fc.string({ unit: fc.constantFrom(' ', 'a', 'é', '🦴', '\n'), maxLength: 100 }),
        (form, text) => {
          const { length } = Array.from(text.trim());
          const { minimum } = reasonRule(form);
          const passes = length >= minimum && length <= 80;
          expect(whyReasonRefused(form, text) === null).toBe(passes);
        },
      ),
    );
  });
});

const today = '2026-11-21';
const refusals = (over: Partial<CrashReport>) => whyCrashReportRefused(aCrashReport(over), today);
const ofLength = (length: number) => '🦴'.repeat(length);

describe('the crash report of type I (§5 Type I extras, R-37)', () => {
  test('a complete one passes', () => {
    expect(refusals({})).toEqual([]);
  });

  // Shows: 5.injury.2, 5.injury.4
  test('an empty one is refused in every field, in the order of the form', () => {
    const nothing: CrashReport = {
      crashYear: null,
      crashMonth: null,
      crashDay: null,
      contactPreference: null,
      symptom: '',
      experiencingList: [],
      treatmentList: [],
      medicationTaken: null,
    };
    expect(whyCrashReportRefused(nothing, today)).toEqual([
      { field: 'crashDate', code: 'invalid' },
      { field: 'contactPreference', code: 'missing' },
      { field: 'symptom', code: 'tooShort' },
      { field: 'experiencingList', code: 'missing' },
      { field: 'treatmentList', code: 'missing' },
      { field: 'medicationTaken', code: 'missing' },
    ]);
  });

  // Shows: R-37
  test('the crash may have happened today, not tomorrow', () => {
    expect(refusals({ crashDay: 21 })).toEqual([]);
    expect(refusals({ crashDay: 22 })).toEqual([{ field: 'crashDate', code: 'invalid' }]);
  });

  // Shows: 5.injury.1
  test.each([
    { crashYear: null },
    { crashMonth: null },
    { crashDay: null },
    { crashMonth: 2, crashDay: 30 },
    { crashYear: 2025, crashMonth: 2, crashDay: 29 },
    { crashMonth: 13 },
    { crashMonth: 0 },
    { crashDay: 0 },
    { crashDay: 1.5 },
    { crashYear: -1 },
    { crashYear: 26 },
    { crashYear: Number.NaN },
  ])('%o is no date', (over) => {
    expect(crashDate(aCrashReport(over))).toBeNull();
    expect(refusals(over)).toEqual([{ field: 'crashDate', code: 'invalid' }]);
  });

  test('29 February of a leap year is a date', () => {
    expect(crashDate({ crashYear: 2024, crashMonth: 2, crashDay: 29 })).toBe('2024-02-29');
  });

  // Shows: 5.injury.3, 9.lengths.1
  test('symptoms take 3 to 300 characters', () => {
    const codes = [2, 3, 300, 301].map(
      (length) => refusals({ symptom: ofLength(length) })[0]?.code,
    );
    expect(codes).toEqual(['tooShort', undefined, undefined, 'tooLong']);
    expect(refusals({ symptom: ' ab ' })[0]?.code).toBe('tooShort');
  });

  // Shows: 5.injury.5, 9.lengths.1
  test('the text of another treatment takes 3 to 50 characters', () => {
    const codes = [2, 3, 50, 51].map(
      (length) =>
        refusals({ treatmentList: ['acupuncture', { key: 'other', text: ofLength(length) }] })[0]
          ?.code,
    );
    expect(codes).toEqual(['tooShort', undefined, undefined, 'tooLong']);
  });

  // Shows: 5.injury.5, 9.lengths.1
  test("medication is 'No' or takes 3 to 200 characters", () => {
    const codes = [2, 3, 200, 201].map(
      (length) => refusals({ medicationTaken: ofLength(length) })[0]?.code,
    );
    expect(codes).toEqual(['tooShort', undefined, undefined, 'tooLong']);
    expect(refusals({ medicationTaken: 'No' })).toEqual([]);
    expect(refusals({ medicationTaken: '' })).toEqual([
      { field: 'medicationTaken', code: 'tooShort' },
    ]);
  });
});

describe('choices that exclude each other (R-37)', () => {
  // Shows: R-37
  test("'not absent' clears the absences and they clear it; modified duties stay", () => {
    const absent = toggleExperiencing(['modifiedDuties', 'missingWork'], 'missingStudies');
    expect(absent).toEqual(['modifiedDuties', 'missingWork', 'missingStudies']);
    expect(toggleExperiencing(absent, 'notAbsent')).toEqual(['modifiedDuties', 'notAbsent']);
    expect(toggleExperiencing(['notAbsent'], 'missingTraining')).toEqual(['missingTraining']);
    expect(toggleExperiencing(['notAbsent'], 'modifiedDuties')).toEqual([
      'notAbsent',
      'modifiedDuties',
    ]);
  });

  // Shows: R-37
  test("'no treatment' and all other treatments clear each other", () => {
    expect(toggleTreatment(['acupuncture', { key: 'other', text: 'Yoga' }], 'none')).toEqual([
      'none',
    ]);
    expect(toggleTreatment(['none'], 'other')).toEqual([{ key: 'other', text: '' }]);
    expect(toggleTreatment(['acupuncture'], 'psychology')).toEqual(['acupuncture', 'psychology']);
  });

  test('what is ticked unticks', () => {
    expect(toggleExperiencing(['missingWork', 'notAbsent'], 'missingWork')).toEqual(['notAbsent']);
    expect(toggleTreatment([{ key: 'other', text: 'Yoga' }, 'acupuncture'], 'other')).toEqual([
      'acupuncture',
    ]);
    expect(toggleTreatment(['none'], 'none')).toEqual([]);
  });
});
