import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDoctor, aPatient, anAppointmentType } from '../testing/index.ts';
import { APPOINTMENT_TYPE_CODES } from './appointment-type.ts';
import {
  NOTHING_CHOSEN,
  clearDoctor,
  offeredTypes,
  selectDoctor,
  selectEarliest,
  selectType,
  whyNextRefused,
} from './choice.ts';
import type { Choice } from './choice.ts';

const types = APPOINTMENT_TYPE_CODES.map((code) => anAppointmentType({ code }));
const typeOf = (code: (typeof types)[number]['code']) => anAppointmentType({ code });
const stone = aDoctor();
const avery = aDoctor({ id: '106', firstName: 'Jordan NP', lastName: 'Avery' });
const patient = aPatient();
const withFamilyDoctor = aPatient({ hasFamilyDoctor: true });
const codes = (choice: Choice, hasMedicationSite = true) =>
  offeredTypes(types, choice, { hasMedicationSite }).map(({ code }) => code);

describe('choosing type and doctor (§4 Selection rules, R-21)', () => {
  // Shows: 4.selection.1, 4.selection.3, R-21
  test('choosing another type clears the doctor', () => {
    const chosen = selectDoctor(selectType(NOTHING_CHOSEN, typeOf('V'), patient), stone);
    expect(chosen.doctor).toBe(stone);
    expect(selectType(chosen, typeOf('D'), patient)).toEqual({ type: typeOf('D'), doctor: null });
    expect(selectType(chosen, typeOf('V'), patient)).toEqual(chosen);
  });

  // Shows: 4.selection.1
  test('the earliest available doctor stays chosen when the type changes', () => {
    const chosen = selectEarliest(selectType(NOTHING_CHOSEN, typeOf('V'), patient));
    expect(selectType(chosen, typeOf('O'), patient).doctor).toBe('earliest');
  });

  // Shows: 4.selection.4, R-21
  test.each(['O', 'P'] as const)('%s with a family doctor leaves no selection', (code) => {
    const chosen = selectEarliest(selectType(NOTHING_CHOSEN, typeOf('V'), withFamilyDoctor));
    const next = selectType(chosen, typeOf(code), withFamilyDoctor);
    expect(next.doctor).toBeNull();
    expect(whyNextRefused(next, withFamilyDoctor)).toBe('doctorMissing');
  });

  // Shows: 4.selection.4
  test('other types keep the earliest doctor even with a family doctor', () => {
    const chosen = selectEarliest(selectType(NOTHING_CHOSEN, typeOf('V'), withFamilyDoctor));
    expect(selectType(chosen, typeOf('PP'), withFamilyDoctor).doctor).toBe('earliest');
  });

  // Shows: 4.selection.2, 6.restrictions.3, R-21
  test.each(['V', 'I', 'D', 'PP', 'M', 'G', 'F'] as const)(
    'a nurse practitioner clears type %s and hides all but O and P',
    (code) => {
      const chosen = selectDoctor(selectType(NOTHING_CHOSEN, typeOf(code), patient), avery);
      expect(chosen).toEqual({ type: null, doctor: avery });
      expect(codes(chosen)).toEqual(['O', 'P']);
    },
  );

  // Shows: 4.selection.2
  test.each(['O', 'P'] as const)('a nurse practitioner keeps type %s', (code) => {
    const chosen = selectDoctor(selectType(NOTHING_CHOSEN, typeOf(code), patient), avery);
    expect(chosen).toEqual({ type: typeOf(code), doctor: avery });
  });

  // Shows: 4.selection.1, R-21
  test('types that a nurse practitioner hid return when the doctor is cleared or changed', () => {
    const chosen = selectDoctor(NOTHING_CHOSEN, avery);
    expect(codes(clearDoctor(chosen))).toEqual([...APPOINTMENT_TYPE_CODES]);
    expect(codes(selectEarliest(chosen))).toEqual([...APPOINTMENT_TYPE_CODES]);
    expect(codes(selectDoctor(chosen, stone))).toEqual([...APPOINTMENT_TYPE_CODES]);
  });

  // Shows: 2.choose-type.2
  test('only enabled types are offered, and F only with a medication site (R-20)', () => {
    expect(codes(NOTHING_CHOSEN, false)).not.toContain('F');
    const disabled = [typeOf('O'), anAppointmentType({ code: 'D', enabled: false })];
    const offered = offeredTypes(disabled, NOTHING_CHOSEN, { hasMedicationSite: true });
    expect(offered.map(({ code }) => code)).toEqual(['O']);
  });

  test('no order of choices leaves a nurse practitioner with a type that she does not give', () => {
    const step = fc.oneof(
      fc.constantFrom(...types).map((type) => (c: Choice) => selectType(c, type, patient)),
      fc.constantFrom(stone, avery).map((doctor) => (c: Choice) => selectDoctor(c, doctor)),
      fc.constant(selectEarliest),
      fc.constant(clearDoctor),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const choice = steps.reduce((chosen, act) => act(chosen), NOTHING_CHOSEN);
        expect(codes(choice)).toEqual(
          expect.arrayContaining(choice.type ? [choice.type.code] : []),
        );
      }),
    );
  });
});

describe('why Next refuses (§5 Booking step 1)', () => {
  const ready: Choice = { type: typeOf('O'), doctor: 'earliest' };

  test('it does not when type and doctor are chosen', () => {
    expect(whyNextRefused(ready, patient)).toBeNull();
    expect(whyNextRefused({ ...ready, doctor: stone }, patient)).toBeNull();
  });

  test('type, then the block, then the doctor', () => {
    const blocked = aPatient({ isBlocked: true });
    expect(whyNextRefused(NOTHING_CHOSEN, blocked)).toBe('typeMissing');
    expect(whyNextRefused({ ...ready, doctor: null }, blocked)).toBe('blocked');
    expect(whyNextRefused(ready, blocked)).toBe('blocked');
    expect(whyNextRefused({ ...ready, doctor: null }, patient)).toBe('doctorMissing');
  });

  test('F needs no doctor: Next is a link there', () => {
    expect(whyNextRefused({ type: typeOf('F'), doctor: null }, patient)).toBeNull();
  });
});
