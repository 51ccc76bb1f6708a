import { UNFINISHED_STATES, formatFee, paymentStep } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { type Db, isUuid } from '../../database/db.ts';
import { lockFact, readFact, writeFact } from '../../database/installation.store.ts';
import { GatewayError, type Intent, tryCall, gatewayStatusOf } from './gateway.ts';
import { bookingStatusOf, lockAppointmentOfPayment } from '../appointments/index.ts';
import { type PaymentPorts, type AdvancedPayment, advancePayment } from './advance-payment.ts';
import type { Payment } from './store.ts';

/** One difference between the gateway's books and ours, and what was done about it. */
export interface Difference {
  readonly payment: string | null;
  readonly intent: string | null;
  /**
   * 'stranger': an intent of no payment here. 'secondIntent': one beside that of its payment, with money.
   * 'unsettled': our payment does not agree with its intent.
   */
  readonly what: 'stranger' | 'secondIntent' | 'missingIntent' | 'unsettled';
  readonly outcome: 'repaired' | 'alarm' | 'open';
}

export interface ReconcileReport {
  readonly intents: number;
  readonly payments: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
  readonly differences: readonly Difference[];
  /** Payments that were not compared, or not advanced, because the time was over. */
  readonly left: number;
  /** True when nothing was left out, or what was left out will be found by a later run. */
  readonly isComplete: boolean;
}

/**
 * Compares the gateway's intents since `since` with our payments, and payments that are not finished with
 * their intents. Advances every payment that does not agree with its intent; starts none from `until` on. What
 * that does not repair is an alarm for an operator.
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
    if (!paired.has(payment.id) && !isOverWithoutIntent(payment))
      pairs.push({ payment, intent: null });
  const isOutOfTime = () => ports.clock.now() >= until;
  let [compared, advanced] = [0, 0];
  const unsettled: typeof pairs = [];
  for (const pair of pairs) {
    if (isOutOfTime()) break;
    compared += 1;
    const { payment } = pair;
    const intent = pair.intent ?? (await intentOf(ports, payment));
    if (intent === null || !(await isUpToDate(ports, payment, intent)))
      unsettled.push({ payment, intent });
  }
  // The last changed come last: if time runs out, the next comparison starts with those not reached.
  unsettled.sort((one, other) => one.payment.changedAt - other.payment.changedAt);
  let isRetried = true;
  for (const { payment, intent } of unsettled) {
    if (isOutOfTime()) break;
    advanced += 1;
    const result = await advancePayment(ports, payment.id);
    isRetried &&= result === null || !result.unanswered || isUnfinished(result.payment);
    const isSecond =
      intent !== null && isBeside(result?.payment ?? payment, intent) && mayHoldMoney(intent);
    const isMissing = intent === null && payment.intentId !== null && !result?.unanswered;
    differences.push({
      payment: payment.id,
      intent: intent?.id ?? payment.intentId,
      what: isSecond ? 'secondIntent' : isMissing ? 'missingIntent' : 'unsettled',
      outcome: isSecond ? 'alarm' : outcomeOf(result),
    });
  }
  for (const { what, outcome } of differences)
    if (outcome === 'alarm') ports.reports.report({ kind: 'reconcile', code: what });
  const left = pairs.length - compared + (unsettled.length - advanced);
  return {
    intents: intents.length,
    payments: payments.length,
    capturedCents: sum(intents, ({ capturedCents }) => capturedCents),
    refundedCents: sum(intents, ({ refund }) => refund?.amountCents ?? 0),
    differences,
    left,
    isComplete: left === 0 && isRetried,
  };
}

/** When a run last began: any, one that was complete, and one over all days that was complete. */
const LAST_RUN = 'reconciled';
const LAST_COMPLETE = 'reconciled-complete';
const LAST_ALL_DAYS = 'reconciled-all-days';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A little less than the hour after which each process tries to reconcile. */
const MIN_INTERVAL_SECONDS = 55 * 60;
/** A day more than the seven days for which an authorisation of a card lasts. */
const ALL_DAYS_SECONDS = 8 * DAY;
/** How far a run goes back behind the start of the one before it: clocks differ, and calls are under way. */
const OVERLAP = HOUR;
/** After a longer pause all days are reconciled: the sweep finds no appointment that ended before that. */
const LONGEST_PAUSE = 2 * HOUR;

