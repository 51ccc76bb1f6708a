import { formatFee, paymentStep } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { isUuid } from '../../database/db.ts';
import { type Intent, factOf } from './gateway.ts';
import { lockPaidAppointment } from '../appointments/index.ts';
import { appointmentOf, settle } from './settle.ts';
import type { PaymentPorts } from './settle.ts';
import type { Payment } from './store.ts';

/** One difference between the gateway's books and ours, and what was done about it. */
export interface Difference {
  readonly payment: string | null;
  readonly intent: string | null;
  /** 'stranger': an intent that belongs to no payment of ours. */
  readonly what: 'stranger' | 'missingIntent' | 'unsettled';
  readonly outcome: 'repaired' | 'alarm' | 'open';
}

export interface ReconcileReport {
  readonly intents: number;
  readonly payments: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
  readonly differences: readonly Difference[];
  /** Payments that were not compared, or not settled, because the time was over. */
  readonly left: number;
}

/**
 * Compares the gateway's intents with our payments since `since`, and settles every pair that is not at
 * rest; starts none from `until` on. What settling does not mend is an alarm for an operator.
 */
export async function reconcile(
  ports: PaymentPorts,
  since: EpochSeconds,
  until: EpochSeconds = Number.POSITIVE_INFINITY,
): Promise<ReconcileReport> {
  const intents = await ports.gateway.listIntents(since);
  const payments = await ports.payments.since(ports.database.db, since);
  const known = new Map(payments.map((payment) => [payment.id, payment]));
  const differences: Difference[] = [];
  const pairs: { readonly payment: Payment; readonly intent: Intent | null }[] = [];
  for (const intent of intents) {
    const payment = known.get(intent.payment ?? '') ?? (await earlierPaymentOf(ports, intent));
    if (payment === null)
      differences.push({ payment: null, intent: intent.id, what: 'stranger', outcome: 'alarm' });
    else pairs.push({ payment, intent });
  }
  const paired = new Set(pairs.map(({ payment }) => payment.id));
  for (const payment of payments)
    if (!paired.has(payment.id) && !isOver(payment)) pairs.push({ payment, intent: null });
  const isOutOfTime = () => ports.clock.now() >= until;
  let [compared, mended] = [0, 0];
  const unsettled: typeof pairs = [];
  for (const pair of pairs) {
    if (isOutOfTime()) break;
    compared += 1;
    const { payment, intent } = pair;
    if (intent === null || !(await rests(ports, payment, intent))) unsettled.push(pair);
  }
  // The last changed come last: if time runs out, the next comparison starts with those not reached.
  unsettled.sort((one, other) => one.payment.changedAt - other.payment.changedAt);
  for (const { payment, intent } of unsettled) {
    if (isOutOfTime()) break;
    mended += 1;
    const isMissing = intent === null && payment.intentId !== null;
    differences.push({
      payment: payment.id,
      intent: intent?.id ?? payment.intentId,
      what: isMissing ? 'missingIntent' : 'unsettled',
      outcome: await mend(ports, payment),
    });
  }
  for (const { what, outcome } of differences)
    if (outcome === 'alarm') ports.reports.report({ kind: 'reconcile', code: what });
  return {
    intents: intents.length,
    payments: payments.length,
    capturedCents: sum(intents, ({ capturedCents }) => capturedCents),
    refundedCents: sum(intents, ({ refund }) => refund?.amountCents ?? 0),
    differences,
    left: pairs.length - compared + (unsettled.length - mended),
  };
}

/** A payment begins a moment before its intent is made, and `since` may fall between the two. */
async function earlierPaymentOf({ payments, database }: PaymentPorts, { payment: id }: Intent) {
  return id !== null && isUuid(id) ? payments.find(database.db, id) : null;
}

const sum = (intents: readonly Intent[], of: (intent: Intent) => number) =>
  intents.reduce((total, intent) => total + of(intent), 0);

/** Whether the payment was cancelled without any intent at the gateway. */
const isOver = ({ state, intentId }: Payment) => state === 'cancelled' && intentId === null;

/** Whether settling the payment now would change nothing. */
async function rests(ports: PaymentPorts, payment: Payment, intent: Intent): Promise<boolean> {
  const now = ports.clock.now();
  const appointment = await ports.database.inTransaction((tx) =>
    lockPaidAppointment(ports, tx, payment),
  );
  const fact = appointmentOf(payment, appointment, now);
  const step = paymentStep(payment.state, factOf(intent, payment), fact);
  return (
    payment.intentId === intent.id &&
    step.next === payment.state &&
    step.write === null &&
    step.appointment === 'leave' &&
    step.alarm === null
  );
}

async function mend(ports: PaymentPorts, payment: Payment): Promise<Difference['outcome']> {
  const settled = await settle(ports, payment.id);
  if (settled === null || settled.unanswered) return 'open';
  if (settled.payment.alarm !== null) return 'alarm';
  const { dueAt } = settled.payment;
  return dueAt === null || settled.payment.state === 'requires_action' ? 'repaired' : 'open';
}

const WORDS = {
  stranger: 'stands at the gateway, and no payment here knows it',
  missingIntent: 'is not among the intents of the gateway',
  unsettled: 'did not rest',
} as const;

const OUTCOMES = {
  repaired: 'repaired',
  alarm: 'ALARM: look at it in the dashboard of the card provider',
  open: 'not finished yet; the service goes on by itself',
} as const;

/** What an operator reads: the sums, then a line for each difference. */
export function reconcileReport(report: ReconcileReport): string[] {
  const { intents, payments, capturedCents, refundedCents, differences } = report;
  return [
    `${intents} intents at the gateway, ${payments} payments here`,
    `taken ${formatFee(capturedCents)}, given back ${formatFee(refundedCents)}`,
    ...differences.map(
      ({ payment, intent, what, outcome }) =>
        `payment ${payment ?? '-'}, intent ${intent ?? '-'}: ${WORDS[what]}; ${OUTCOMES[outcome]}`,
    ),
    differences.length === 0 ? 'No differences' : `${differences.length} differences`,
  ];
}

/** Whether an operator has something to do. */
export function needsOperator({ differences }: ReconcileReport): boolean {
  return differences.some(({ outcome }) => outcome === 'alarm');
}
