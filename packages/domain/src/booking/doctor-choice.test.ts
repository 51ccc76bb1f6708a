import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  TYPE_CODES,
  specifiedType,
  aDoctor,
  aPatient,
  aStatus,
  anAppointmentType,
} from '../testing/index.ts';
import {
  INACTIVE_PROVIDER_COMMENT,
  clearDoctor,
  countsAsDisabled,
  doctorName,
  familyOnlyConflict,
  gives,
  hasFamilyDoctor,
  isNursePractitioner,
  offeredTypes,
  selectDoctor,
  selectEarliest,
  selectType,
  shortName,
  whyNextRefused,
  whyNotListed,
  whyUnselectable,
} from './doctor-choice.ts';
import type { Choice } from './doctor-choice.ts';

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

const enforcing = anAppointmentType({ enforceMrp: true, enforceNoPcp: true });
const lenient = anAppointmentType({ enforceMrp: false, enforceNoPcp: false });
const doctor = aDoctor();

describe('which doctors are listed (R-22)', () => {
  // Shows: R-22
  test('active and shown ones are, inactive and hidden ones never', () => {
    expect(whyNotListed(aStatus())).toBeNull();
    expect(whyNotListed(aStatus({ active: false }))).toBe('inactive');
    expect(whyNotListed(aStatus({ hidden: true }))).toBe('hidden');
  });
});

describe('why a doctor cannot be chosen (§5 Slot visibility, R-22)', () => {
  test('nothing stands against a doctor who takes everybody', () => {
    expect(whyUnselectable(doctor, aStatus(), enforcing, aPatient())).toBeNull();
    expect(whyUnselectable(doctor, aStatus(), null, aPatient())).toBeNull();
  });

  // Shows: 5.doctor-choice.1, R-22
  test('a disabled doctor is refused with the comment', () => {
    const status = aStatus({ disabled: true, comment: ' On leave ' });
    expect(whyUnselectable(doctor, status, enforcing, aPatient())).toEqual({
      code: 'disabled',
      comment: 'On leave',
    });
    expect(whyUnselectable(doctor, status, lenient, aPatient())?.code).toBe('disabled');
    expect(whyUnselectable(doctor, aStatus({ disabled: true }), null, aPatient())).toEqual({
      code: 'disabled',
      comment: '',
    });
  });

  // Shows: 4.selection.5, R-22
  test.each([
    { enforceMrp: false, enforceNoPcp: false, disabled: false },
    { enforceMrp: true, enforceNoPcp: false, disabled: true },
    { enforceMrp: false, enforceNoPcp: true, disabled: true },
    { enforceMrp: true, enforceNoPcp: true, disabled: true },
  ])('the comment about an inactive provider counts under %o', ({ disabled, ...type }) => {
    const status = aStatus({ disabled: true, comment: INACTIVE_PROVIDER_COMMENT });
    expect(INACTIVE_PROVIDER_COMMENT).toBe('Your assigned provider is not active');
    expect(countsAsDisabled(status, type)).toBe(disabled);
  });

  // Shows: 4.selection.5
  test('that comment must stand exactly, and before a type is chosen it disables', () => {
    const almost = aStatus({ disabled: true, comment: `${INACTIVE_PROVIDER_COMMENT}.` });
    expect(countsAsDisabled(almost, lenient)).toBe(true);
    const exact = aStatus({ disabled: true, comment: INACTIVE_PROVIDER_COMMENT });
    expect(countsAsDisabled(exact, null)).toBe(true);
    expect(countsAsDisabled({ ...exact, disabled: false }, enforcing)).toBe(false);
  });

  // Shows: 5.doctor-choice.1
  test('a blocked doctor is refused for this patient alone, whatever the type', () => {
    const patient = aPatient({ blockedProviders: ['108', '101'] });
    expect(whyUnselectable(doctor, aStatus(), lenient, patient)).toEqual({ code: 'blocked' });
    expect(whyUnselectable(doctor, aStatus(), null, patient)).toEqual({ code: 'blocked' });
    expect(whyUnselectable(aDoctor({ id: '10' }), aStatus(), lenient, patient)).toBeNull();
  });

  // Shows: 5.slot-visibility.3, 5.doctor-choice.1, 6.restrictions.2
  test.each([
    { enforceNoPcp: true, noPcp: true, hasFamilyDoctor: true, refused: true },
    { enforceNoPcp: false, noPcp: true, hasFamilyDoctor: true, refused: false },
    { enforceNoPcp: true, noPcp: false, hasFamilyDoctor: true, refused: false },
    { enforceNoPcp: true, noPcp: true, hasFamilyDoctor: false, refused: false },
  ])('a no-PCP doctor: %o', ({ enforceNoPcp, noPcp, hasFamilyDoctor, refused }) => {
    const refusal = whyUnselectable(
      doctor,
      aStatus({ noPcp }),
      { enforceMrp: false, enforceNoPcp },
      aPatient({ hasFamilyDoctor }),
    );
    expect(refusal).toEqual(refused ? { code: 'noPcpConflict' } : null);
  });

  // Shows: 5.slot-visibility.3, 5.doctor-choice.1, 6.restrictions.2, R-22
  test.each([
    { enforceMrp: true, familyOnly: true, primary: false, conflict: 'conflict' },
    { enforceMrp: true, familyOnly: true, primary: 'unknown', conflict: 'unknown' },
    { enforceMrp: true, familyOnly: true, primary: true, conflict: null },
    { enforceMrp: false, familyOnly: true, primary: false, conflict: null },
    { enforceMrp: true, familyOnly: false, primary: false, conflict: null },
  ] as const)('a family-only doctor: %o', ({ enforceMrp, familyOnly, primary, conflict }) => {
    const patient = aPatient({ hasActivePrimaryDoctor: primary });
    const type = { enforceMrp, enforceNoPcp: false };
    expect(familyOnlyConflict({ familyOnly }, type, patient)).toBe(conflict);
    // A check that failed keeps the doctor selectable on step 1.
    expect(whyUnselectable(doctor, aStatus({ familyOnly }), type, patient)).toEqual(
      conflict === 'conflict' ? { code: 'familyOnly' } : null,
    );
  });

  test('disabled is said before blocked, blocked before no-PCP, no-PCP before family-only', () => {
    const patient = aPatient({
      hasFamilyDoctor: true,
      hasActivePrimaryDoctor: false,
      blockedProviders: ['101'],
    });
    const all = aStatus({ disabled: true, comment: 'x', noPcp: true, familyOnly: true });
    const codes = [
      whyUnselectable(doctor, all, enforcing, patient)?.code,
      whyUnselectable(doctor, { ...all, disabled: false }, enforcing, patient)?.code,
      whyUnselectable(doctor, { ...all, disabled: false }, enforcing, {
        ...patient,
        blockedProviders: [],
      })?.code,
    ];
    expect(codes).toEqual(['disabled', 'blocked', 'noPcpConflict']);
  });
});

