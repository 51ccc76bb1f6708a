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
 * intent is found, but a create call is due or may still be on its way. `absent`: none is there or will come.
 * `mismatch`: amount, currency or owner are not this payment's. `refund…` implies captured.
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
 */
export const APPOINTMENT_FACTS = [
  'held',
  'lapsed',
  'active',
  'cancelledByPatient',
  'gone',
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
