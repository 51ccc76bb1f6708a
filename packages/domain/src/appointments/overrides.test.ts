import { describe, expect, test } from 'vitest';
import { toInstant } from '../clinic-time.ts';
import { NOW, aStatus, aDoctor, anAccount, anAppointmentType } from '../testing/index.ts';
import {
  type Case,
  KEY,
  decide,
  hold,
  inWords,
  own,
  slot,
  start,
  tomorrow,
} from '../testing/reservations.ts';
import type { ByStaff } from './why-not-offered.ts';
import { mayOverride } from './overrides.ts';
import { dayTemplate } from '../booking/day-template.ts';

const USUAL: ByStaff = { minutes: null, overrides: false, withPaymentLink: false };
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
    ['twoUpcoming', { facts: { ownAppointments: two } }],
    ['oneEachDay', { facts: { ownAppointments: [own({ id: 'a', start: start + 3600 })] } }],
    ['bookingBlocked', { patient: { account: anAccount({ bookingBlocked: true }) } }],
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
        facts: { ownAppointments: [own({ id: 'old', start: NOW + 3600 })] },
        request: { rescheduleOf: 'old' },
      },
    ],
  ])('%s: refused without a reason, and with one taken', (code, given) => {
    expect(inWords(staff(given))).toBe(code);
    expect(staff(given, { overrides: true })).toMatchObject({ kind: 'grant', overridden: [code] });
  });

  // Shows: R-98
  test.each<readonly [string, Case]>([
    ['slotTooLate', at(toInstant('2027-04-01', '13:00'))],
    ['slotTooSoon', at(NOW - 300)],
    ['typeNotOffered', { facts: { type: null } }],
    ['doctorNotAvailable', { facts: { provider: null } }],
    ['doctorNotAvailable', withProvider({ active: false })],
    ['paymentUnderWay', { facts: { ownAppointments: [hold({ state: 'paying' })] } }],
    ['clinicConfirming', { facts: { ownAppointments: [hold({ state: 'confirming' })] } }],
    ['notFound', { request: { rescheduleOf: 'nothing' } }],
    [
      'notFound',
      {
        facts: { ownAppointments: [own({ id: 'old', type: 'D' })] },
        request: { rescheduleOf: 'old' },
      },
    ],
    ['slotNotOffered', at(toInstant('2026-12-15', '23:55'))],
  ])('%s: refused, whatever the reason', (code, given) => {
    expect(inWords(staff(given, { overrides: true, minutes: 15 }))).toBe(code);
  });

  test('names every rule that is broken, and takes only with a reason for all', () => {
    const given: Case = {
      facts: { ownAppointments: two },
      patient: { account: anAccount({ bookingBlocked: true }) },
    };
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
    expect(staff(given)).toMatchObject({ kind: 'grant', paidCents: 0, overridden: [] });
  });

  test('a time that is taken is not in the table of what may be', () => {
    expect(mayOverride('slotTaken')).toBe(false);
    expect(mayOverride('twoUpcoming')).toBe(true);
    expect(mayOverride('deskLocked')).toBe(false);
    expect(mayOverride(null)).toBe(false);
  });
});

