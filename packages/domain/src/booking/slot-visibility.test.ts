import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDay, toInstant } from '../clinic-time.ts';
import { NOW, aDoctor, aPatient, aStatus, anAppointmentType } from '../testing/index.ts';
import { isFarEnoughAhead, whyUntimely } from './booking-window.ts';
import { INACTIVE_PROVIDER_COMMENT, whyDoctorHidden, whyUnselectable } from './doctor-choice.ts';
import type { VisibilityFacts } from './doctor-choice.ts';

const facts = (over: Partial<VisibilityFacts> = {}): VisibilityFacts => ({
  type: anAppointmentType(),
  doctor: aDoctor(),
  status: aStatus(),
  patient: aPatient(),
  ...over,
});
const enforcing = anAppointmentType({ enforceMrp: true, enforceNoPcp: true });

describe('why a slot is hidden (§5 Slot visibility)', () => {
  const start = toInstant('2026-12-15', '13:00');

  // Shows: 5.slot-visibility.2, 9.window.1, R-12
  test('one exactly 30 minutes ahead is, one second more and it is shown (R-12)', () => {
    expect(whyUntimely(start, start - 1800)).toBe('slotTooSoon');
    expect(whyUntimely(start, start - 1801)).toBeNull();
    expect(whyUntimely(start, start + 1)).toBe('slotTooSoon');
    expect([isFarEnoughAhead(1800, 0), isFarEnoughAhead(1801, 0)]).toEqual([false, true]);
  });

  // Shows: 5.slot-visibility.2, R-13
  test('the last slot of day 90 is shown, the first of day 91 is hidden (R-13)', () => {
    expect(whyUntimely(toInstant('2027-02-19', '23:55'), NOW)).toBeNull();
    expect(whyUntimely(startOfDay('2027-02-20'), NOW)).toBe('slotTooLate');
  });

  // Shows: 5.slot-visibility.3, 6.restrictions.2
  test.each([
    ['inactive', facts({ status: aStatus({ active: false }) })],
    ['hidden', facts({ status: aStatus({ hidden: true }) })],
    ['disabled', facts({ status: aStatus({ disabled: true }) })],
    ['blocked', facts({ patient: aPatient({ blockedProviders: ['101'] }) })],
    [
      'noPcpConflict',
      facts({
        type: enforcing,
        status: aStatus({ noPcp: true }),
        patient: aPatient({ hasFamilyDoctor: true }),
      }),
    ],
    [
      'familyOnly',
      facts({
        type: enforcing,
        status: aStatus({ familyOnly: true }),
        patient: aPatient({ hasActivePrimaryDoctor: false }),
      }),
    ],
    [
      'notGiven',
      facts({
        type: anAppointmentType({ code: 'V' }),
        doctor: aDoctor({ firstName: 'Jordan NP' }),
      }),
    ],
  ] as const)('a doctor who is %s hides all slots', (reason, because) => {
    expect(whyDoctorHidden(because)).toBe(reason);
  });

  // Shows: 5.doctor-choice.3, R-23
  test('a failed primary-doctor check hides slots that step 1 still let choose (R-23)', () => {
    const unknown = facts({
      type: enforcing,
      status: aStatus({ familyOnly: true }),
      patient: aPatient({ hasActivePrimaryDoctor: 'unknown' }),
    });
    expect(whyDoctorHidden(unknown)).toBe('primaryDoctorUnknown');
    const { doctor, status, type, patient } = unknown;
    expect(whyUnselectable(doctor, status, type, patient)).toBeNull();
    const notAsked = { ...unknown, type: anAppointmentType({ enforceNoPcp: true }) };
    expect(whyDoctorHidden(notAsked)).toBeNull();
  });

  // Shows: R-22
  test('the comment about an inactive provider hides nothing while the type enforces nothing', () => {
    const status = aStatus({ disabled: true, comment: INACTIVE_PROVIDER_COMMENT });
    expect(whyDoctorHidden(facts({ status }))).toBeNull();
    expect(whyDoctorHidden(facts({ status, type: enforcing }))).toBe('disabled');
  });

  test('a shown slot is always of a doctor who could be chosen', () => {
    const status = fc.record({
      disabled: fc.boolean(),
      comment: fc.constantFrom('', 'Away', INACTIVE_PROVIDER_COMMENT),
      hidden: fc.boolean(),
      familyOnly: fc.boolean(),
      noPcp: fc.boolean(),
      active: fc.boolean(),
    });
    const patient = fc.record({
      hasFamilyDoctor: fc.boolean(),
      hasActivePrimaryDoctor: fc.constantFrom(true, false, 'unknown' as const),
      blockedProviders: fc.constantFrom([], ['101'], ['102']),
    });
    const type = fc.record({
      enforceMrp: fc.boolean(),
      enforceNoPcp: fc.boolean(),
      byNursePractitioners: fc.boolean(),
    });
    fc.assert(
      fc.property(type, status, patient, (chosen, state, who) => {
        const because = facts({ type: chosen, status: state, patient: who });
        if (whyDoctorHidden(because) !== null) return;
        expect(state.active && !state.hidden).toBe(true);
        expect(whyUnselectable(because.doctor, state, chosen, who)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});
