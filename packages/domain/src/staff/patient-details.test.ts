import { describe, expect, test } from 'vitest';
import { type PatientDetails, whyDetailsRefused } from './patient-details.ts';

const TODAY = '2026-11-21';
const CASEY: PatientDetails = {
  firstName: 'Casey',
  lastName: 'O’Neil-Roy',
  birthDate: '1984-05-17',
  card: { province: 'BC', number: '9876 543 218' },
};
const why = (over: Partial<PatientDetails>) => whyDetailsRefused({ ...CASEY, ...over }, TODAY);

describe('Who somebody is, as staff write it down (S-18)', () => {
  test('is taken where a sign-up form would be, with a card or without', () => {
    expect(why({})).toEqual([]);
    expect(why({ card: null })).toEqual([]);
    expect(why({ card: { province: 'Other', number: '' } })).toEqual([]);
  });

  test.each<[Partial<PatientDetails>, object]>([
    [{ firstName: ' ' }, { field: 'firstName', code: 'missing' }],
    [{ lastName: 'Morgan <b>' }, { field: 'lastName', code: 'invalidSymbol' }],
    [{ birthDate: '2026-11-22' }, { field: 'birthDate', code: 'invalid' }],
    [{ birthDate: '1984-02-30' }, { field: 'birthDate', code: 'invalid' }],
    [{ card: { province: 'XX', number: '1' } }, { field: 'healthCardProvince', code: 'notInList' }],
    [{ card: { province: 'BC', number: '' } }, { field: 'healthCardNumber', code: 'missing' }],
    [
      { card: { province: 'BC', number: '9876543217' } },
      { field: 'healthCardNumber', code: 'bcInvalid' },
    ],
    [
      { card: { province: 'AB', number: '123' } },
      { field: 'healthCardNumber', code: 'tooShort', minimum: 6 },
    ],
  ])('%j is refused', (over, problem) => {
    expect(why(over)).toEqual([problem]);
  });
});
