import { describe, expect, it } from 'vitest';

import { dayTemplate } from '../booking/day-template.ts';
import { toInstant } from '../clinic-time.ts';
import { NOW, aDoctor, aStatus, anAccount, anAppointmentType } from '../testing/index.ts';
import {
  HOLD,
  KEY,
  PURPOSES,
  decide,
  elsewhere,
  hold,
  inWords,
  lapsed,
  own,
  slot,
  start,
  tomorrow,
} from '../testing/reservations.ts';
import type { Case, Facts } from '../testing/reservations.ts';
import type { OwnAppointment } from './appointment.ts';
import type { ReservationPurpose } from './reservation.ts';

type Row = readonly [when: string, given: Case, then: string];
/** The same for several purposes. */
const table = (purposes: readonly ReservationPurpose[], rows: readonly Row[]) => {
  for (const purpose of purposes)
    it.each(rows)(`${purpose}: %s`, (_, given, then) => {
      expect(inWords(decide(purpose, given))).toBe(then);
    });
};

const free = anAppointmentType();
const priced = anAppointmentType({ chargeCents: 20_000 });
const typeFor = (purpose: ReservationPurpose) => (purpose === 'pay' ? priced : free);
/** What is decided alike: a price where one is needed, an appointment to move where one is moved. */
function alike(purpose: ReservationPurpose, given: Case): Case {
  const moved = own({ id: 'old', ...tomorrow });
  const mine = given.facts?.ownAppointments ?? [];
  return {
    ...given,
    request: { ...given.request, ...(purpose === 'reschedule' ? { rescheduleOf: 'old' } : {}) },
    facts: {
      type: typeFor(purpose),
      ...given.facts,
      ownAppointments: purpose === 'reschedule' ? [...mine, moved] : mine,
    },
  };
}

