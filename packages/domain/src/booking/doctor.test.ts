import { describe, expect, test } from 'vitest';
import { aDoctor } from '../testing/index.ts';
import { doctorName, isNursePractitioner, shortName } from './doctor.ts';

describe('how a provider is called (R-24)', () => {
  // Shows: R-24
  test("a doctor is 'Dr. A. Stone'", () => {
    expect(doctorName(aDoctor())).toBe('Dr. A. Stone');
    expect(shortName(aDoctor())).toBe('A. Stone');
  });

  // Shows: R-24
  test("a nurse practitioner is 'NP J. Avery' and never 'Dr.'", () => {
    const avery = aDoctor({ firstName: 'Jordan NP', lastName: 'Avery' });
    expect(doctorName(avery)).toBe('NP J. Avery');
    expect(shortName(avery)).toBe('J. Avery');
  });

  // Shows: 3.doctor.2
  test.each([
    ['Jordan NP', true],
    ['Jordan (NP)', true],
    ['Jordan  NP', true],
    ['Jordan Lee NP', false],
    ['NP', false],
    ['NPaul', false],
    ['Jordan Np', false],
    ['', false],
  ])("the second word of '%s' tells a nurse practitioner: %s", (firstName, expected) => {
    expect(isNursePractitioner({ firstName })).toBe(expected);
  });

  test('an initial is a whole character, and a missing first name leaves the last', () => {
    expect(shortName({ firstName: '𝒜va', lastName: 'Roy' })).toBe('𝒜. Roy');
    expect(shortName({ firstName: ' ', lastName: 'Roy' })).toBe('Roy');
  });
});
