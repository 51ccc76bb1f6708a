import { describe, expect, test } from 'vitest';
import { toInstant } from '../clinic-time.ts';
import { NOW, aStatus, aDoctor, anAppointmentType } from '../testing/index.ts';
import {
  type Case,
  decide,
  hold,
  inWords,
  own,
  slot,
  start,
  tomorrow,
} from '../testing/reservations.ts';
import type { ByStaff } from './reservation.ts';
import { mayOverride } from './overrides.ts';
import { dayTemplate } from '../booking/availability.ts';

const USUAL: ByStaff = { minutes: null, overrides: false };
const staff = (given: Case, byStaff: Partial<ByStaff> = {}) =>
  decide('staff', {
    ...given,
    request: { ...given.request, byStaff: { ...USUAL, ...byStaff } },
  });
const withProvider = (over: Partial<ReturnType<typeof aStatus>>): Case => ({
  facts: { provider: { ...aDoctor(), status: aStatus(over) } },
});
const two = [own({ id: 'a', ...tomorrow }), own({ id: 'b', start: start + 172_800 })];
const at = (from: number): Case => ({ request: { slot: { ...slot, start: from } } });

describe('What staff may override (R-98)', () => {
  // Shows: R-98
  test.each<readonly [string, Case]>([
    ['twoUpcoming', { facts: { own: two } }],
    ['oneEachDay', { facts: { own: [own({ id: 'a', start: start + 3600 })] } }],
    ['bookingBlocked', { patient: { bookingBlocked: true } }],
    ['typeNotOffered', { patient: { disabledTypes: ['O'] } }],
    ['doctorNotAvailable', withProvider({ hidden: true })],
    ['doctorNotAvailable', { patient: { blockedProviders: ['101'] } }],
    ['slotNotOffered', { facts: { template: dayTemplate([]) } }],
    ['slotNotOffered', { facts: { template: null } }],
    ['slotTooSoon', at(NOW - (NOW % 300) + 300)],
    [
      'documentsMissing',
      {
        facts: { type: anAppointmentType({ requiresDocuments: true }) },
        patient: { eligibility: 'NR' },
      },
    ],
    [
      'notReschedulable',
      {
        facts: { own: [own({ id: 'old', start: NOW + 3600 })] },
        request: { rescheduleOf: 'old' },
      },
    ],
  ])('%s: refused without a reason, and with one taken', (code, given) => {
    expect(inWords(staff(given))).toBe(code);
    expect(staff(given, { overrides: true })).toMatchObject({ kind: 'take', overridden: [code] });
  });

  // Shows: R-98
  test.each<readonly [string, Case]>([
    ['slotTooLate', at(toInstant('2027-04-01', '13:00'))],
    ['slotTooSoon', at(NOW - 300)],
    ['typeNotOffered', { facts: { type: null } }],
    ['doctorNotAvailable', { facts: { provider: null } }],
    ['doctorNotAvailable', withProvider({ active: false })],
    ['paymentUnderWay', { facts: { own: [hold({ paying: true })] } }],
    ['clinicConfirming', { facts: { own: [hold({ confirming: true })] } }],
    ['notFound', { request: { rescheduleOf: 'nothing' } }],
    [
      'notFound',
      { facts: { own: [own({ id: 'old', type: 'D' })] }, request: { rescheduleOf: 'old' } },
    ],
    ['slotNotOffered', at(toInstant('2026-12-15', '23:55'))],
  ])('%s: refused, whatever the reason', (code, given) => {
    expect(inWords(staff(given, { overrides: true, minutes: 15 }))).toBe(code);
  });

  test('names every rule that is broken, and takes only with a reason for all', () => {
    const given: Case = { facts: { own: two }, patient: { bookingBlocked: true } };
    expect(inWords(staff(given))).toBe('bookingBlocked');
    expect(staff(given, { overrides: true })).toMatchObject({
      overridden: ['bookingBlocked', 'twoUpcoming'],
    });
  });

  test('another length than the clinic’s needs a reason', () => {
    expect(inWords(staff({}, { minutes: 20 }))).toBe('slotNotOffered');
    expect(staff({}, { minutes: 20, overrides: true })).toMatchObject({ end: start + 1200 });
    expect(staff({}, { minutes: 5 })).toMatchObject({ end: start + 300, overridden: [] });
  });

  test('a fee keeps nobody from a booking, because it is taken at the clinic', () => {
    const given = { facts: { type: anAppointmentType({ chargeCents: 7_500 }) } };
    expect(staff(given)).toMatchObject({ kind: 'take', paidCents: 0, overridden: [] });
  });

  test('a time that is taken is not in the table of what may be', () => {
    expect(mayOverride('slotTaken')).toBe(false);
    expect(mayOverride('twoUpcoming')).toBe(true);
    expect(mayOverride('deskLocked')).toBe(false);
    expect(mayOverride(null)).toBe(false);
  });
});