describe('the offer, alike for every purpose', () => {
  const status = (over: Parameters<typeof aStatus>[0]) => ({
    provider: { ...aDoctor(), status: aStatus(over) },
  });
  const family = { ...status({ familyOnly: true }) };
  const rows: readonly Row[] = [
    [
      'a patient who is blocked',
      { patient: { account: anAccount({ bookingBlocked: true }) } },
      'bookingBlocked',
    ],
    ['a type that the clinic does not offer', { facts: { type: null } }, 'typeNotOffered'],
    [
      'a type that the patient may not have',
      { patient: { disabledTypes: ['O'] } },
      'typeNotOffered',
    ],
    ['a provider whom nobody knows', { facts: { provider: null } }, 'doctorNotAvailable'],
    ['a provider who left', { facts: status({ active: false }) }, 'doctorNotAvailable'],
    ['a provider who is not shown', { facts: status({ hidden: true }) }, 'doctorNotAvailable'],
    ['a provider who takes nobody', { facts: status({ disabled: true }) }, 'doctorNotAvailable'],
    [
      'a provider who does not see the patient',
      { patient: { blockedProviders: ['101'] } },
      'doctorNotAvailable',
    ],
    ['a day without a template', { facts: { template: null } }, 'slotNotOffered'],
    ['a time without work', { facts: { template: dayTemplate([]) } }, 'slotNotOffered'],
    [
      'a time for another type',
      { facts: { template: dayTemplate([{ from: 0, to: 288, code: 'D' }]) } },
      'slotNotOffered',
    ],
    [
      'a slot off the grid',
      { request: { slot: { ...slot, start: start + 1, end: start + 301 } } },
      'slotNotOffered',
    ],
    ['exactly 30 minutes ahead', { facts: { now: start - 1800 } }, 'slotTooSoon'],
    ['beyond the window', { facts: { now: toInstant('2026-06-01', '09:00') } }, 'slotTooLate'],
  ];
  for (const purpose of PURPOSES)
    it.each(rows)(`${purpose}: %s`, (_, given, then) => {
      const type = given.facts && 'type' in given.facts ? given.facts.type : typeFor(purpose);
      const whole = alike(purpose, { ...given, facts: { ...given.facts, type: type ?? null } });
      expect(inWords(decide(purpose, whole))).toBe(then);
    });

  it.each(PURPOSES)('%s: the primary doctor is asked for only where it decides', (purpose) => {
    const enforced = { ...typeFor(purpose), enforceMrp: true };
    const decided = (facts: Partial<Facts>) =>
      inWords(decide(purpose, alike(purpose, { facts: { type: enforced, ...facts } })));
    expect(decided({})).not.toBe('askPrimaryDoctor');
    expect(decided(family)).toBe('askPrimaryDoctor');
    expect(decided({ ...family, primaryDoctor: true })).toMatch(/^take/);
    expect(decided({ ...family, primaryDoctor: false })).toBe('doctorFamilyOnly');
    expect(decided({ ...family, primaryDoctor: 'unknown' })).toBe('primaryDoctorUnknown');
  });

  it.each(PURPOSES)(
    '%s: a doctor without a primary practice takes no patient who has one',
    (purpose) => {
      const facts = {
        type: { ...typeFor(purpose), enforceNoPcp: true },
        ...status({ noPcp: true }),
      };
      const decided = (familyDoctor: boolean) =>
        inWords(decide(purpose, alike(purpose, { facts, patient: { familyDoctor } })));
      expect(decided(true)).toBe('doctorNoPcp');
      expect(decided(false)).toMatch(/^take/);
    },
  );

  it.each(PURPOSES)(
    '%s: 30 minutes were decided when the hold that stands was placed',
    (purpose) => {
      const at = { holdPlacedAt: start - 1860, holdExpiresAt: start - 1260 };
      const decided = (over: Partial<OwnAppointment>) => {
        const now = start - 1500;
        return inWords(
          decide(
            purpose,
            alike(purpose, { facts: { now, ownAppointments: [hold({ ...at, ...over })] } }),
          ),
        );
      };
      expect(decided({})).toMatch(/^renew/);
      expect(decided({ holdExpiresAt: start - 1500 })).toBe('slotTooSoon');
    },
  );

  // Shows
  it.each(PURPOSES)('%s: whether the provider is offered was decided with the hold', (purpose) => {
    const now = start - 3600;
    const at = { holdPlacedAt: now - 60, holdExpiresAt: now + 540 };
    const decided = (over: Parameters<typeof aStatus>[0], held: Partial<OwnAppointment> = {}) => {
      const facts = { now, ownAppointments: [hold({ ...at, ...held })], ...status(over) };
      return inWords(decide(purpose, alike(purpose, { facts })));
    };
    expect(decided({ hidden: true })).toMatch(/^renew/);
    expect(decided({ disabled: true })).toMatch(/^renew/);
    expect(decided({ disabled: true }, { holdExpiresAt: now })).toBe('doctorNotAvailable');
    expect(decided({ disabled: true }, { type: 'P' })).toBe('doctorNotAvailable');
    expect(decided({ active: false })).toBe('doctorNotAvailable');
  });
});

describe('to hold a slot', () => {
  table(
    ['hold'],
    [
      ['nothing in the way', {}, 'take, 0..10 min'],
      [
        'the same slot again',
        { facts: { ownAppointments: [hold()] } },
        `renew ${HOLD}, -4..10 min`,
      ],
      [
        'entering payment',
        { facts: { ownAppointments: [hold()] }, request: { forPayment: true } },
        `renew ${HOLD}, -4..15 min`,
      ],
      [
        '30 minutes in total at most',
        {
          facts: { ownAppointments: [hold({ holdPlacedAt: NOW - 1500, holdExpiresAt: NOW + 60 })] },
        },
        `renew ${HOLD}, -25..5 min`,
      ],
      [
        'the same slot after it lapsed',
        { facts: { ownAppointments: [hold(lapsed)] } },
        `renew ${HOLD}, 0..10 min`,
      ],
      [
        'another slot',
        { facts: { ownAppointments: [hold(elsewhere)] } },
        `take, replaces ${HOLD}, 0..10 min`,
      ],
      [
        'the EMR is being asked',
        { facts: { ownAppointments: [hold({ state: 'confirming' })] } },
        'clinicConfirming',
      ],
      [
        'the same slot while it is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying' })] } },
        `keep ${HOLD}`,
      ],
      [
        'the same slot for another type while it is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying', type: 'D' })] } },
        `give up the payment of ${HOLD}`,
      ],
      [
        'another slot while one is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying', ...elsewhere })] } },
        `give up the payment of ${HOLD}`,
      ],
      [
        'another slot that may not be had, while one is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying', ...elsewhere })], template: null } },
        'slotNotOffered',
      ],
      ['too often', { facts: { retryAfter: 40 } }, 'tooManyRequests 40'],
      [
        'too often, the same slot',
        { facts: { retryAfter: 40, ownAppointments: [hold()] } },
        `renew ${HOLD}, -4..10 min`,
      ],
      ['one on that day', { facts: { ownAppointments: [own(elsewhere)] } }, 'oneEachDay'],
      [
        'one on that day, where several are allowed',
        { patient: { eligibility: 'R' }, facts: { ownAppointments: [own(elsewhere)] } },
        'take, 0..10 min',
      ],
      [
        'two ahead',
        {
          patient: { eligibility: 'R' },
          facts: { ownAppointments: [own(tomorrow), own(elsewhere)] },
        },
        'twoUpcoming',
      ],
      [
        'a fee and missing documents are for later',
        {
          patient: { eligibility: 'NE' },
          facts: { type: anAppointmentType({ chargeCents: 9_000, requiresDocuments: true }) },
        },
        'take, 0..10 min',
      ],
      [
        'to move one, beyond every limit',
        {
          facts: { ownAppointments: [own(elsewhere), own({ id: 'old', ...tomorrow })] },
          request: { rescheduleOf: 'old' },
        },
        'take, moves old, 0..10 min',
      ],
      ['to move one that is nobody’s', { request: { rescheduleOf: 'old' } }, 'notFound'],
      [
        'to move one of another type',
        {
          facts: { ownAppointments: [own({ id: 'old', type: 'D', ...tomorrow })] },
          request: { rescheduleOf: 'old' },
        },
        'notReschedulable',
      ],
    ],
  );
});

