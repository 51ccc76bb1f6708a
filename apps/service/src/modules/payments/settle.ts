import { setTimeout as pause } from 'node:timers/promises';

import {
  CREATE_SETTLES_SECONDS,
  type EpochSeconds,
  type GatewayFact,
  type GatewayWrite,
  LIVE_STATES,
  type PaymentAlarm,
  type PaymentState,
  type PaymentStep,
  TRIES_UNDER_ONE_KEY,
  captureRetryDelay,
  mayRefund,
  nextLook,
  paymentKeys,
  paymentStep,
} from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import {
  type BookingPorts,
  appointmentFactOf,
  appointments,
  clearPaidCopy,
  lockPaidAppointment,
  applyPaidStep,
} from '../appointments/index.ts';
import { emrBook } from '../emr/index.ts';
import {
  type CardPayments,
  GatewayError,
  GatewayOutcomeUnknown,
  GatewayUnreachable,
  type Intent,
  type PaymentGateway,
  called,
  factOf,
} from './gateway.ts';
import { REFUND_EMAIL } from './refund-email.ts';
import { type Payment, type PaymentChange, payments } from './store.ts';

/** What the payment use cases need; wrapped by fault tests. */
export interface PaymentPorts
  extends BookingPorts, CardPayments, Pick<Platform, 'clock' | 'log' | 'reports'> {
  readonly payments: typeof payments;
  /** Waits a moment while another caller settles a payment. */
  readonly pause: () => Promise<void>;
}

/** A hundred pauses (`MOST_PAUSES`) take ten seconds. */
const PAUSE_MS = 100;

export function paymentPorts(platform: Platform, cardPayments: CardPayments): PaymentPorts {
  return {
    ...platform,
    ...cardPayments,
    appointments,
    emrBook,
    payments,
    pause: () => pause(PAUSE_MS),
  };
}

/** A payment after it was settled as far as possible. */
export interface Settled extends Pick<View, 'intent' | 'awaitsEmr' | 'lacksRecord'> {
  readonly payment: Payment;
  /** The gateway, or the EMR, did not answer when it was asked last. */
  readonly unanswered: boolean;
  /** What went wrong with the last call, if anything. */
  readonly problem: GatewayError | null;
}

const MOST_ROUNDS = 8;
/** A create call is repeated once under its key: the answer tells what became of the first. */
const MOST_CALLS: Record<GatewayWrite, number> = { create: 2, capture: 1, cancel: 1, refund: 1 };

/**
 * The only code that changes the state of money: leases the payment, reads the gateway, decides in one
 * transaction, makes at most one call, and repeats until nothing changes. Any number of callers may
 * call it at any time, even at once: null while another caller has the payment.
 */
export async function settle(
  ports: PaymentPorts,
  id: string,
  owner: string = ports.ids.uuid(),
): Promise<Settled | null> {
  const { database, payments, clock } = ports;
  const leased = await database.inTransaction((tx) => payments.lease(tx, id, owner, clock.now()));
  if (leased === null) return null;
  try {
    return await work(ports, leased);
  } finally {
    await database.inTransaction((tx) => payments.giveBackLease(tx, id, owner));
  }
}

async function work(ports: PaymentPorts, leased: Payment): Promise<Settled> {
  let payment = leased;
  let problem: GatewayError | null = null;
  let lacksRecord = false;
  const calls: Record<GatewayWrite, number> = { create: 0, capture: 0, cancel: 0, refund: 0 };
  for (let round = 1; ; round += 1) {
    const view = await askBoth(ports, payment);
    lacksRecord ||= view.lacksRecord;
    const mayWrite = (write: GatewayWrite) =>
      round < MOST_ROUNDS && calls[write] < MOST_CALLS[write];
    const decided = await decide(ports, payment, view, mayWrite);
    const { createCalledAt } = payment;
    payment = decided.payment;
    const { write } = decided;
    if (write === null && (decided.isCurrent || round >= MOST_ROUNDS))
      return { ...view, payment, unanswered: view.fact === 'unanswered', problem, lacksRecord };
    if (write === null) continue;
    calls[write] += 1;
    problem = await writeGateway(ports, payment, write, view.intent);
    if (problem === null) continue;
    const failure = afterFailure(payment, write, problem, createCalledAt);
    payment = await remember(ports, payment, failure);
  }
}

interface Decided {
  /** False when the payment changed meanwhile, so that nothing was decided. */
  readonly isCurrent: boolean;
  readonly payment: Payment;
  /** The call to make. */
  readonly write: GatewayWrite | null;
}

