import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LONGEST_HOLD_SECONDS } from '../booking/hold.ts';
import { NOW, anAccount, anAppointmentType } from '../testing/index.ts';
import {
  HOLD,
  KEY,
  PURPOSES,
  decide,
  factsOf,
  inWords,
  own,
  start,
} from '../testing/reservations.ts';
import type { Case } from '../testing/reservations.ts';
import { APPOINTMENT_STATES, isHold, isPaying } from './appointment-state.ts';
import type { OwnAppointment } from './appointment.ts';

const someOwn: fc.Arbitrary<OwnAppointment> = fc.record({
  ...Object.fromEntries(Object.entries(own()).map(([key, value]) => [key, fc.constant(value)])),
  id: fc.constantFrom('a', 'b', 'old', HOLD),
  providerId: fc.constantFrom('101', '102'),
  start: fc.constantFrom(start, start + 3600, start + 86_400, NOW + 3600),
  type: fc.constantFrom('O', 'D', 'V'),
  // A link has an end of its own.
  state: fc.constantFrom(...APPOINTMENT_STATES.filter((state) => !state.startsWith('linked'))),
  holdPlacedAt: fc.constantFrom(null, NOW - 240, NOW - 700),
  holdExpiresAt: fc.constantFrom(null, NOW + 360, NOW, NOW - 100),
  rescheduledFrom: fc.constantFrom(null, 'old'),
  requestKey: fc.constantFrom(null, null, KEY),
  paidNow: fc.constantFrom(0, 7_500, 20_000),
  isReschedulable: fc.boolean(),
}) as unknown as fc.Arbitrary<OwnAppointment>;

/** As the store has them: ids are unique, and a patient has one hold at most. */
const someOwns = fc.array(someOwn, { maxLength: 4 }).map((all) =>
  all
    .map((one) => ({ ...one, end: one.start + 300 }))
    .filter((one, at) => all.findIndex(({ id }) => id === one.id) === at)
    .filter((one, at, rest) => !isHold(one) || rest.findIndex(isHold) === at),
);

const someCase = fc.record({
  purpose: fc.constantFrom(...PURPOSES),
  own: someOwns,
  cents: fc.constantFrom(0, 20_000),
  documents: fc.boolean(),
  eligibility: fc.constantFrom('E', 'NR', 'R', 'NE'),
  documentsUploaded: fc.boolean(),
  blocks: fc.record({ blocked: fc.boolean(), bookingBlocked: fc.boolean() }),
  retryAfter: fc.constantFrom(null, null, 40),
  keyHoldId: fc.constantFrom(null, HOLD),
  rescheduleOf: fc.constantFrom(null, 'old', 'a'),
  forPayment: fc.boolean(),
});

type SomeCase = typeof someCase extends fc.Arbitrary<infer Given> ? Given : never;

function run({ purpose, own: mine, cents, documents, ...rest }: SomeCase) {
  const { eligibility, documentsUploaded, blocks, retryAfter, keyHoldId, forPayment } = rest;
  const given: Case = {
    facts: {
      ownAppointments: mine,
      retryAfter: purpose === 'pay' ? null : retryAfter,
      type: anAppointmentType({ chargeCents: cents, requiresDocuments: documents }),
    },
    patient: { eligibility, documentsUploaded, account: anAccount(blocks) },
    request: {
      keyHoldId: purpose === 'hold' ? null : keyHoldId,
      rescheduleOf: purpose === 'hold' || purpose === 'reschedule' ? rest.rescheduleOf : null,
      forPayment,
    },
  };
  return { facts: factsOf(given), decision: decide(purpose, given) };
}

const always = (holds: (given: SomeCase, of: ReturnType<typeof run>) => void) =>
  fc.assert(
    fc.property(someCase, (given) => holds(given, run(given))),
    { numRuns: 4_000 },
  );

describe('of any reservation', () => {
  it('takes up the patient’s one hold: where it is, or to replace it', () => {
    always(({ own: mine }, { decision }) => {
      if (decision.kind !== 'grant') return;
      const held = mine.filter(isHold);
      expect([decision.hold, decision.replacedHold].filter((one) => one !== null)).toEqual(held);
    });
  });

  it('leaves alone what the EMR is being asked for', () => {
    always(({ own: mine }, { decision }) => {
      const isAsked = mine.some(({ state }) => state === 'confirming');
      expect(isAsked && !['refused', 'repeat'].includes(decision.kind)).toBe(false);
    });
  });

  it('leaves what is being paid for to its payment', () => {
    always(({ purpose, own: mine }, { decision }) => {
      const paying = mine.find(isPaying);
      if (!paying || decision.kind !== 'grant') return;
      expect([purpose, decision.hold?.id]).toEqual(['pay', paying.id]);
    });
  });

  it('has a hold end after it began, and within 30 minutes', () => {
    always((_, { decision, facts }) => {
      if (decision.kind !== 'grant') return;
      const { placedAt, expiresAt } = decision.period;
      expect(expiresAt - placedAt).toBeLessThanOrEqual(LONGEST_HOLD_SECONDS);
      if (!decision.hold || !isPaying(decision.hold)) expect(expiresAt).toBeGreaterThan(facts.now);
    });
  });

  it('books free what is free, pays what has a price, and moves what was paid', () => {
    always(({ purpose, cents }, { decision }) => {
      if (decision.kind !== 'grant') return;
      if (purpose === 'book') expect(cents).toBe(0);
      if (purpose === 'pay') expect(decision.paidCents).toBe(cents);
      else expect(decision.paidCents).toBe(decision.oldAppointment?.paidNow ?? 0);
    });
  });

  it('never gives a patient more than the limits, unless one is moved', () => {
    always(({ own: mine, eligibility }, { decision }) => {
      if (decision.kind !== 'grant' || decision.oldAppointment !== null) return;
      const booked = mine.filter(({ state, start: at }) => state === 'booked' && at > NOW);
      expect(booked.length).toBeLessThan(2);
      if (eligibility !== 'E' && eligibility !== 'NR') return;
      const sameDay = mine.filter(
        ({ state, start: at }) =>
          (state === 'booked' || state === 'registered') && at >= start && at < start + 86_400,
      );
      expect(sameDay).toEqual([]);
    });
  });

  it('moves only what stands, is of the type, and was asked for', () => {
    always(({ purpose, rescheduleOf }, { decision }) => {
      if (decision.kind !== 'grant') return;
      const { oldAppointment: moved } = decision;
      if (purpose === 'book' || purpose === 'pay') expect(moved).toBeNull();
      if (rescheduleOf !== null && (purpose === 'hold' || purpose === 'reschedule'))
        expect(moved?.id).toBe(rescheduleOf);
      if (moved === null) return;
      expect(['booked', 'registered']).toContain(moved.state);
      expect(moved.type).toBe('O');
    });
  });

  it('gives the same answer whatever order the facts come in', () => {
    always(({ ...given }, { decision }) => {
      const { decision: turned } = run({ ...given, own: given.own.toReversed() });
      // Of two that one request is said to have made, either may be named: the store has one.
      if (given.own.filter(({ requestKey }) => requestKey === KEY).length > 1) return;
      if (given.own.filter(({ paidNow }) => paidNow > 0).length > 1) return;
      expect(inWords(turned)).toBe(inWords(decision));
    });
  });

  it('offers nothing to a patient who is blocked, but tells what was booked before', () => {
    always(({ blocks }, { decision }) => {
      const isGiven = decision.kind === 'grant' || decision.kind === 'cancelPayment';
      expect((blocks.blocked || blocks.bookingBlocked) && isGiven).toBe(false);
    });
  });
});
