import { UNFINISHED_STATES, formatFee, paymentStep } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { type Db, isUuid } from '../../database/db.ts';
import { lockFact, readFact, writeFact } from '../../database/installation.store.ts';
import { GatewayError, type Intent, called, factOf } from './gateway.ts';
import { appointmentFactOf, lockPaidAppointment } from '../appointments/index.ts';
import { type PaymentPorts, type Settled, settle } from './settle.ts';
import type { Payment } from './store.ts';

/** One difference between the gateway's books and ours, and what was done about it. */
export interface Difference {
  readonly payment: string | null;
  readonly intent: string | null;
  /** 'stranger': an intent that belongs to no payment here. */
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
  /** Whether nothing was left out that a later comparison would not find by itself. */
  readonly isComplete: boolean;
}

/**
 * Compares the gateway's intents since `since` with our payments, and payments that are not finished with
 * their intents. Settles every pair that is not at rest; starts none from `until` on. What settling does not
 * mend is an alarm for an operator.
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
    const { payment } = pair;
    const intent = pair.intent ?? (await intentOf(ports, payment));
    if (intent === null || !(await rests(ports, payment, intent)))
      unsettled.push({ payment, intent });
  }
  // The last changed come last: if time runs out, the next comparison starts with those not reached.
  unsettled.sort((one, other) => one.payment.changedAt - other.payment.changedAt);
  let isFollowed = true;
  for (const { payment, intent } of unsettled) {
    if (isOutOfTime()) break;
    mended += 1;
    const settled = await settle(ports, payment.id);
    const isMissing = intent === null && payment.intentId !== null && !settled?.unanswered;
    isFollowed &&= settled === null || !settled.unanswered || isUnfinished(settled.payment);
    differences.push({
      payment: payment.id,
      intent: intent?.id ?? payment.intentId,
      what: isMissing ? 'missingIntent' : 'unsettled',
      outcome: outcomeOf(settled),
    });
  }
  for (const { what, outcome } of differences)
    if (outcome === 'alarm') ports.reports.report({ kind: 'reconcile', code: what });
  const left = pairs.length - compared + (unsettled.length - mended);
  return {
    intents: intents.length,
    payments: payments.length,
    capturedCents: sum(intents, ({ capturedCents }) => capturedCents),
    refundedCents: sum(intents, ({ refund }) => refund?.amountCents ?? 0),
    differences,
    left,
    isComplete: left === 0 && isFollowed,
  };
}

/** When a look last began: any, one that was complete, and one of all days that was complete. */
const BEGUN = 'reconciled';
const COMPLETE = 'reconciled-complete';
const ALL_DAYS = 'reconciled-all-days';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A little less than the hour after which each process asks. */
const TURN_SECONDS = 55 * 60;
/** A day more than the seven days for which an authorisation of a card lasts. */
const ALL_DAYS_SECONDS = 8 * DAY;
/** How far a look goes back behind the start of the one before it: clocks differ, and calls are under way. */
const OVERLAP = HOUR;
/** After a longer pause all days are looked at: the sweeper finds no appointment that ended before that. */
const LONGEST_PAUSE = 2 * HOUR;

/**
 * Reconciles where no process has begun to within the hour, from the last complete look on. Once a day, and
 * once after this process has started, all days are looked at: only that finds what a row hides that was
 * lost, as by a restore, and what was changed at the gateway later.
 */
export async function reconcileInTurn(
  ports: PaymentPorts,
  startedAt: EpochSeconds,
): Promise<boolean> {
  const { database, clock } = ports;
  const now = clock.now();
  const since = await database.inTransaction(async (tx) => {
    const begun = Number(await lockFact(tx, BEGUN, '0'));
    if (now - begun < TURN_SECONDS) return null;
    await writeFact(tx, BEGUN, String(now));
    const [complete, allDays] = [await timeOf(tx, COMPLETE), await timeOf(tx, ALL_DAYS)];
    const isRecent = allDays >= startedAt && now - allDays < DAY && now - complete <= LONGEST_PAUSE;
    return isRecent ? complete - OVERLAP : now - ALL_DAYS_SECONDS;
  });
  if (since === null) return false;
  const { isComplete } = await reconcile(ports, since);
  if (isComplete)
    await database.inTransaction(async (tx) => {
      await writeFact(tx, COMPLETE, String(now));
      if (since === now - ALL_DAYS_SECONDS) await writeFact(tx, ALL_DAYS, String(now));
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
  const asked = await called(ports, { kind: 'reconcile', payment: id }, () =>
    ports.gateway.retrieve(intentId),
  );
  return asked instanceof GatewayError ? null : asked;
}

/** Whether the sweeper, and each look, comes upon the payment by itself. */
const isUnfinished = ({ state, dueAt }: Payment) =>
  dueAt !== null || UNFINISHED_STATES.includes(state);

/** Whether the payment was cancelled without any intent at the gateway. */
const isOver = ({ state, intentId }: Payment) => state === 'cancelled' && intentId === null;

/** Whether settling the payment now would change nothing. */
async function rests(ports: PaymentPorts, payment: Payment, intent: Intent): Promise<boolean> {
  const now = ports.clock.now();
  const appointment = await ports.database.inTransaction((tx) =>
    lockPaidAppointment(ports, tx, payment),
  );
  const fact = appointmentFactOf(payment, appointment, now);
  const step = paymentStep(payment.state, factOf(intent, payment), fact);
  return (
    payment.intentId === intent.id &&
    step.next === payment.state &&
    step.write === null &&
    step.appointment === 'leave' &&
    step.alarm === null
  );
}

function outcomeOf(settled: Settled | null): Difference['outcome'] {
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