describe('to book and to pay', () => {
  for (const purpose of ['book', 'pay'] as const) {
    const paid = purpose === 'pay' ? ', paid 20000' : '';
    const minutes = purpose === 'pay' ? 15 : 10;
    const rows: readonly Row[] = [
      ['without a hold', {}, `take${paid}, 0..${minutes} min`],
      [
        'from the hold',
        { facts: { ownAppointments: [hold()] } },
        `renew ${HOLD}${paid}, ${purpose === 'pay' ? -4 : 0}..${minutes} min`,
      ],
      [
        'from a hold that lapsed',
        { facts: { ownAppointments: [hold(lapsed)] } },
        `renew ${HOLD}${paid}, 0..${minutes} min`,
      ],
      [
        'another slot than the one held',
        { facts: { ownAppointments: [hold(elsewhere)] } },
        `take, replaces ${HOLD}${paid}, 0..${minutes} min`,
      ],
      [
        'the EMR is being asked',
        { facts: { ownAppointments: [hold({ state: 'confirming' })] } },
        'clinicConfirming',
      ],
      [
        'another is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying', ...elsewhere })] } },
        'paymentUnderWay',
      ],
      [
        'the same is paid for, for another type',
        { facts: { ownAppointments: [hold({ state: 'paying', type: 'D' })] } },
        'paymentUnderWay',
      ],
      [
        'the same request again',
        { facts: { ownAppointments: [own({ requestKey: KEY })] } },
        'repeat booked-one',
      ],
      [
        'the same request again, though nothing is offered any more',
        {
          patient: { account: anAccount({ bookingBlocked: true }) },
          facts: { ownAppointments: [own({ requestKey: KEY })] },
        },
        'repeat booked-one',
      ],
      [
        'the same request again, after it ended',
        { facts: { ownAppointments: [own({ requestKey: KEY, state: 'cancelled' })] } },
        'repeat booked-one',
      ],
      [
        'the same key for another slot',
        { facts: { ownAppointments: [own({ requestKey: KEY, ...elsewhere })] } },
        'requestReused',
      ],
      [
        'the same key for another type',
        { facts: { ownAppointments: [own({ requestKey: KEY, type: 'D' })] } },
        'requestReused',
      ],
      [
        'the hold of the key was booked',
        { request: { keyHoldId: HOLD }, facts: { ownAppointments: [own({ id: HOLD })] } },
        `repeat ${HOLD}`,
      ],
      [
        'the hold of the key was given up',
        {
          request: { keyHoldId: HOLD },
          facts: { ownAppointments: [hold({ state: 'givenUp', holdExpiresAt: null })] },
        },
        'holdGone',
      ],
      [
        'the hold of the key was given up, and the slot is held anew',
        {
          request: { keyHoldId: 'first' },
          facts: {
            ownAppointments: [hold({ id: 'first', state: 'givenUp', holdExpiresAt: null }), hold()],
          },
        },
        `renew ${HOLD}${paid}, ${purpose === 'pay' ? -4 : 0}..${minutes} min`,
      ],
      [
        'the hold of the key lapsed',
        {
          request: { keyHoldId: HOLD },
          facts: { ownAppointments: [hold({ state: 'lapsed', ...lapsed })] },
        },
        `take${paid}, 0..${minutes} min`,
      ],
      ['one on that day', { facts: { ownAppointments: [own(elsewhere)] } }, 'oneEachDay'],
      [
        'one registered on that day',
        { facts: { ownAppointments: [own({ state: 'registered', ...elsewhere })] } },
        'oneEachDay',
      ],
      [
        'one cancelled on that day',
        { facts: { ownAppointments: [own({ state: 'cancelled', ...elsewhere })] } },
        `take${paid}, 0..${minutes} min`,
      ],
      [
        'two ahead',
        {
          patient: { eligibility: 'R' },
          facts: { ownAppointments: [own(tomorrow), own(elsewhere)] },
        },
        'twoUpcoming',
      ],
    ];
    it.each(rows)(`${purpose}: %s`, (_, given, then) => {
      const facts = { type: typeFor(purpose), ...given.facts };
      expect(inWords(decide(purpose, { ...given, facts }))).toBe(then);
    });

    const withDocuments = { ...typeFor(purpose), requiresDocuments: true };
    it.each<Row>([
      [
        'documents are missing',
        { patient: { eligibility: 'NE' }, facts: { type: withDocuments } },
        'documentsMissing',
      ],
      [
        'documents are missing and not needed of this patient',
        { facts: { type: withDocuments } },
        `take${paid}, 0..${minutes} min`,
      ],
      [
        'documents are there',
        { patient: { eligibility: 'NE', documentsUploaded: true }, facts: { type: withDocuments } },
        `take${paid}, 0..${minutes} min`,
      ],
    ])(`${purpose}: %s`, (_, given, then) => {
      expect(inWords(decide(purpose, given))).toBe(then);
    });

    it(`${purpose}: an immigration exam without its form`, () => {
      const immigration = { ...slot, type: 'M' };
      const facts = {
        type: { ...typeFor(purpose), code: 'M', form: 'immigration' as const },
        template: dayTemplate([{ from: 0, to: 288, code: 'M' }]),
      };
      const decided = (medicalProfileKept: boolean) =>
        inWords(
          decide(purpose, {
            facts,
            patient: { medicalProfileKept },
            request: { slot: immigration },
          }),
        );
      expect(decided(false)).toBe('medicalProfileMissing');
      expect(decided(true)).toMatch(/^take/);
    });
  }

  table(
    ['book'],
    [
      ['a fee', { facts: { type: priced } }, 'paymentRequired'],
      [
        'a fee comes before documents',
        { patient: { eligibility: 'NE' }, facts: { type: { ...priced, requiresDocuments: true } } },
        'paymentRequired',
      ],
      [
        'the same is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying' })] } },
        'paymentUnderWay',
      ],
      ['too often', { facts: { retryAfter: 40 } }, 'tooManyRequests 40'],
      [
        'too often, the same request again',
        { facts: { retryAfter: 40, ownAppointments: [own({ requestKey: KEY })] } },
        'repeat booked-one',
      ],
      [
        'the same request while the EMR is asked',
        { facts: { ownAppointments: [hold({ requestKey: KEY, state: 'confirming' })] } },
        `repeat ${HOLD}`,
      ],
    ],
  );

  table(
    ['pay'],
    [
      ['no fee', {}, 'nothingToPay'],
      [
        'no fee any more, while it is paid for',
        { facts: { ownAppointments: [hold({ state: 'paying' })] } },
        `renew ${HOLD}, -4..15 min`,
      ],
      [
        'the same request while it is paid for',
        { facts: { type: priced, ownAppointments: [hold({ state: 'paying', requestKey: KEY })] } },
        `renew ${HOLD}, paid 20000, -4..15 min`,
      ],
      [
        'its payment outlasts the hold',
        { facts: { type: priced, ownAppointments: [hold({ state: 'paying', ...lapsed })] } },
        `renew ${HOLD}, paid 20000, ${-700 / 60}..${-100 / 60} min`,
      ],
      [
        'a slot that is paid for, under another key',
        { facts: { type: priced, ownAppointments: [own({ paidNow: 20_000 })] } },
        'repeat booked-one',
      ],
      [
        'a slot that is booked, and was free',
        { facts: { type: priced, ownAppointments: [own()] } },
        'oneEachDay',
      ],
      [
        'the key of a hold on another slot',
        { facts: { type: priced, ownAppointments: [hold({ requestKey: KEY, ...elsewhere })] } },
        'requestReused',
      ],
    ],
  );
});