/** Decides a step and writes all of it: appointment, payment, trail, email. */
function decide(
  ports: PaymentPorts,
  seen: Payment,
  view: View,
  mayWrite: (write: GatewayWrite) => boolean,
): Promise<Decided> {
  const now = ports.clock.now();
  return ports.database.inTransaction(async (tx) => {
    const appointment = await lockPaidAppointment(ports, tx, seen);
    const payment = await ports.payments.lock(tx, seen.id);
    if (payment.version !== seen.version) return { isCurrent: false, payment, write: null };
    const fact = appointmentFactOf(payment, appointment, now);
    const step = paymentStep(payment.state, view.fact, view.inEmr ? fact : 'gone');
    const write = step.write !== null && mayWrite(step.write) ? step.write : null;
    const { next, appointment: change } = step;
    const paid = { ...payment, appointment, change, payment: phaseOf(next) };
    // If the payment was over before, another payment may be for the appointment by now.
    const isOthers = phaseOf(payment.state) === 'over' && change === 'leave';
    const holdUntil = isOthers ? null : await applyPaidStep(ports, tx, paid, now);
    const tries = (next === payment.state ? payment.tries : 0) + (write === null ? 0 : 1);
    const declined = view.intent?.declined ?? null;
    const changed = await ports.payments.change(
      tx,
      payment,
      {
        state: next,
        intentId: view.intent?.id ?? payment.intentId,
        ...(next === 'declined' &&
          declined && { declineCode: declined.code, declineMessage: declined.message }),
        tries,
        // The clinic refunds it, and the card company was not asked yet.
        dueAt:
          payment.refundReason !== null && mayRefund(next)
            ? now + captureRetryDelay(tries)
            : nextLook(next, tries, holdUntil, now),
        alarm: alarmOf(payment, view, step),
        ...(write === 'create' && { createCalledAt: now }),
        ...(next === 'refunded' && { refundedAt: payment.refundedAt ?? now }),
      },
      now,
    );
    if (step.alarm !== null && step.alarm !== payment.alarm) {
      // Nothing mends it by itself: operators see it in the log and the error reports.
      const { id, state } = payment;
      ports.reports.report({ kind: 'settle', code: step.alarm, payment: id, state });
      ports.log.event(`payment-alarm:${step.alarm}`);
    }
    if (next !== payment.state) {
      // Also after a refund in the card provider's dashboard the appointment is no longer paid.
      if (next === 'refund_pending' || next === 'refunded')
        await clearPaidCopy(tx, payment.appointmentId);
      if (next === 'refunded')
        await ports.outbox.enqueue(tx, REFUND_EMAIL, { paymentId: payment.id }, now);
      await ports.appendAudit(tx, {
        actor: 'system:payments',
        action: `payment ${next.replaceAll('_', ' ')}`,
        subject: `payment:${payment.id}`,
        details: {
          appointment: payment.appointmentId,
          cents: payment.amountCents,
          from: payment.state,
        },
        at: now,
      });
    }
    return { isCurrent: true, payment: changed, write };
  });
}

function phaseOf(next: PaymentState): 'over' | 'open' | 'atBank' {
  if (next === 'requires_action') return 'atBank';
  return LIVE_STATES.includes(next) ? 'open' : 'over';
}

function alarmOf(payment: Payment, view: View, step: PaymentStep): PaymentAlarm | null {
  const lasting = step.next === 'capture_failed' || step.next === 'refund_failed';
  return step.alarm ?? (lasting || view.fact === 'unanswered' ? payment.alarm : null);
}

/** Stores a change, unless the payment was changed meanwhile: then returns the newer one. */
function remember(ports: PaymentPorts, seen: Payment, change: PaymentChange): Promise<Payment> {
  if (Object.keys(change).length === 0) return Promise.resolve(seen);
  return ports.database.inTransaction(async (tx) => {
    const payment = await ports.payments.lock(tx, seen.id);
    return payment.version === seen.version
      ? ports.payments.change(tx, payment, change, ports.clock.now())
      : payment;
  });
}

/** What the gateway and the EMR say of a payment. */
interface View {
  readonly fact: GatewayFact;
  /** As the gateway last showed it. */
  readonly intent: Intent | null;
  /** False only when an EMR was asked to book the appointment and did not book it. */
  readonly inEmr: boolean;
  /** True when an EMR was asked to book the appointment and has not said whether it did. */
  readonly awaitsEmr: boolean;
  /** True when the EMR did not book it as it has no record of the patient. */
  readonly lacksRecord: boolean;
}

/** Asks the gateway and, where the next step is to book a held slot, the EMR. */
async function askBoth(ports: PaymentPorts, payment: Payment): Promise<View> {
  const view = await readGateway(ports, payment, ports.clock.now());
  const { emr } = ports;
  if (emr === null) return view;
  const { appointmentId } = payment;
  if (paymentStep(payment.state, view.fact, 'held').appointment !== 'book') return view;
  const became = await ports.emrBook.confirmPaid(ports, emr, appointmentId, ports.clock.now());
  if (became.kind === 'unknown') return { ...view, fact: 'unanswered', awaitsEmr: true };
  const lacksRecord = became.kind === 'refused' && became.why === 'noRecord';
  return { ...view, inEmr: became.kind === 'booked', lacksRecord };
}

/** Whether no create call was made: a try is counted before its call. */
export const isUnsent = ({ state, intentId, tries }: Payment): boolean =>
  state === 'created' && intentId === null && tries === 0;