describe('A time that staff hold for a payment link (R-98)', () => {
  const priced = anAppointmentType({ chargeCents: 20_000 });
  const ahead = { placedAt: NOW - 3_600, expiresAt: NOW + 82_800 };
  const linked = (over: Parameters<typeof hold>[0] = {}) =>
    hold({
      state: 'linked',
      bookedBy: 'robin',
      holdPlacedAt: ahead.placedAt,
      holdExpiresAt: ahead.expiresAt,
      ...over,
    });
  const facts = (own: ReturnType<typeof hold>[]) => ({
    facts: { type: priced, ownAppointments: own },
  });
  const paying = (own: ReturnType<typeof hold>[], over: Case = {}) =>
    inWords(decide('pay', { ...over, ...facts(own) }));

  // Shows: R-98
  test('is held for 24 hours, and no longer than to half an hour before the start', () => {
    expect(inWords(staff(facts([]), { withPaymentLink: true }))).toBe('take, 0..1440 min');
    const soon = (ahead: number) =>
      inWords(
        staff(
          { facts: { type: priced, now: start - ahead }, request: {} },
          { withPaymentLink: true, overrides: true },
        ),
      );
    expect(soon(3_600)).toBe(
      `take, ${(start - 3_600 - NOW) / 60}..${(start - 1_800 - NOW) / 60} min`,
    );
    expect(soon(2_700)).toMatch(/^take/);
    expect(soon(2_699)).toBe('linkTooSoon');
  });

  test('is for a fee, and in place of no payment that is under way', () => {
    expect(inWords(staff({}, { withPaymentLink: true, overrides: true }))).toBe('nothingToPay');
    const other = hold({ state: 'paying', start: start + 3_600, end: start + 3_900 });
    expect(inWords(staff(facts([other]), { withPaymentLink: true }))).toBe('paymentUnderWay');
  });

  // Shows: R-98
  test('is paid against what staff may override, and against nothing else', () => {
    const rules: Case = {
      patient: { account: anAccount({ bookingBlocked: true }), disabledTypes: ['O'] },
    };
    expect(paying([linked(), ...two], rules)).toBe('renew the-hold, paid 20000, -60..1380 min');
    expect(paying([hold(), ...two], rules)).toBe('bookingBlocked');
    expect(inWords(decide('book', facts([linked()])))).toBe('paymentRequired');
  });

  test.each<readonly [string, Case['facts']]>([
    ['doctorNotAvailable', withProvider({ active: false }).facts],
    ['doctorNotAvailable', { provider: null }],
    ['typeNotOffered', { type: null }],
  ])('%s: paid by nobody, as staff themselves could not book it', (code, over) => {
    for (const purpose of ['pay', 'book', 'hold'] as const)
      expect(
        inWords(decide(purpose, { facts: { type: priced, ownAppointments: [linked()], ...over } })),
      ).toBe(code);
  });

  test('keeps its patient from any other time or type, and staff from booking beside it', () => {
    const elsewhere = { request: { slot: { ...slot, start: start + 3_600, end: start + 3_900 } } };
    for (const purpose of ['hold', 'book', 'pay', 'reschedule'] as const)
      expect(inWords(decide(purpose, { ...facts([linked()]), ...elsewhere }))).toBe('linkStands');
    const another = { request: { slot: { ...slot, type: 'P' } } };
    expect(inWords(decide('hold', { ...facts([linked()]), ...another }))).toBe('linkStands');
    expect(inWords(staff({ ...facts([linked()]), ...elsewhere }, { overrides: true }))).toBe(
      'linkStands',
    );
    expect(inWords(staff(facts([linked()]), { withPaymentLink: true }))).toBe('keep the-hold');
    expect(inWords(staff(facts([linked()])))).toMatch(/^renew the-hold/);
  });

  test('is like none once it lapsed, also before a sweeper came by', () => {
    const over = linked({ holdExpiresAt: NOW });
    expect(paying([over])).toBe('take, replaces the-hold, paid 20000, 0..15 min');
    expect(paying([over], { patient: { account: anAccount({ bookingBlocked: true }) } })).toBe(
      'bookingBlocked',
    );
  });

  test('gives whoever begins to pay before its end 15 minutes, however often', () => {
    const last = linked({ holdPlacedAt: NOW - 86_340, holdExpiresAt: NOW + 60 });
    expect(paying([last])).toContain(`..15 min`);
    const prolonged = linked({ holdPlacedAt: NOW - 87_000, holdExpiresAt: NOW + 300 });
    expect(paying([prolonged])).toContain('..5 min');
  });

  test('asked for again after its end, a payment under way goes on as it is', () => {
    const late = linked({
      state: 'linkedPaying',
      holdPlacedAt: NOW - 87_000,
      holdExpiresAt: NOW - 60,
    });
    expect(paying([late])).toBe('renew the-hold, paid 20000, -1450..-1 min');
  });

  test('is made due only as what was asked of: not once it is over, given back or another one', () => {
    const due = (own: ReturnType<typeof hold>[], link = 'the-hold') =>
      inWords(staff(facts(own), { paymentLinkHoldId: link }));
    expect(due([linked()])).toMatch(/^renew the-hold/);
    expect(due([linked({ holdExpiresAt: NOW })])).toBe('holdGone');
    expect(due([linked({ state: 'linkedPaying', holdExpiresAt: NOW })])).toBe('paymentUnderWay');
    expect(due([])).toBe('holdGone');
    expect(due([linked()], 'another')).toBe('holdGone');
    expect(due([own({ id: 'the-hold', requestKey: KEY, type: 'O' })])).toBe('repeat the-hold');
  });

  test('sent again once it is paid, it is what stands there, and nothing else of the patient', () => {
    const paidFor = own({ requestKey: 'sent:book-the-hold', paidNow: 20_000 });
    expect(inWords(staff(facts([paidFor]), { withPaymentLink: true }))).toBe('repeat booked-one');
    const ended = own({ state: 'cancelled' });
    for (const other of [ended, own({ type: 'D' }), own(tomorrow)])
      expect(inWords(staff(facts([other]), { withPaymentLink: true, overrides: true }))).toMatch(
        /^take/,
      );
  });
});
