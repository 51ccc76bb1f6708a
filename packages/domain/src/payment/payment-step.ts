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
 * What the gateway says of the payment's intent. `unanswered`: it could not be asked. `unsure`: it found no
 * intent, but a create call is due or may still be on its way. `absent`: there is no intent and none will
 * come. `mismatch`: amount, currency or owner are not this payment's. `refund…` implies captured.
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
 * What became of the appointment that the payment is for. `lapsed` is still held, past its deadline. `active`
 * is booked, registered or attended. `gone` includes slots that the clinic took back. `givenBack`: the clinic
 * refunds the fee, whatever became of the appointment.
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

/** The call to the gateway that may follow a step, at most one. */
export type GatewayWrite = 'create' | 'capture' | 'cancel' | 'refund';

/** What an operator must see: no retry can fix it. */
export type PaymentAlarm = 'mismatch' | 'contradiction' | 'moneyLost' | 'refundFailed';

/** States in which an intent may still take money for an appointment that is not booked. */
export const OPEN_STATES: readonly PaymentState[] = ['created', 'requires_action', 'declined'];

/** A patient has at most one payment in these states (I5). */
export const LIVE_STATES: readonly PaymentState[] = [...OPEN_STATES, 'cancelling'];

/** States that a payment leaves by itself, in the end. */
export const UNFINISHED_STATES: readonly PaymentState[] = [
  ...LIVE_STATES,
  'capturing',
  'refund_pending',
];

/** What one look at a payment decides. State and appointment change in one transaction. */
export interface PaymentStep {
  readonly next: PaymentState;
  readonly appointment: 'leave' | 'book' | 'release';
  /** The call is made after the transaction, under a key stored before; null for none. */
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
 * Every transition of a payment (docs/booking-and-payment.md): from its state, the gateway's answer and the
 * appointment to the next state and at most one call. No money is kept without an appointment, and no
 * appointment without its money. A held appointment is released only once the gateway has answered that the
 * intent is cancelled, never existed, or was refunded.
 */
export function paymentStep(
  state: PaymentState,
  gateway: GatewayFact,
  appointment: AppointmentFact,
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

type RefundFact = 'refundPending' | 'refunded' | 'refundFailed';
type Answer = Exclude<GatewayFact, 'unanswered' | 'mismatch' | RefundFact>;

const cancel = step('cancelling', { write: 'cancel' });
const refund = step('refund_pending', { write: 'refund' });

/** Captured money can only be refunded; any other answer contradicts what we know. */
const contradiction = (state: PaymentState) => step(state, { alarm: 'contradiction' });

function fromOpen(state: PaymentState, gateway: Answer, appointment: AppointmentFact): PaymentStep {
  const wanted = appointment === 'held';
  switch (gateway) {
    case 'unsure':
      // Repeating the key shows what became of the first try, and never makes a second intent.
      return step(state, { write: wanted && state === 'created' ? 'create' : null });
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
      // Never goes back to booking: an earlier cancel call may still arrive.
      return cancel;
    case 'absent':
    case 'cancelled':
      return step('cancelled', { appointment: isStillHeld(appointment) ? 'release' : 'leave' });
    case 'captured':
      return takenBeforeBooked(appointment);
  }
}

/** Leaves the appointment alone: it may have another payment by now. */
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

/** The money was refunded, by somebody at the gateway or by us. */
function fromRefund(
  state: PaymentState,
  gateway: RefundFact,
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
 * The idempotency keys of calls to the gateway, stored before each call. `round` grows after an error that
 * the gateway would only repeat under the same key.
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

/** A create call with unknown outcome cannot take effect later than this after it was made. */
export const CREATE_SETTLES_SECONDS = 2 * MINUTE;

/**
 * How many tries are made under one idempotency key. Tries become hourly and gateways forget keys after 24
 * hours, so no key may be used for longer than 23.
 */
export const TRIES_UNDER_ONE_KEY = 20;

/** Seconds before the next try of a capture, after `tries` of them: 1, 2, 4 … minutes, then hourly. */
export function captureRetryDelay(tries: number): number {
  return tries > 6 ? HOUR : Math.min(HOUR, MINUTE * 2 ** Math.max(0, tries - 1));
}

/** When a payment must be looked at again; null when nothing is due. */
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
  return UNFINISHED_STATES.includes(state) ? now + captureRetryDelay(tries) : null;
}