/** Asks the gateway; an intent whose create call was never answered is found by its metadata. */
async function readGateway(
  ports: PaymentPorts,
  payment: Payment,
  now: EpochSeconds,
): Promise<View> {
  const { id, intentId, createCalledAt } = payment;
  const read = () =>
    intentId === null ? adopt(ports.gateway, payment) : ports.gateway.retrieve(intentId);
  const intent = isUnsent(payment)
    ? null
    : await called(ports, { kind: 'settle', payment: id }, read);
  const nothing = { intent: null, inEmr: true, awaitsEmr: false, lacksRecord: false };
  if (intent instanceof GatewayError) return { ...nothing, fact: 'unanswered' };
  if (intent !== null) return { ...nothing, fact: factOf(intent, payment), intent };
  const nothingComes =
    intentId !== null || createCalledAt === null || now - createCalledAt >= CREATE_SETTLES_SECONDS;
  return { ...nothing, fact: nothingComes ? 'absent' : 'unsure' };
}

/** The gateway's clock may be behind ours. */
const CLOCKS_APART = 600;

/** Finds a payment's intent by its metadata; of several (there should be one), one that may hold money. */
async function adopt(gateway: PaymentGateway, payment: Payment): Promise<Intent | null> {
  const since = await gateway.listIntents(payment.createdAt - CLOCKS_APART);
  const found = since.filter((intent) => intent.payment === payment.id);
  return found.find(({ status }) => status !== 'cancelled') ?? found[0] ?? null;
}

/** Part of the key of a payment's only refund, whether the clinic took the slot back or refunds the fee. */
const REFUND_REASON = 'slotRemoved';

/**
 * Makes the one call that a step decided, under its stored key; returns the error, or null. Its effect
 * is found out by reading the gateway.
 */
async function writeGateway(
  ports: PaymentPorts,
  payment: Payment,
  write: GatewayWrite,
  seen: Intent | null,
): Promise<GatewayError | null> {
  const { id, state, tries } = payment;
  const kind = write === 'create' ? 'charge' : write;
  const outcome = await called(ports, { kind, payment: id, state, tries }, () =>
    call(ports.gateway, payment, write, seen),
  );
  return outcome instanceof GatewayError ? outcome : null;
}

async function call(
  gateway: PaymentGateway,
  payment: Payment,
  write: GatewayWrite,
  seen: Intent | null,
): Promise<unknown> {
  const { id, amountCents, paymentMethod, captureRound, cancelRound, refundRound } = payment;
  if (write === 'create')
    return gateway.createAndConfirm({
      key: paymentKeys.create(id),
      payment: id,
      amountCents,
      paymentMethod,
    });
  if (payment.intentId === null) throw new Error(`A ${write} without an intent`);
  switch (write) {
    case 'capture':
      return gateway.capture(paymentKeys.capture(id, captureRound), payment.intentId, amountCents);
    case 'cancel':
      return gateway.cancel(paymentKeys.cancel(id, cancelRound), payment.intentId);
    case 'refund':
      return gateway.refund(
        paymentKeys.refund(id, REFUND_REASON, refundRound),
        payment.intentId,
        // Part of it may have been given back in the card company's dashboard.
        amountCents - (seen?.refund?.amountCents ?? 0),
      );
  }
}

/**
 * What to store after a call failed. An error that came as an answer would come again under the same
 * key, so the next try has another key; a create call that was turned away is no longer on its way.
 */
function afterFailure(
  payment: Payment,
  write: GatewayWrite,
  error: GatewayError,
  calledBefore: number | null,
): PaymentChange {
  const inTheAir = error instanceof GatewayOutcomeUnknown && !error.answered;
  const notSent = error instanceof GatewayUnreachable;
  if (write === 'create') {
    if (inTheAir) return {};
    // Turned away at the first try: as if nothing had been sent. Else an earlier try may still take effect.
    if (notSent && payment.tries > 1) return { createCalledAt: calledBefore };
    return { createCalledAt: null, ...(notSent && { tries: 0 }) };
  }
  if ((inTheAir || notSent) && payment.tries % TRIES_UNDER_ONE_KEY !== 0) return {};
  const round = `${write}Round` as const;
  return { [round]: payment[round] + 1 };
}

const MOST_PAUSES = 100;

/** Settles a payment once other callers are done with it; null when that takes too long. */
export async function settleInTurn(ports: PaymentPorts, id: string): Promise<Settled | null> {
  for (let pauses = 0; ; pauses += 1) {
    const settled = await settle(ports, id);
    if (settled !== null || pauses === MOST_PAUSES) return settled;
    await ports.pause();
  }
}

const MOST_AT_ONCE = 100;

/**
 * Settles every payment that is due: lapsed holds, captures to try again, unknown outcomes, paid
 * appointments that ended. Any number of processes may run it. Even without a single webhook, every
 * payment ends here.
 */
export async function sweepPayments(ports: PaymentPorts): Promise<number> {
  const { database, payments, clock, log } = ports;
  let settled = 0;
  for (const id of await payments.listDue(database.db, clock.now(), MOST_AT_ONCE)) {
    try {
      if ((await settle(ports, id)) !== null) settled += 1;
    } catch (error) {
      // One payment that cannot be settled must not keep the others waiting.
      log.error('settle-failed', error);
    }
  }
  return settled;
}
