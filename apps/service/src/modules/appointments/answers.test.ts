import { specifiedType } from '@clinic/domain/testing';
import { describe, expect, test } from 'vitest';

import { answersToKeep, whyAnswersRefused } from './answers.ts';

/** In English, as a client is answered that asks for no language. */
const refused = (...asked: Parameters<typeof whyAnswersRefused>) =>
  whyAnswersRefused(...asked).map(({ field, message }) => ({ field, message: message('en') }));

const today = '2026-11-21';
const appointment = {
  reason: 'AB123456',
  crashYear: 2026,
  crashMonth: 11,
  crashDay: 1,
  contactPreference: 'PHONE' as const,
  symptom: 'Neck pain',
  experiencingList: ['notAbsent'],
  treatmentList: ['none'],
  medicationTaken: 'No',
};

describe('the reason of an appointment (§5 Reason field)', () => {
  // Shows: 5.reason.1, 5.reason.2, 5.reason.3
  test.each([
    ['O', '  ', 'Please enter the reason for your appointment'],
    ['O', 'a', 'The minimum length of the reason for your appointment is 2'],
    ['O', 'a'.repeat(81), 'The maximum length of the reason for your appointment is 80'],
    ['I', 'AB12345', 'The minimum length of injury claim number is 8'],
    ['D', '123456', 'The minimum length of driver licence number is 7'],
  ])('%s with %j: %s', (code, reason, message) => {
    expect(refused(specifiedType(code).form, { ...appointment, reason }, today)).toEqual([
      { field: 'reason', message },
    ]);
  });

  test('80 characters are enough room, spaces around them do not count', () => {
    expect(refused('standard', { reason: ` ${'é'.repeat(80)} ` }, today)).toEqual([]);
  });
});

describe('the injury-claim answers (§5 Type I extras)', () => {
  test('a complete report passes', () => {
    expect(refused('injuryClaim', appointment, today)).toEqual([]);
  });

  // Shows: 3.answers.1, 5.injury.1, 5.injury.2, 5.injury.4
  test('each missing answer has its field and words', () => {
    const problems = refused('injuryClaim', { reason: 'AB123456' }, today);
    expect(problems.map(({ field }) => field)).toEqual([
      'crashYear',
      'contactPreference',
      'symptom',
      'experiencingList',
      'treatmentList',
      'medicationTaken',
    ]);
    expect(problems[0]?.message).toBe('Date of crash is not valid');
    expect(problems[1]?.message).toBe('Please select how you want to be seen by the doctor');
  });

  test('a crash tomorrow is not valid', () => {
    expect(refused('injuryClaim', { ...appointment, crashDay: 22 }, today)).toHaveLength(1);
  });

  // Shows: R-37
  test('keys that no list has are refused', () => {
    expect(refused('injuryClaim', { ...appointment, treatmentList: ['leeches'] }, today)).toEqual([
      { field: 'treatmentList', message: 'Please choose from the list.' },
    ]);
  });

  // Shows: 3.answers.1
  test('are neither asked nor kept of another type', () => {
    expect(refused('standard', { ...appointment, crashDay: 99 }, today)).toEqual([]);
    expect(answersToKeep('standard', { ...appointment, reason: ' a cough ' })).toEqual({
      reason: 'a cough',
    });
  });
});