/**
 * Reconciles where no process has begun to within the hour, from the last complete run on. Once a day, and
 * once after this process has started, it covers all days: only that finds intents whose payment was lost
 * here, as by a restore, and what was changed at the gateway later.
 */
export async function reconcileIfDue(
  ports: PaymentPorts,
  startedAt: EpochSeconds,
): Promise<boolean> {
  const { database, clock } = ports;
  const now = clock.now();
  const since = await database.inTransaction(async (tx) => {
    const begun = Number(await lockFact(tx, LAST_RUN, '0'));
    if (now - begun < MIN_INTERVAL_SECONDS) return null;
    await writeFact(tx, LAST_RUN, String(now));
    const [complete, allDays] = [await timeOf(tx, LAST_COMPLETE), await timeOf(tx, LAST_ALL_DAYS)];
    const isRecent = allDays >= startedAt && now - allDays < DAY && now - complete <= LONGEST_PAUSE;
    return isRecent ? complete - OVERLAP : now - ALL_DAYS_SECONDS;
  });
  if (since === null) return false;
  const { isComplete } = await reconcile(ports, since);
  if (isComplete)
    await database.inTransaction(async (tx) => {
      await writeFact(tx, LAST_COMPLETE, String(now));
      if (since === now - ALL_DAYS_SECONDS) await writeFact(tx, LAST_ALL_DAYS, String(now));
    });
  return true;
}

const timeOf = async (db: Db, key: string) => Number((await readFact(db, key)) ?? 0);

/** A payment begins a moment before its intent is made, and `since` may fall between the two. */
async function earlierPaymentOf({ payments, database }: PaymentPorts, { payment: id }: Intent) {
  return id !== null && isUuid(id) ? payments.find(database.db, id) : null;
}

const sum = (intents: readonly Intent[], of: (intent: Intent) => number) =>
  intents.reduce((total, intent) => total + of(intent), 0);

/** The intent of a payment that was not listed; null where there is none, or nobody answers. */
async function intentOf(ports: PaymentPorts, { id, intentId }: Payment): Promise<Intent | null> {
  if (intentId === null) return null;
  const asked = await tryCall(ports, { kind: 'reconcile', payment: id }, () =>
    ports.gateway.retrieve(intentId),
  );
  return asked instanceof GatewayError ? null : asked;
}

/** Whether the intent is another than the payment's own: the gateway made two. */
const isBeside = ({ intentId }: Payment, { id }: Intent) => intentId !== null && intentId !== id;

const mayHoldMoney = ({ status, amountCents, refund }: Intent) =>
  status !== 'cancelled' &&
  (refund === null || refund.status === 'failed' || refund.amountCents < amountCents);

/** Whether the sweep, and each run, will find the payment by itself. */
const isUnfinished = ({ state, dueAt }: Payment) =>
  dueAt !== null || UNFINISHED_STATES.includes(state);

/** Whether the payment was cancelled without any intent at the gateway. */
const isOverWithoutIntent = ({ state, intentId }: Payment) =>
  state === 'cancelled' && intentId === null;

/** Whether advancing the payment now would change nothing. */
async function isUpToDate(ports: PaymentPorts, payment: Payment, intent: Intent): Promise<boolean> {
  if (isBeside(payment, intent)) return !mayHoldMoney(intent);
  const now = ports.clock.now();
  const appointment = await ports.database.inTransaction((tx) =>
    lockAppointmentOfPayment(ports, tx, payment),
  );
  const fact = bookingStatusOf(payment, appointment, now);
  const step = paymentStep(payment.state, gatewayStatusOf(intent, payment), fact);
  return (
    payment.intentId === intent.id &&
    step.next === payment.state &&
    step.call === null &&
    step.appointment === 'leave' &&
    step.alarm === null
  );
}

function outcomeOf(result: AdvancedPayment | null): Difference['outcome'] {
  if (result === null || result.unanswered) return 'open';
  if (result.payment.alarm !== null) return 'alarm';
  const { dueAt } = result.payment;
  return dueAt === null || result.payment.state === 'requires_action' ? 'repaired' : 'open';
}

const WORDS = {
  stranger: 'stands at the gateway, and no payment here knows it',
  secondIntent: 'is a second intent of its payment, and may hold money',
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
export const needsOperator = ({ differences }: ReconcileReport): boolean =>
  differences.some(({ outcome }) => outcome === 'alarm');