describe('what is known of the patient and the provider', () => {
  // Shows: R-23
  test('the no-PCP check decides on the family doctor when it succeeds, else the profile (R-23)', () => {
    expect(hasFamilyDoctor(true, true)).toBe(false);
    expect(hasFamilyDoctor(false, false)).toBe(true);
    expect(hasFamilyDoctor('unknown', true)).toBe(true);
    expect(hasFamilyDoctor('unknown', false)).toBe(false);
  });

  test('a nurse practitioner gives O and P only, a doctor everything (R-21)', () => {
    const nurse = { firstName: 'Jordan NP' };
    expect(TYPE_CODES.filter((code) => gives(nurse, specifiedType(code)))).toEqual(['O', 'P']);
    expect(TYPE_CODES.filter((code) => gives(doctor, specifiedType(code)))).toEqual([
      ...TYPE_CODES,
    ]);
  });
});

const NOTHING_CHOSEN: Choice = { type: null, doctor: null };
const types = TYPE_CODES.map((code) => anAppointmentType({ code }));
const typeOf = (code: (typeof types)[number]['code']) => anAppointmentType({ code });
const stone = aDoctor();
const avery = aDoctor({ id: '106', firstName: 'Jordan NP', lastName: 'Avery' });
const patient = aPatient();
const welcome = { isBlocked: false };
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
    expect(whyNextRefused(next, welcome)).toBe('doctorMissing');
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
    expect(codes(clearDoctor(chosen))).toEqual([...TYPE_CODES]);
    expect(codes(selectEarliest(chosen))).toEqual([...TYPE_CODES]);
    expect(codes(selectDoctor(chosen, stone))).toEqual([...TYPE_CODES]);
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
    expect(whyNextRefused(ready, welcome)).toBeNull();
    expect(whyNextRefused({ ...ready, doctor: stone }, welcome)).toBeNull();
  });

  test('type, then the block, then the doctor', () => {
    const blocked = { isBlocked: true };
    expect(whyNextRefused(NOTHING_CHOSEN, blocked)).toBe('typeMissing');
    expect(whyNextRefused({ ...ready, doctor: null }, blocked)).toBe('blocked');
    expect(whyNextRefused(ready, blocked)).toBe('blocked');
    expect(whyNextRefused({ ...ready, doctor: null }, welcome)).toBe('doctorMissing');
  });

  test('F needs no doctor: Next is a link there', () => {
    expect(whyNextRefused({ type: typeOf('F'), doctor: null }, welcome)).toBeNull();
  });
});
