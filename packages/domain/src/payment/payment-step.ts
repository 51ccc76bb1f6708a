import type { EpochSeconds } from '../clinic-time.ts';

/**
 * Where a payment stands with us. `capturing` is authorised, with its appointment booked. Design:
 * docs/booking-and-payment.md.
 */
export const PAYMENT_STATES = [
  'created',
  'requires_action',
  'declined',
  'cancelling',
  'cancelled',
  'capturing',
  'captured',
  'kept',
  'capture_failed',
  'refund_pending',
  'refunded',
  'refund_failed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * What the gateway says of the payment's intent. `unanswered`: it could not be asked. `unsure`: no
 * intent is found, but a create call is due or may still be on its way. `absent`: none is there or
 * will come. `mismatch`: amount, currency or owner are not this payment's. `refund…` implies captured.
 */
export const GATEWAY_FACTS = [
  'unanswered',
  'unsure',
  'absent',
  'mismatch',
  'needsCard',
  'needsAction',
  'processing',
  'authorised',
  'captured',
  'refundPending',
  'refunded',
  'refundFailed',
  'cancelled',
] as const;
export type GatewayFact = (typeof GATEWAY_FACTS)[number];

/**
 * What became of the appointment that the payment is for. `lapsed` is still held, past its deadline;
 * `active` is booked or registered, or was attended; `gone` covers a slot that the clinic took back.
 * `givenBack`: the clinic gives the fee back, whatever became of the appointment.
 */
export const APPOINTMENT_FACTS = [
  'held',
  'lapsed',
  'active',
  'cancelledByPatient',
  'gone',
  'givenBack',
] as const;
export type AppointmentFact = (typeof APPOINTMENT_FACTS)[number];

/** The one call to the gateway that may follow a step. */
export type GatewayWrite = 'create' | 'capture' | 'cancel' | 'refund';

/** What an operator must see: nothing mends it by itself. */
export type PaymentAlarm = 'mismatch' | 'contradiction' | 'moneyLost' | 'refundFailed';

/** The open states: an intent may still take money for an appointment that is not booked. */
export const OPEN_STATES: readonly PaymentState[] = ['created', 'requires_action', 'declined'];

/** A patient has at most one payment in these states (I5). */
export const LIVE_STATES: readonly PaymentState[] = [...OPEN_STATES, 'cancelling'];

/** What one look decides. The appointment changes in the transaction that moves the state. */
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
 * became of the appointment, to the next state and at most one call. Money never without an
 * appointment, an appointment never without its money; a held appointment is let go only when the
 * gateway has answered that the intent is cancelled, was never there, or gave its money back.
 */
export function paymentStep(
  state: PaymentState,
  gateway: GatewayFact,
  appointment: AppointmentFact,
): PaymentStep {
  if (gateway === 'unanswered') return step(state);
  if (gateway === 'mismatch') return step(state, { alarm: 'mismatch' });
  if (gateway === 'refundPending' || gateway === 'refunded' || gateway === 'refundFailed')
    return givenBack(state, gateway, appointment);
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
      return gateway === 'captured' ? taken(appointment) : contradiction(state);
    case 'capture_failed':
      return gateway === 'authorised' || gateway === 'captured'
        ? fromCapturing(gateway, appointment)
        : step(state);
    case 'kept':
      if (gateway !== 'captured') return contradiction(state);
      return appointment === 'givenBack' ? refund : step(state);
    case 'refund_pending':
      return gateway === 'captured' ? step(state, { write: 'refund' }) : contradiction(state);
    case 'refunded':
      return contradiction(state);
    case 'refund_failed':
      return step(state);
  }
}

type GivenBack = 'refundPending' | 'refunded' | 'refundFailed';
type Answer = Exclude<GatewayFact, 'unanswered' | 'mismatch' | GivenBack>;

const cancel = step('cancelling', { write: 'cancel' });
const refund = step('refund_pending', { write: 'refund' });

/** What was captured can only be given back; any other answer contradicts what is known. */
const contradiction = (state: PaymentState) => step(state, { alarm: 'contradiction' });

