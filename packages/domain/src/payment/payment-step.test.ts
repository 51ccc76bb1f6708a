import { describe, expect, it } from 'vitest';
import type { BookingStatus, GatewayStatus, PaymentState } from './payment-step.ts';
import { BOOKING_STATUSES, GATEWAY_STATUSES, PAYMENT_STATES, paymentStep } from './payment-step.ts';

/**
 * Every transition: by state, by appointment, 'what the gateway says: next state'. `=` stays, `+book` and
 * `+release` change the appointment, `>` names the call that follows, `!` the alarm.
 */
const TABLE: Record<PaymentState, Record<string, string>> = {
  created: {
    held: `
      unanswered processing: =
      createPending: =>create
      mismatch: =!mismatch
      needsCard: declined
      needsAction: requires_action
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
      absent cancelled: cancelled
    `,
    lapsed: `
      unanswered createPending processing: =
      absent cancelled: cancelled+release
      mismatch: =!mismatch
      needsCard needsAction: cancelling>cancel
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    'active cancelledByPatient gone givenBack': `
      unanswered createPending processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard needsAction authorised: cancelling>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  requires_action: {
    held: `
      unanswered createPending needsAction processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard: declined
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    lapsed: `
      unanswered createPending processing: =
      absent cancelled: cancelled+release
      mismatch: =!mismatch
      needsCard needsAction: cancelling>cancel
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    'active cancelledByPatient gone givenBack': `
      unanswered createPending processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard needsAction authorised: cancelling>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  declined: {
    held: `
      unanswered createPending needsCard processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsAction: requires_action
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    lapsed: `
      unanswered createPending processing: =
      absent cancelled: cancelled+release
      mismatch: =!mismatch
      needsCard needsAction: cancelling>cancel
      authorised: capturing+book>capture
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    'active cancelledByPatient gone givenBack': `
      unanswered createPending processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard needsAction authorised: cancelling>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  cancelling: {
    'held lapsed': `
      unanswered createPending processing: =
      absent cancelled: cancelled+release
      mismatch: =!mismatch
      needsCard needsAction authorised: =>cancel
      captured: captured+book
      refundPending: refund_pending
      refunded: refunded+release
      refundFailed: refund_failed!refundFailed
    `,
    'active cancelledByPatient gone givenBack': `
      unanswered createPending processing: =
      absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard needsAction authorised: =>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  cancelled: {
    'held lapsed active cancelledByPatient gone givenBack': `
      unanswered createPending absent processing cancelled: =
      mismatch: =!mismatch
      needsCard needsAction authorised: =>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  capturing: {
    'held lapsed': `
      unanswered processing: =
      createPending absent needsCard needsAction cancelled: capture_failed!moneyLost
      mismatch: =!mismatch
      authorised: =>capture
      captured: captured
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    active: `
      unanswered processing: =
      createPending absent needsCard needsAction cancelled: capture_failed!moneyLost
      mismatch: =!mismatch
      authorised: =>capture
      captured: captured
      refundPending: refund_pending!moneyLost
      refunded: refunded!moneyLost
      refundFailed: refund_failed!refundFailed
    `,
    cancelledByPatient: `
      unanswered processing: =
      createPending absent needsCard needsAction cancelled: capture_failed!moneyLost
      mismatch: =!mismatch
      authorised: =>capture
      captured: kept
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    gone: `
      unanswered processing: =
      createPending absent cancelled: cancelled
      mismatch: =!mismatch
      needsCard needsAction authorised: cancelling>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    givenBack: `
      unanswered processing: =
      createPending absent needsCard needsAction cancelled: capture_failed!moneyLost
      mismatch: =!mismatch
      authorised: =>capture
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  captured: {
    'held lapsed': `
      unanswered captured: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    active: `
      unanswered captured: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      refundPending: refund_pending!moneyLost
      refunded: refunded!moneyLost
      refundFailed: refund_failed!refundFailed
    `,
    cancelledByPatient: `
      unanswered: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      captured: kept
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    'gone givenBack': `
      unanswered: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  kept: {
    'held lapsed active cancelledByPatient gone': `
      unanswered captured: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    givenBack: `
      unanswered: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  capture_failed: {
    'held lapsed active': `
      unanswered createPending absent needsCard needsAction processing cancelled: =
      mismatch: =!mismatch
      authorised: capturing>capture
      captured: captured
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    cancelledByPatient: `
      unanswered createPending absent needsCard needsAction processing cancelled: =
      mismatch: =!mismatch
      authorised: capturing>capture
      captured: kept
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    gone: `
      unanswered createPending absent needsCard needsAction processing cancelled: =
      mismatch: =!mismatch
      authorised: cancelling>cancel
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
    givenBack: `
      unanswered createPending absent needsCard needsAction processing cancelled: =
      mismatch: =!mismatch
      authorised: capturing>capture
      captured: refund_pending>refund
      refundPending: refund_pending
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  refund_pending: {
    'held lapsed active cancelledByPatient gone givenBack': `
      unanswered refundPending: =
      createPending absent needsCard needsAction processing authorised cancelled: =!contradiction
      mismatch: =!mismatch
      captured: =>refund
      refunded: refunded
      refundFailed: refund_failed!refundFailed
    `,
  },
  refunded: {
    'held lapsed active cancelledByPatient gone givenBack': `
      unanswered refunded: =
      createPending absent needsCard needsAction processing authorised captured cancelled: =!contradiction
      mismatch: =!mismatch
      refundPending: refund_pending
      refundFailed: refund_failed!refundFailed
    `,
  },
  refund_failed: {
    'held lapsed active cancelledByPatient gone givenBack': `
      unanswered createPending absent needsCard needsAction processing authorised captured refundFailed cancelled: =
      mismatch: =!mismatch
      refundPending: refund_pending
      refunded: refunded
    `,
  },
};

function* rows(): Generator<[PaymentState, BookingStatus, GatewayStatus, string]> {
  for (const state of PAYMENT_STATES)
    for (const [appointments, lines] of Object.entries(TABLE[state]))
      for (const appointment of appointments.split(' '))
        for (const line of lines.trim().split('\n')) {
          const [facts = '', outcome = ''] = line.trim().split(': ');
          for (const fact of facts.split(' '))
            yield [state, appointment as BookingStatus, fact as GatewayStatus, outcome];
        }
}

function outcomeOf(
  state: PaymentState,
  gateway: GatewayStatus,
  appointment: BookingStatus,
): string {
  const { next, appointment: change, call, alarm } = paymentStep(state, gateway, appointment);
  return [
    next === state ? '=' : next,
    change === 'leave' ? '' : `+${change}`,
    call === null ? '' : `>${call}`,
    alarm === null ? '' : `!${alarm}`,
  ].join('');
}

describe('the steps of a payment', () => {
  // Shows: R-44
  it('has a row for every state, appointment and answer of the gateway', () => {
    const named = new Set(
      [...rows()].map(([state, appointment, fact]) => `${state} ${appointment} ${fact}`),
    );
    expect(named.size).toBe(
      PAYMENT_STATES.length * BOOKING_STATUSES.length * GATEWAY_STATUSES.length,
    );
  });

  it.each(PAYMENT_STATES)('goes from %s where the table says', (state) => {
    const own = [...rows()].filter(([from]) => from === state);
    expect(
      own.map(
        ([, appointment, fact]) => `${appointment} ${fact}: ${outcomeOf(state, fact, appointment)}`,
      ),
    ).toEqual(own.map(([, appointment, fact, outcome]) => `${appointment} ${fact}: ${outcome}`));
  });
});
