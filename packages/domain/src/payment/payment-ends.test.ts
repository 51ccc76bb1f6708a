import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimFact, GatewayFact, PaymentState } from './payment-state.ts';
import { CLAIM_FACTS, GATEWAY_FACTS, LIVE_STATES, PAYMENT_STATES } from './payment-state.ts';
import { paymentStep } from './payment-step.ts';

/** Every state, answer and claim that break the rule. */
const against = (
  rule: (state: PaymentState, gateway: GatewayFact, claim: ClaimFact) => boolean,
): string[] =>
  PAYMENT_STATES.flatMap((state) =>
    GATEWAY_FACTS.flatMap((gateway) =>
      CLAIM_FACTS.filter((claim) => !rule(state, gateway, claim)).map(
        (claim) => `${state} ${gateway} ${claim}`,
      ),
    ),
  );

describe('every step of a payment', () => {
  it('moves nothing while the gateway does not answer', () => {
    expect(
      against((state, _, claim) => {
        const still = { next: state, claim: 'leave', write: null, alarm: null };
        return JSON.stringify(paymentStep(state, 'unanswered', claim)) === JSON.stringify(still);
      }),
    ).toEqual([]);
  });

  it('books only a held claim whose money is guaranteed', () => {
    expect(
      against((state, gateway, claim) => {
        const guaranteed = gateway === 'authorised' || gateway === 'captured';
        const held = claim === 'held' || claim === 'lapsed';
        return paymentStep(state, gateway, claim).claim !== 'book' || (guaranteed && held);
      }),
    ).toEqual([]);
  });

  it('lets a held claim go only when the gateway has no money and can take none', () => {
    const harmless: GatewayFact[] = ['absent', 'cancelled', 'refunded'];
    expect(
      against(
        (state, gateway, claim) =>
          paymentStep(state, gateway, claim).claim !== 'release' || harmless.includes(gateway),
      ),
    ).toEqual([]);
  });

  it('captures only what is authorised, for a visit that is booked or was given up by the patient', () => {
    expect(
      against((state, gateway, claim) => {
        const { write, claim: change } = paymentStep(state, gateway, claim);
        if (write !== 'capture') return true;
        const owed = change === 'book' || state === 'capturing' || state === 'capture_failed';
        return gateway === 'authorised' && owed && claim !== 'gone';
      }),
    ).toEqual([]);
  });

  it('gives back only what was captured', () => {
    expect(
      against(
        (state, gateway, claim) =>
          paymentStep(state, gateway, claim).write !== 'refund' || gateway === 'captured',
      ),
    ).toEqual([]);
  });

  it('makes an intent only for a claim that is still held and a payment that has none', () => {
    expect(
      against((state, gateway, claim) => {
        if (paymentStep(state, gateway, claim).write !== 'create') return true;
        return state === 'created' && claim === 'held';
      }),
    ).toEqual([]);
  });

  it('never books once a cancel call may be on its way, unless the money is taken already', () => {
    expect(
      against(
        (_, gateway, claim) =>
          paymentStep('cancelling', gateway, claim).claim !== 'book' || gateway === 'captured',
      ),
    ).toEqual([]);
  });

  it('says nothing new when it is asked the same twice', () => {
    expect(
      against((state, gateway, claim) => {
        const first = paymentStep(state, gateway, claim);
        const after: ClaimFact =
          first.claim === 'book' ? 'active' : first.claim === 'release' ? 'gone' : claim;
        const second = paymentStep(first.next, gateway, after);
        return second.next === first.next && second.claim === 'leave';
      }),
    ).toEqual([]);
  });
});

/** A gateway that does what it is told. */
function obey(gateway: GatewayFact, write: ReturnType<typeof paymentStep>['write']): GatewayFact {
  switch (write) {
    case null:
      return gateway;
    case 'create':
      return gateway === 'unsure' || gateway === 'absent' ? 'authorised' : gateway;
    case 'capture':
      return 'captured';
    case 'cancel':
      return 'cancelled';
    case 'refund':
      return 'refunded';
  }
}

describe('a payment that is looked at until it rests', () => {
  it('ends with a visit and its money, or with neither', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LIVE_STATES),
        fc.constantFrom<GatewayFact>(
          'absent',
          'needsCard',
          'needsAction',
          'authorised',
          'cancelled',
        ),
        fc.constantFrom<ClaimFact>('held', 'lapsed', 'gone'),
        fc.array(
          fc.constantFrom<'lapse' | 'takeBack' | 'patientCancels'>(
            'lapse',
            'takeBack',
            'patientCancels',
          ),
          { maxLength: 3 },
        ),
        (start, answer, claimAtFirst, events) => {
          let state: PaymentState = start;
          let gateway = answer;
          let claim = claimAtFirst;
          const look = () => {
            for (let round = 0; round < 6; round += 1) {
              const step = paymentStep(state, gateway, claim);
              state = step.next;
              if (step.claim === 'book') claim = 'active';
              if (step.claim === 'release') claim = 'gone';
              gateway = obey(gateway, step.write);
            }
          };
          for (const event of [...events, 'lapse']) {
            look();
            if (event === 'lapse' && claim === 'held') claim = 'lapsed';
            if (event === 'takeBack') claim = 'gone';
            if (event === 'patientCancels' && claim === 'active') claim = 'cancelledByPatient';
          }
          look();
          const end = `${claim} ${state} ${gateway}`;
          expect([
            'active captured captured',
            'cancelledByPatient kept captured',
            'gone cancelled cancelled',
            'gone cancelled absent',
            'gone refunded refunded',
            // A lapsed hold without a live payment is nobody's: booking lets it go.
            'lapsed cancelled cancelled',
            'lapsed cancelled absent',
            // Kept when the patient gave it up, whoever removes the slot afterwards.
            'gone kept captured',
          ]).toContain(end);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
