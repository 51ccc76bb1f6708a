import type { EpochSeconds } from '../clinic-time.ts';

/**
 * The state of a payment on our side. `capturing` means authorised, with its appointment booked. Design:
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
 * The status of the payment's intent at the gateway. `unanswered`: it could not be asked. `createPending`: it found no
 * intent, but a create call is due or may still be on its way. `absent`: there is no intent and none will
 * come. `mismatch`: amount, currency or owner are not this payment's. `refund…` implies captured.
 */
export const GATEWAY_STATUSES = [
  'unanswered',
  'createPending',
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
export type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

/**
 * The status of the appointment that the payment is for, as far as its money is concerned. `lapsed` is still held,
 * past its deadline. `active` is booked, registered or attended. `gone` includes slots that the clinic took back.
 * `givenBack`: the clinic refunds the fee, whatever became of the appointment.
 */
export const BOOKING_STATUSES = [
  'held',
  'lapsed',
  'active',
  'cancelledByPatient',
  'gone',
  'givenBack',
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The call to the gateway that may follow a step, at most one. */
export type GatewayCall = 'create' | 'capture' | 'cancel' | 'refund';

/** What an operator must see: no retry can fix it. */
export type PaymentAlarm = 'mismatch' | 'contradiction' | 'moneyLost' | 'refundFailed';

/** States in which an intent may still take money for an appointment that is not booked. */
export const OPEN_STATES: readonly PaymentState[] = ['created', 'requires_action', 'declined'];

/** A patient has at most one payment in these states (invariant I5). */
export const ACTIVE_STATES: readonly PaymentState[] = [...OPEN_STATES, 'cancelling'];

/** States that a payment leaves by itself, in the end. */
export const UNFINISHED_STATES: readonly PaymentState[] = [
  ...ACTIVE_STATES,
  'capturing',
  'refund_pending',
];

/** What is decided about a payment at a time. State and appointment change in one transaction. */
export interface PaymentStep {
  readonly next: PaymentState;
  readonly appointment: 'leave' | 'book' | 'release';
  /** The call is made after the transaction, under an idempotency key stored before; null for none. */
  readonly call: GatewayCall | null;
  readonly alarm: PaymentAlarm | null;
}

type Change = Partial<Omit<PaymentStep, 'next'>>;

const step = (next: PaymentState, change: Change = {}): PaymentStep => ({
  next,
  appointment: 'leave',
  call: null,
  alarm: null,
  ...change,
});

/**
 * Every transition of a payment (docs/booking-and-payment.md): from its state, the gateway's answer and the
 * appointment to the next state and at most one call. No money is kept without an appointment, and no
 * appointment without its money. A held appointment is released only once the gateway has answered that the
 * intent is cancelled, never existed, or was refunded.
 */
export function paymentStep(
  state: PaymentState,
  gateway: GatewayStatus,
  appointment: BookingStatus,
): PaymentStep {
  if (gateway === 'unanswered') return step(state);
  if (gateway === 'mismatch') return step(state, { alarm: 'mismatch' });
  if (gateway === 'refundPending' || gateway === 'refunded' || gateway === 'refundFailed')
    return fromRefund(state, gateway, appointment);
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
      return gateway === 'captured' ? afterCapture(appointment) : contradiction(state);
    case 'capture_failed':
      return gateway === 'authorised' || gateway === 'captured'
        ? fromCapturing(gateway, appointment)
        : step(state);
    case 'kept':
      if (gateway !== 'captured') return contradiction(state);
      return appointment === 'givenBack' ? refund : step(state);
    case 'refund_pending':
      return gateway === 'captured' ? step(state, { call: 'refund' }) : contradiction(state);
    case 'refunded':
      return contradiction(state);
    case 'refund_failed':
      return step(state);
  }
}

type RefundStatus = 'refundPending' | 'refunded' | 'refundFailed';
type Answer = Exclude<GatewayStatus, 'unanswered' | 'mismatch' | RefundStatus>;

const cancel = step('cancelling', { call: 'cancel' });
const refund = step('refund_pending', { call: 'refund' });

/** Captured money can only be refunded; any other answer contradicts what we know. */
const contradiction = (state: PaymentState) => step(state, { alarm: 'contradiction' });

function fromOpen(state: PaymentState, gateway: Answer, appointment: BookingStatus): PaymentStep {
  const wanted = appointment === 'held';
  switch (gateway) {
    case 'createPending':
      // Repeating the key shows what became of the first try, and never makes a second intent.
      return step(state, { call: wanted && state === 'created' ? 'create' : null });
    case 'absent':
    case 'cancelled':
      // A hold that has not expired stays: the patient may pay again.
      return step('cancelled', { appointment: appointment === 'lapsed' ? 'release' : 'leave' });
    case 'needsCard':
      return wanted ? step('declined') : cancel;
    case 'needsAction':
      return wanted ? step('requires_action') : cancel;
    case 'processing':
      return step(state);
    case 'authorised':
      return isStillHeld(appointment)
        ? step('capturing', { appointment: 'book', call: 'capture' })
        : cancel;
    case 'captured':
      return capturedBeforeBooked(appointment);
  }
}

function fromCancelling(gateway: Answer, appointment: BookingStatus): PaymentStep {
  switch (gateway) {
    case 'createPending':
    case 'processing':
      return step('cancelling');
    case 'needsCard':
    case 'needsAction':
    case 'authorised':
      // Never goes back to booking: an earlier cancel call may still arrive.
      return cancel;
    case 'absent':
    case 'cancelled':
      return step('cancelled', { appointment: isStillHeld(appointment) ? 'release' : 'leave' });
    case 'captured':
      return capturedBeforeBooked(appointment);
  }
}

/** Leaves the appointment alone: it may have another payment by now. */
function fromCancelled(gateway: Answer): PaymentStep {
  switch (gateway) {
    case 'createPending':
    case 'absent':
    case 'processing':
    case 'cancelled':
      return step('cancelled');
    case 'needsCard':
    case 'needsAction':
    case 'authorised':
      return step('cancelled', { call: 'cancel' });
    case 'captured':
      return refund;
  }
}

function fromCapturing(gateway: Answer, appointment: BookingStatus): PaymentStep {
  const lost = step('capture_failed', { alarm: 'moneyLost' });
  switch (gateway) {
    case 'processing':
      return step('capturing');
    case 'createPending':
    case 'absent':
    case 'cancelled':
      return appointment === 'gone' ? step('cancelled') : lost;
    case 'needsCard':
    case 'needsAction':
      return appointment === 'gone' ? cancel : lost;
    case 'authorised':
      return appointment === 'gone' ? cancel : step('capturing', { call: 'capture' });
    case 'captured':
      return afterCapture(appointment);
  }
}

function afterCapture(appointment: BookingStatus): PaymentStep {
  if (appointment === 'cancelledByPatient') return step('kept');
  return appointment === 'gone' || appointment === 'givenBack' ? refund : step('captured');
}

const capturedBeforeBooked = (appointment: BookingStatus) =>
  isStillHeld(appointment) ? step('captured', { appointment: 'book' }) : refund;

/** The money was refunded, by somebody at the gateway or by us. */
function fromRefund(
  state: PaymentState,
  gateway: RefundStatus,
  appointment: BookingStatus,
): PaymentStep {
  if (gateway === 'refundFailed')
    return step('refund_failed', { alarm: state === 'refund_failed' ? null : 'refundFailed' });
  const next = gateway === 'refunded' ? 'refunded' : 'refund_pending';
  if (state === 'capturing' || state === 'captured')
    return step(next, { alarm: appointment === 'active' ? 'moneyLost' : null });
  const unbooked = ACTIVE_STATES.includes(state) && isStillHeld(appointment);
  return step(next, { appointment: unbooked && next === 'refunded' ? 'release' : 'leave' });
}

const isStillHeld = (appointment: BookingStatus): boolean =>
  appointment === 'held' || appointment === 'lapsed';

/**
 * The idempotency keys of calls to the gateway, stored before each call. `round` grows after an error: the
 * gateway keeps its answer to a key and would only repeat it.
 */
export const idempotencyKeys = {
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

/** A create call with unknown outcome takes effect within this time after it was made, or never. */
export const CREATE_OUTCOME_SECONDS = 2 * MINUTE;

/**
 * How many tries are made under one idempotency key. Tries become hourly and gateways forget keys after 24
 * hours, so no key may be used for longer than 23.
 */
export const MAX_TRIES_PER_KEY = 20;

/** Seconds before the next try of a call, after `tries` of them: 1, 2, 4 … minutes, then hourly. */
export const paymentRetryDelay = (tries: number): number =>
  tries > 6 ? HOUR : Math.min(HOUR, MINUTE * 2 ** Math.max(0, tries - 1));

/** When a payment must be checked again; null when nothing is due. */
export function nextCheckAt(
  state: PaymentState,
  tries: number,
  holdExpiresAt: EpochSeconds | null,
  now: EpochSeconds,
): EpochSeconds | null {
  if (OPEN_STATES.includes(state)) {
    const soon = now + (state === 'created' ? 30 : MINUTE);
    return holdExpiresAt === null || holdExpiresAt <= now ? soon : Math.min(soon, holdExpiresAt);
  }
  return UNFINISHED_STATES.includes(state) ? now + paymentRetryDelay(tries) : null;
}
