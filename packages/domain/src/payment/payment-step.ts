import type {
  ClaimFact,
  GatewayFact,
  GatewayWrite,
  PaymentAlarm,
  PaymentState,
} from './payment-state.ts';

/** What one look at a payment decides. The claim changes in the transaction that moves the state. */
export interface PaymentStep {
  readonly next: PaymentState;
  readonly claim: 'leave' | 'book' | 'release';
  /** Made after the transaction, under a key stored before; null for none. */
  readonly write: GatewayWrite | null;
  readonly alarm: PaymentAlarm | null;
}

type Change = Partial<Omit<PaymentStep, 'next'>>;

const step = (next: PaymentState, change: Change = {}): PaymentStep => ({
  next,
  claim: 'leave',
  write: null,
  alarm: null,
  ...change,
});

/**
 * Every transition of a payment (docs/booking-and-payment.md): state, what the gateway says and what
 * became of the claim, to the next state and at most one call. Money never without a visit, a visit
 * never without its money; a held claim is let go only when the gateway has answered that the intent
 * is cancelled, was never there, or gave its money back.
 */
export function paymentStep(
  state: PaymentState,
  gateway: GatewayFact,
  claim: ClaimFact,
): PaymentStep {
  if (gateway === 'unanswered') return step(state);
  if (gateway === 'mismatch') return step(state, { alarm: 'mismatch' });
  switch (state) {
    case 'created':
    case 'requires_action':
    case 'declined':
      return fromOpen(state, gateway, claim);
    case 'cancelling':
      return fromCancelling(gateway, claim);
    case 'cancelled':
      return fromCancelled(gateway);
    case 'capturing':
      return fromCapturing(gateway, claim);
    case 'captured':
      return fromCaptured(gateway, claim);
    case 'kept':
      return gateway === 'captured' ? step('kept') : givenBackOr('kept', gateway);
    case 'capture_failed':
      return fromCaptureFailed(gateway, claim);
    case 'refund_pending':
      return gateway === 'captured'
        ? step('refund_pending', { write: 'refund' })
        : givenBackOr('refund_pending', gateway);
    case 'refunded':
      return gateway === 'refunded' ? step('refunded') : givenBackOr('refunded', gateway);
    case 'refund_failed':
      if (gateway === 'refunded') return step('refunded');
      return step(gateway === 'refundPending' ? 'refund_pending' : 'refund_failed');
  }
}

type Answer = Exclude<GatewayFact, 'unanswered' | 'mismatch'>;

function fromOpen(state: PaymentState, gateway: Answer, claim: ClaimFact): PaymentStep {
  const wanted = claim === 'held';
  switch (gateway) {
    case 'unsure':
      // Repeating the same key tells what became of the first try, and never makes a second intent.
      return step(state, { write: wanted && state === 'created' ? 'create' : null });
    case 'absent':
      return step('cancelled', { claim: letGo(claim) });
    case 'needsCard':
      return wanted ? step('declined') : step('cancelling', { write: 'cancel' });
    case 'needsAction':
      return wanted ? step('requires_action') : step('cancelling', { write: 'cancel' });
    case 'processing':
      return step(state);
    case 'authorised':
      return stillHeld(claim)
        ? step('capturing', { claim: 'book', write: 'capture' })
        : step('cancelling', { write: 'cancel' });
    case 'cancelled':
      return step('cancelled', { claim: letGo(claim) });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return takenBeforeBooked(gateway, claim);
  }
}

function fromCancelling(gateway: Answer, claim: ClaimFact): PaymentStep {
  switch (gateway) {
    case 'unsure':
    case 'processing':
      return step('cancelling');
    case 'needsCard':
    case 'needsAction':
    case 'authorised':
      // Never back to booking: an earlier cancel call may still arrive.
      return step('cancelling', { write: 'cancel' });
    case 'absent':
    case 'cancelled':
      return step('cancelled', { claim: stillHeld(claim) ? 'release' : 'leave' });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return takenBeforeBooked(gateway, claim);
  }
}

/** Its claim may carry another payment by now, so the claim is left alone. */
function fromCancelled(gateway: Answer): PaymentStep {
  switch (gateway) {
    case 'unsure':
    case 'absent':
    case 'processing':
    case 'cancelled':
      return step('cancelled');
    case 'needsCard':
    case 'needsAction':
    case 'authorised':
      return step('cancelled', { write: 'cancel' });
    case 'captured':
      return step('refund_pending', { write: 'refund' });
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return givenBack(gateway);
  }
}

function fromCapturing(gateway: Answer, claim: ClaimFact): PaymentStep {
  switch (gateway) {
    case 'processing':
      return step('capturing');
    case 'unsure':
    case 'absent':
    case 'cancelled':
      return claim === 'gone' ? step('cancelled') : step('capture_failed', { alarm: 'moneyLost' });
    case 'needsCard':
    case 'needsAction':
      return claim === 'gone'
        ? step('cancelling', { write: 'cancel' })
        : step('capture_failed', { alarm: 'moneyLost' });
    case 'authorised':
      return claim === 'gone'
        ? step('cancelling', { write: 'cancel' })
        : step('capturing', { write: 'capture' });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return fromCaptured(gateway, claim);
  }
}

function fromCaptured(gateway: Answer, claim: ClaimFact): PaymentStep {
  if (gateway !== 'captured') {
    const back = givenBackOr('captured', gateway);
    // Somebody gave the money back at the gateway while the visit stands.
    return claim === 'active' && back.alarm === null ? { ...back, alarm: 'moneyLost' } : back;
  }
  if (claim === 'cancelledByPatient') return step('kept');
  return claim === 'gone' ? step('refund_pending', { write: 'refund' }) : step('captured');
}

function fromCaptureFailed(gateway: Answer, claim: ClaimFact): PaymentStep {
  const mended = gateway === 'authorised' || gateway === 'captured';
  if (mended) return fromCapturing(gateway, claim);
  return isGivenBack(gateway) ? givenBack(gateway) : step('capture_failed');
}

function takenBeforeBooked(
  gateway: 'captured' | 'refundPending' | 'refunded' | 'refundFailed',
  claim: ClaimFact,
): PaymentStep {
  if (gateway !== 'captured') {
    const back = givenBack(gateway);
    return gateway === 'refunded' && stillHeld(claim) ? { ...back, claim: 'release' } : back;
  }
  return stillHeld(claim)
    ? step('captured', { claim: 'book' })
    : step('refund_pending', { write: 'refund' });
}

type GivenBack = 'refundPending' | 'refunded' | 'refundFailed';

function isGivenBack(gateway: Answer): gateway is GivenBack {
  return gateway === 'refundPending' || gateway === 'refunded' || gateway === 'refundFailed';
}

function givenBack(gateway: GivenBack): PaymentStep {
  if (gateway === 'refundPending') return step('refund_pending');
  return gateway === 'refunded'
    ? step('refunded')
    : step('refund_failed', { alarm: 'refundFailed' });
}

/** What was captured can only be given back; any other answer contradicts what is known. */
function givenBackOr(state: PaymentState, gateway: Answer): PaymentStep {
  if (isGivenBack(gateway)) return givenBack(gateway);
  return step(state, { alarm: 'contradiction' });
}

function stillHeld(claim: ClaimFact): boolean {
  return claim === 'held' || claim === 'lapsed';
}

/** A hold whose time is not over stays: the patient may pay again. */
function letGo(claim: ClaimFact): 'leave' | 'release' {
  return claim === 'lapsed' ? 'release' : 'leave';
}
