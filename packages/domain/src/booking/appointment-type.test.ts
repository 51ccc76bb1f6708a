import { describe, expect, test } from 'vitest';
import { TYPE_CODES, slotServes, specifiedType } from '../testing/index.ts';
import { appointmentMode, isAppointmentTypeCode, typeSign } from './appointment-type.ts';
import { SPECIFIED_NAMES } from './specified-types.ts';
import type { ContactPreference } from './appointment-type.ts';

const SLOT_NAMES = [...SPECIFIED_NAMES.values()];

describe('which slots serve a type (§5 Slot visibility, R-20)', () => {
  // Shows: 1.types.2, 5.slot-visibility.1, R-20
  test.each(['I', 'V', 'D', 'M', 'G', 'PP'] as const)('%s takes its own slots and A', (type) => {
    expect(SLOT_NAMES.filter((code) => slotServes(code, type))).toEqual(
      SLOT_NAMES.filter((code) => code === type || code === 'A'),
    );
  });

  // Shows: 5.slot-visibility.1, R-20
  test.each(['O', 'P'] as const)('%s takes only its own slots', (type) => {
    expect(SLOT_NAMES.filter((code) => slotServes(code, type))).toEqual([type]);
  });

  // Shows: R-20
  test('F has no slots', () => {
    expect(SLOT_NAMES.filter((code) => slotServes(code, 'F'))).toEqual([]);
  });
});

describe('what a type asks of the patient (§1, R-25)', () => {
  // Shows: 1.types.3
  test('V, D and O say to come to the clinic, P and PP that a provider calls, others nothing', () => {
    const keys = Object.fromEntries(
      TYPE_CODES.map((code) => [code, specifiedType(code).instruction]),
    );
    expect(keys).toEqual({
      O: 'comeToClinic',
      P: 'providerWillCall',
      PP: 'providerWillCall',
      V: 'comeToClinic',
      I: null,
      D: 'comeToClinic',
      M: null,
      G: null,
      F: null,
    });
  });

  // Shows: R-42
  test('only P and PP are appointments by phone, and I where the patient asks for it (R-42)', () => {
    const phone = (preference: ContactPreference | null) =>
      TYPE_CODES.filter((code) => appointmentMode(specifiedType(code), preference) === 'phone');
    expect(phone(null)).toEqual(['P', 'PP']);
    expect(phone('IN-PERSON')).toEqual(['P', 'PP']);
    expect(phone('PHONE')).toEqual(['P', 'PP', 'I']);
    expect(appointmentMode(specifiedType('I'), null)).toBe('either');
  });

  // Shows: 1.types.1, R-20
  test('a type has 1 to 4 capital letters and digits, and A is none', () => {
    expect([...TYPE_CODES, 'X', 'FLU2'].filter((code) => !isAppointmentTypeCode(code))).toEqual([]);
    expect(['', 'A', 'o', '1', 'FIVES', 'O ', 'Ö'].filter(isAppointmentTypeCode)).toEqual([]);
  });

  // Shows: 1.types.2, R-20
  test('A is a slot code, F is none, and one character stands for PP', () => {
    expect(SLOT_NAMES).toEqual(['O', 'P', 'PP', 'V', 'I', 'D', 'M', 'G', 'A']);
    expect([...SPECIFIED_NAMES.keys()].join('')).toBe('OPQVIDMGA');
  });
});

describe('the sign by which staff know a type (S-18)', () => {
  const none = { hue: null, shape: null };
  const signs = (count: number) =>
    Array.from({ length: count }, (_, place) => Object.values(typeSign(none, place)).join(' '));

  test('of eight types has eight colours and eight shapes, and of 64 no two are alike', () => {
    const words = signs(8).flatMap((sign) => sign.split(' '));
    expect(new Set(words).size).toBe(16);
    expect(new Set(signs(64)).size).toBe(64);
  });

  test('is what the clinic has set, in part or whole', () => {
    expect(typeSign({ hue: 'red', shape: null }, 0)).toEqual({ hue: 'red', shape: 'circle' });
    expect(typeSign({ hue: 'red', shape: 'star' }, 0)).toEqual({ hue: 'red', shape: 'star' });
  });
});
