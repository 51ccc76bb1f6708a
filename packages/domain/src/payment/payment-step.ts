import type {
  AppointmentFact,
  GatewayFact,
  GatewayWrite,
  PaymentAlarm,
  PaymentState,
} from './payment-state.ts';

/** What one look at a payment decides. The appointment changes in the transaction that moves the state. */
export interface PaymentStep {
  readonly next: PaymentState;
  readonly appointment: 'leave' | 'book' | 'release';
  /** Made after the transaction, under a key stored before; null for none. */
  readonly write: GatewayWrite | null;
  readonly alarm: PaymentAlarm | null;
}

type Change = Partial<Omit<PaymentStep, 'next'>>;

const step = (next: PaymentState, change: Change = {}): PaymentStep => ({
  next,
  appointment: 'leave',
  write: null,
  alarm: null,
  ...change,
});

/**
 * Every transition of a payment (docs/booking-and-payment.md): state, what the gateway says and what
 * became of the appointment, to the next state and at most one call. Money never without an appointment, an appointment
 * never without its money; a held appointment is let go only when the gateway has answered that the intent
 * is cancelled, was never there, or gave its money back.
 */
export function paymentStep(
  state: PaymentState,
  gateway: GatewayFact,
  appointment: AppointmentFact,
): PaymentStep {
  if (gateway === 'unanswered') return step(state);
  if (gateway === 'mismatch') return step(state, { alarm: 'mismatch' });
  switch (state) {
    case 'created':
    case 'requires_action':
    case 'declined':
      return fromOpen(state, gateway, appointment);
    case 'cancelling':
      return fromCancelling(gateway, appointment);
    case 'cancelled':
      return fromCancelled(gateway);
    case 'capturing':
      return fromCapturing(gateway, appointment);
    case 'captured':
      return fromCaptured(gateway, appointment);
    case 'kept':
      return gateway === 'captured' ? step('kept') : givenBackOr('kept', gateway);
    case 'capture_failed':
      return fromCaptureFailed(gateway, appointment);
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

function fromOpen(state: PaymentState, gateway: Answer, appointment: AppointmentFact): PaymentStep {
  const wanted = appointment === 'held';
  switch (gateway) {
    case 'unsure':
      // Repeating the same key tells what became of the first try, and never makes a second intent.
      return step(state, { write: wanted && state === 'created' ? 'create' : null });
    case 'absent':
      return step('cancelled', { appointment: letGo(appointment) });
    case 'needsCard':
      return wanted ? step('declined') : step('cancelling', { write: 'cancel' });
    case 'needsAction':
      return wanted ? step('requires_action') : step('cancelling', { write: 'cancel' });
    case 'processing':
      return step(state);
    case 'authorised':
      return stillHeld(appointment)
        ? step('capturing', { appointment: 'book', write: 'capture' })
        : step('cancelling', { write: 'cancel' });
    case 'cancelled':
      return step('cancelled', { appointment: letGo(appointment) });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return takenBeforeBooked(gateway, appointment);
  }
}

function fromCancelling(gateway: Answer, appointment: AppointmentFact): PaymentStep {
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
      return step('cancelled', { appointment: stillHeld(appointment) ? 'release' : 'leave' });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return takenBeforeBooked(gateway, appointment);
  }
}

/** Its appointment may carry another payment by now, so the appointment is left alone. */
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

function fromCapturing(gateway: Answer, appointment: AppointmentFact): PaymentStep {
  switch (gateway) {
    case 'processing':
      return step('capturing');
    case 'unsure':
    case 'absent':
    case 'cancelled':
      return appointment === 'gone'
        ? step('cancelled')
        : step('capture_failed', { alarm: 'moneyLost' });
    case 'needsCard':
    case 'needsAction':
      return appointment === 'gone'
        ? step('cancelling', { write: 'cancel' })
        : step('capture_failed', { alarm: 'moneyLost' });
    case 'authorised':
      return appointment === 'gone'
        ? step('cancelling', { write: 'cancel' })
        : step('capturing', { write: 'capture' });
    case 'captured':
    case 'refundPending':
    case 'refunded':
    case 'refundFailed':
      return fromCaptured(gateway, appointment);
  }
}

function fromCaptured(gateway: Answer, appointment: AppointmentFact): PaymentStep {
  if (gateway !== 'captured') {
    const back = givenBackOr('captured', gateway);
    // Somebody gave the money back at the gateway while the appointment stands.
    return appointment === 'active' && back.alarm === null ? { ...back, alarm: 'moneyLost' } : back;
  }
  if (appointment === 'cancelledByPatient') return step('kept');
  return appointment === 'gone' ? step('refund_pending', { write: 'refund' }) : step('captured');
}

function fromCaptureFailed(gateway: Answer, appointment: AppointmentFact): PaymentStep {
  const mended = gateway === 'authorised' || gateway === 'captured';
  if (mended) return fromCapturing(gateway, appointment);
  return isGivenBack(gateway) ? givenBack(gateway) : step('capture_failed');
}

function takenBeforeBooked(
  gateway: 'captured' | 'refundPending' | 'refunded' | 'refundFailed',
  appointment: AppointmentFact,
): PaymentStep {
  if (gateway !== 'captured') {
    const back = givenBack(gateway);
    return gateway === 'refunded' && stillHeld(appointment)
      ? { ...back, appointment: 'release' }
      : back;
  }
  return stillHeld(appointment)
    ? step('captured', { appointment: 'book' })
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

function stillHeld(appointment: AppointmentFact): boolean {
  return appointment === 'held' || appointment === 'lapsed';
}

/** A hold whose time is not over stays: the patient may pay again. */
function letGo(appointment: AppointmentFact): 'leave' | 'release' {
  return appointment === 'lapsed' ? 'release' : 'leave';
}
