import type { PaymentAlarm, PaymentState, RefundReason } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/**
 * One fee for one appointment; its states are those of the domain's payment steps. A call to the gateway
 * has an idempotency key of the payment and a round, both stored before the call, so that any process can repeat
 * it. Only `advancePayment` changes `state`.
 */
export const payment = pgTable(
  'payment',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    /** The appointment that is paid for; when it is moved, the new one. */
    appointmentId: uuid('appointment_id').notNull(),
    amountCents: integer('amount_cents').notNull(),
    state: text().$type<PaymentState>().notNull(),
    /** What the patient quotes: on the receipt and the booked screen. */
    reference: text().notNull(),
    intentId: text('intent_id'),
    /** The gateway's id of the last card; empty when that card was sent but never tried. */
    paymentMethod: text('payment_method').notNull(),
    /** The last decline, in the provider's words. */
    declineCode: text('decline_code'),
    declineMessage: text('decline_message'),
    confirmRound: integer('confirm_round').notNull().default(0),
    captureKeyNumber: integer('capture_round').notNull().default(0),
    cancelKeyNumber: integer('cancel_round').notNull().default(0),
    refundKeyNumber: integer('refund_round').notNull().default(0),
    /** How often the gateway call that is due was tried. */
    tries: integer().notNull().default(0),
    /** When the create call was last made; it has taken effect by CREATE_OUTCOME_SECONDS later or never. */
    createCalledAt: seconds('create_called_at_s'),
    /** Grows with every change, so that nobody decides on an outdated read. */
    version: integer().notNull().default(0),
    leaseOwner: uuid('lease_owner'),
    leaseUntil: seconds('lease_until_s'),
    /** When the sweep advances it next; null when nothing is due. */
    dueAt: seconds('due_at_s'),
    alarm: text().$type<PaymentAlarm>(),
    /** The patient gave the appointment up: what was captured is kept. */
    givenUpByPatient: boolean('given_up_by_patient').notNull().default(false),
    /** Why staff refund it, whatever becomes of the appointment; null when they do not. */
    refundReason: text('refund_reason').$type<RefundReason>(),
    /** When the refund was first known; null also for refunds older than this column. */
    refundedAt: seconds('refunded_at_s'),
    createdAt: seconds('created_at_s').notNull(),
    changedAt: seconds('changed_at_s').notNull(),
  },
  (t) => [
    uniqueIndex('payment_one_live')
      .on(t.patientId)
      .where(sql`state in ('created', 'requires_action', 'declined', 'cancelling')`),
    uniqueIndex('payment_intent').on(t.intentId),
    index('payment_appointment').on(t.appointmentId),
    index('payment_patient').on(t.patientId),
    index('payment_due')
      .on(t.dueAt)
      .where(sql`due_at_s is not null`),
  ],
);

/** Webhook calls that were taken; a second one with the same id does nothing. */
export const gatewayEvent = pgTable('gateway_event', {
  id: text().primaryKey(),
  type: text().notNull(),
  intentId: text('intent_id'),
  receivedAt: seconds('received_at_s').notNull(),
});
