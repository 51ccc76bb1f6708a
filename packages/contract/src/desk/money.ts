import { FEE_MEANS, MONEY_STATES, PAYMENT_STATES, REFUND_REASONS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { dateRange, envelope, epochSeconds, id, uuid } from '../shapes.ts';

const cents = z.int();

/** A fee that was paid online or taken at the clinic. */
const moneyRow = z.object({
  /** The payment's id; for a fee at the clinic, the appointment's. */
  id,
  appointmentId: id,
  /** How it was taken at the clinic; null when it was paid online. */
  means: z.enum(FEE_MEANS).nullable(),
  cents,
  at: epochSeconds,
  state: z.enum(MONEY_STATES),
  /** The payment's detailed state; null for a fee at the clinic. */
  paymentState: z.enum(PAYMENT_STATES).nullable(),
  refundedAt: epochSeconds.nullable(),
  refundReason: z.enum(REFUND_REASONS).nullable(),
  /** How it was refunded at the clinic; null when it was not. */
  refundMeans: z.enum(FEE_MEANS).nullable(),
  /** True when no retry can fix it and somebody must act. */
  isAlarming: z.boolean(),
  /** Whether it can be refunded: to the card that paid, or at the clinic when it was taken there. */
  isRefundable: z.boolean(),
  /** The reference that the patient can quote. */
  reference: z.string().nullable(),
  patient: z.string(),
  /** The start and the type of the appointment. */
  start: epochSeconds.nullable(),
  description: z.string(),
});

const dayTakings = z.object({
  date: z.string(),
  online: cents,
  refunded: cents,
  cash: cents,
  debit: cents,
  credit: cents,
  other: cents,
  /** The part of `refunded` that was paid out at the clinic. */
  back: z.object({ cash: cents, debit: cents, credit: cents, other: cents }),
});

const difference = z.object({
  payment: z.string().nullable(),
  intent: z.string().nullable(),
  what: z.enum(['stranger', 'secondIntent', 'missingIntent', 'unsettled']),
  outcome: z.enum(['repaired', 'alarm', 'open']),
});

export type ApiMoneyRow = z.infer<typeof moneyRow>;
export type ApiDayTakings = z.infer<typeof dayTakings>;
export type ApiDifference = z.infer<typeof difference>;

/** The most days of one comparison; for more, use the operator's command. */
const MOST_DAYS_COMPARED = 31;

/** Payments, refunds, and the comparison with the card company's books. */
export const deskMoneyCalls = {
  deskMoney: call('deskMoney', {
    summary: 'Fees of some days, paid online or taken at the clinic, and the takings of each day.',
    section: 'S-18, R-98 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    query: z.strictObject({ ...dateRange, state: z.enum(MONEY_STATES).optional() }),
    answer: envelope({
      rows: z.array(moneyRow),
      /** True when there are more rows than are listed. */
      hasMore: z.boolean(),
      days: z.array(dayTakings),
    }),
  }),
  deskRefund: call('deskRefund', {
    summary: 'Give a fee back in full, once; its payer is mailed when the card company did it.',
    section: 'S-18, R-44 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: z.strictObject({ reason: z.enum(REFUND_REASONS) }),
    answer: envelope({ state: z.enum(MONEY_STATES) }),
    refusals: [409],
  }),
  deskReconcile: call('deskReconcile', {
    summary:
      'Lay the card company’s books beside ours, and settle what differs, for twenty seconds at most.',
    section: 'S-18, R-40 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ days: z.int().min(1).max(MOST_DAYS_COMPARED) }),
    answer: envelope({
      intents: z.int(),
      payments: z.int(),
      capturedCents: cents,
      refundedCents: cents,
      differences: z.array(difference),
      /** Payments that were not compared yet; ask again to go on. */
      left: z.int().min(0),
    }),
    refusals: [409],
  }),
};
