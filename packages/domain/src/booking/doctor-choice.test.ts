import { describe, expect, test } from 'vitest';
import { aDoctor, aPatient, aStatus, anAppointmentType } from '../testing/index.ts';
import {
  INACTIVE_PROVIDER_COMMENT,
  countsAsDisabled,
  familyOnlyConflict,
  gives,
  whyNotListed,
  whyUnselectable,
} from './doctor-choice.ts';
import { APPOINTMENT_TYPE_CODES } from './appointment-type.ts';
import { hasFamilyDoctor } from './patient-facts.ts';

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
    expect(APPOINTMENT_TYPE_CODES.filter((code) => gives(nurse, code))).toEqual(['O', 'P']);
    expect(APPOINTMENT_TYPE_CODES.filter((code) => gives(doctor, code))).toEqual([
      ...APPOINTMENT_TYPE_CODES,
    ]);
  });
});