function fromOpen(state: PaymentState, gateway: Answer, appointment: AppointmentFact): PaymentStep {
  const wanted = appointment === 'held';
  switch (gateway) {
    case 'unsure':
      // Repeating the same key tells what became of the first try, and never makes a second intent.
      return step(state, { write: wanted && state === 'created' ? 'create' : null });
    case 'absent':
    case 'cancelled':
      // A hold whose time is not over stays: the patient may pay again.
      return step('cancelled', { appointment: appointment === 'lapsed' ? 'release' : 'leave' });
    case 'needsCard':
      return wanted ? step('declined') : cancel;
    case 'needsAction':
      return wanted ? step('requires_action') : cancel;
    case 'processing':
      return step(state);
    case 'authorised':
      return isStillHeld(appointment)
        ? step('capturing', { appointment: 'book', write: 'capture' })
        : cancel;
    case 'captured':
      return takenBeforeBooked(appointment);
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
      return cancel;
    case 'absent':
    case 'cancelled':
      return step('cancelled', { appointment: isStillHeld(appointment) ? 'release' : 'leave' });
    case 'captured':
      return takenBeforeBooked(appointment);
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
      return refund;
  }
}

function fromCapturing(gateway: Answer, appointment: AppointmentFact): PaymentStep {
  const lost = step('capture_failed', { alarm: 'moneyLost' });
  switch (gateway) {
    case 'processing':
      return step('capturing');
    case 'unsure':
    case 'absent':
    case 'cancelled':
      return appointment === 'gone' ? step('cancelled') : lost;
    case 'needsCard':
    case 'needsAction':
      return appointment === 'gone' ? cancel : lost;
    case 'authorised':
      return appointment === 'gone' ? cancel : step('capturing', { write: 'capture' });
    case 'captured':
      return taken(appointment);
  }
}

function taken(appointment: AppointmentFact): PaymentStep {
  if (appointment === 'cancelledByPatient') return step('kept');
  return appointment === 'gone' || appointment === 'givenBack' ? refund : step('captured');
}

const takenBeforeBooked = (appointment: AppointmentFact) =>
  isStillHeld(appointment) ? step('captured', { appointment: 'book' }) : refund;

/** Somebody gave the money back at the gateway, or we did. */
function givenBack(
  state: PaymentState,
  gateway: GivenBack,
  appointment: AppointmentFact,
): PaymentStep {
  if (gateway === 'refundFailed')
    return step('refund_failed', { alarm: state === 'refund_failed' ? null : 'refundFailed' });
  const next = gateway === 'refunded' ? 'refunded' : 'refund_pending';
  if (state === 'capturing' || state === 'captured')
    return step(next, { alarm: appointment === 'active' ? 'moneyLost' : null });
  const unbooked = LIVE_STATES.includes(state) && isStillHeld(appointment);
  return step(next, { appointment: unbooked && next === 'refunded' ? 'release' : 'leave' });
}

function isStillHeld(appointment: AppointmentFact): boolean {
  return appointment === 'held' || appointment === 'lapsed';
}

/**
 * Names under which the gateway remembers a write; stored before the call. `round` grows when an
 * answer under the last name was an error that the gateway would only repeat.
 */
export const paymentKeys = {
  create: (payment: string) => `pi-create:${payment}`,
  confirm: (payment: string, round: number) => `pi-confirm:${payment}:${round}`,
  capture: (payment: string, round: number) =>
    round === 0 ? `pi-capture:${payment}` : `pi-capture:${payment}:${round}`,
  cancel: (payment: string, round: number) => `pi-cancel:${payment}:${round}`,
  refund: (payment: string, reason: string, round: number) =>
    round === 0 ? `refund:${payment}:${reason}` : `refund:${payment}:${reason}:${round}`,
} as const;

const MINUTE = 60;
const HOUR = 3600;

/** A create call whose outcome is unknown cannot take effect later than this after it was made. */
export const CREATE_SETTLES_SECONDS = 2 * MINUTE;

/**
 * So many tries are made under one idempotency key. Tries become hourly, and gateways forget keys
 * after 24 hours: none is used again after 23.
 */
export const TRIES_UNDER_ONE_KEY = 20;

/** Wait before the next try of a capture, after `tries` of them: 1, 2, 4 … minutes, then hourly. */
export function captureRetryDelay(tries: number): number {
  return tries > 6 ? HOUR : Math.min(HOUR, MINUTE * 2 ** Math.max(0, tries - 1));
}

/** When a payment wants to be looked at again by itself; null when it rests. */
export function nextLook(
  state: PaymentState,
  tries: number,
  holdUntil: EpochSeconds | null,
  now: EpochSeconds,
): EpochSeconds | null {
  if (OPEN_STATES.includes(state)) {
    const soon = now + (state === 'created' ? 30 : MINUTE);
    return holdUntil === null || holdUntil <= now ? soon : Math.min(soon, holdUntil);
  }
  const isRetried = ['cancelling', 'capturing', 'refund_pending'].includes(state);
  return isRetried ? now + captureRetryDelay(tries) : null;
}