describe('to move an appointment', () => {
  const old = (over: Partial<OwnAppointment> = {}) => own({ id: 'old', ...tomorrow, ...over });
  table(
    ['reschedule'],
    [
      [
        'the one named',
        { facts: { ownAppointments: [old()] }, request: { rescheduleOf: 'old' } },
        'take, moves old, 0..10 min',
      ],
      [
        'the only one of the type',
        { facts: { ownAppointments: [old(), own({ type: 'D' })] } },
        'take, moves old, 0..10 min',
      ],
      [
        'one of several, unnamed',
        { facts: { ownAppointments: [old(), own(elsewhere)] } },
        'rescheduleUnclear',
      ],
      ['none', {}, 'rescheduleUnclear'],
      [
        'the one that the hold was made for',
        { facts: { ownAppointments: [old(), own(elsewhere), hold({ rescheduledFrom: 'old' })] } },
        `renew ${HOLD}, moves old, 0..10 min`,
      ],
      ['somebody else’s', { request: { rescheduleOf: 'old' } }, 'notFound'],
      [
        'a hold',
        { facts: { ownAppointments: [hold(elsewhere)] }, request: { rescheduleOf: HOLD } },
        'notFound',
      ],
      [
        'one of another type',
        { facts: { ownAppointments: [old({ type: 'D' })] }, request: { rescheduleOf: 'old' } },
        'notReschedulable',
      ],
      [
        'one that ended',
        {
          facts: { ownAppointments: [old({ state: 'cancelled' })] },
          request: { rescheduleOf: 'old' },
        },
        'notReschedulable',
      ],
      [
        'one that the clinic does not let move',
        {
          facts: { ownAppointments: [old({ isReschedulable: false })] },
          request: { rescheduleOf: 'old' },
        },
        'notReschedulable',
      ],
      [
        'one that its patient has cancelled, which the EMR has not confirmed',
        {
          facts: { ownAppointments: [old({ cancelAskedAt: NOW })] },
          request: { rescheduleOf: 'old' },
        },
        'notReschedulable',
      ],
      [
        '24 hours ahead',
        {
          facts: { ownAppointments: [old({ start: NOW + 86_400 })] },
          request: { rescheduleOf: 'old' },
        },
        'notReschedulable',
      ],
      [
        '24 hours ahead, decided when it was held',
        {
          facts: {
            ownAppointments: [old({ start: NOW + 86_400 }), hold({ rescheduledFrom: 'old' })],
          },
          request: { rescheduleOf: 'old' },
        },
        `renew ${HOLD}, moves old, 0..10 min`,
      ],
      [
        'what was paid moves with it',
        { facts: { type: priced, ownAppointments: [old({ paidNow: 7_500 })] } },
        'take, moves old, paid 7500, 0..10 min',
      ],
      [
        'no fee, no documents, no limits',
        {
          patient: { eligibility: 'NE' },
          facts: {
            type: { ...priced, requiresDocuments: true },
            ownAppointments: [old(), own({ ...elsewhere, type: 'D' }), own({ type: 'D' })],
          },
        },
        'take, moves old, 0..10 min',
      ],
      [
        'the same is paid for',
        { facts: { ownAppointments: [old(), hold({ state: 'paying' })] } },
        'paymentUnderWay',
      ],
      ['too often', { facts: { retryAfter: 40, ownAppointments: [old()] } }, 'tooManyRequests 40'],
      [
        'the same request again',
        {
          facts: { ownAppointments: [own({ requestKey: KEY, rescheduledFrom: 'old' })] },
          request: { rescheduleOf: 'old' },
        },
        'repeat booked-one',
      ],
    ],
  );
});
