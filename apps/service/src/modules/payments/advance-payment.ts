import { setTimeout as pause } from 'node:timers/promises';

import {
  ACTIVE_STATES,
  CREATE_OUTCOME_SECONDS,
  type EpochSeconds,
  type GatewayCall,
  type GatewayStatus,
  MAX_TRIES_PER_KEY,
  type PaymentAlarm,
  type PaymentState,
  type PaymentStep,
  idempotencyKeys,
  mayRefund,
  nextCheckAt,
  paymentRetryDelay,
  paymentStep,
} from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import {
  type BookingPorts,
  type PaymentEffect,
  bookingStatusOf,
  appointments,
  applyPaymentStep,
  clearPaidCents,
  lockAppointmentOfPayment,
} from '../appointments/index.ts';
import { emrBook } from '../emr/index.ts';
import {
  type CardPayments,
  GatewayError,
  GatewayOutcomeUnknown,
  GatewayUnreachable,
  type Intent,
  type PaymentGateway,
  gatewayStatusOf,
  tryCall,
} from './gateway.ts';
import { REFUND_EMAIL } from './refund-email.ts';
import { type Payment, type PaymentChange, payments } from './store.ts';

/** What the payment use cases need; wrapped by fault tests. */
export interface PaymentPorts
  extends BookingPorts, CardPayments, Pick<Platform, 'clock' | 'log' | 'reports'> {
  readonly payments: typeof payments;
  /** Waits a moment while another caller has the lease of a payment. */
  readonly pause: () => Promise<void>;
}

/** A hundred pauses (`MAX_PAUSES`) take ten seconds. */
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

/** A payment after it was advanced as far as possible. */
export interface AdvancedPayment extends Pick<Snapshot, 'intent' | 'emr'> {
  readonly payment: Payment;
  /** The gateway, or the EMR, did not answer when it was asked last. */
  readonly unanswered: boolean;
  /** The EMR did not book the appointment as it has no record of the patient. */
  readonly recordMissing: boolean;
  /** What went wrong with the last call to the gateway, if anything. */
  readonly problem: GatewayError | null;
}

const MAX_ITERATIONS = 8;
/** A create call is repeated once under its idempotency key: the answer tells what became of the first. */
const MAX_CALLS: Record<GatewayCall, number> = { create: 2, capture: 1, cancel: 1, refund: 1 };

/**
 * The only code that changes the state of money: leases the payment, reads the gateway, decides in one
 * transaction, makes at most one call, and repeats until nothing changes. Any number of callers may
 * call it at any time, even at once: null while another caller has the lease.
 */
export async function advancePayment(
  ports: PaymentPorts,
  id: string,
  owner: string = ports.ids.uuid(),
): Promise<AdvancedPayment | null> {
  const { database, payments, clock } = ports;
  const leased = await database.inTransaction((tx) => payments.lease(tx, id, owner, clock.now()));
  if (leased === null) return null;
  try {
    return await advanceLeased(ports, leased);
  } finally {
    await database.inTransaction((tx) => payments.releaseLease(tx, id, owner));
  }
}

async function advanceLeased(ports: PaymentPorts, leased: Payment): Promise<AdvancedPayment> {
  let payment = leased;
  let problem: GatewayError | null = null;
  let recordMissing = false;
  const calls: Record<GatewayCall, number> = { create: 0, capture: 0, cancel: 0, refund: 0 };
  for (let iteration = 1; ; iteration += 1) {
    const isLast = iteration >= MAX_ITERATIONS;
    const snapshot = await readGatewayAndBookInEmr(ports, payment);
    recordMissing ||= snapshot.recordMissing;
    const mayCall = (call: GatewayCall) => !isLast && calls[call] < MAX_CALLS[call];
    const decided = await decide(ports, payment, snapshot, mayCall);
    const { createCalledAt } = payment;
    payment = decided.payment;
    const { call } = decided;
    if (call === null && (!decided.isOutdated || isLast))
      return { ...snapshot, payment, unanswered: isUnanswered(snapshot), problem, recordMissing };
    if (call === null) continue;
    calls[call] += 1;
    problem = await callGateway(ports, payment, call, snapshot.intent);
    if (problem === null) continue;
    const change = afterFailure(payment, call, problem, createCalledAt);
    payment = await storeIfUnchanged(ports, payment, change);
  }
}

interface Decision {
  /** True when the payment changed after it was read, so that nothing was decided. */
  readonly isOutdated: boolean;
  readonly payment: Payment;
  /** The call to make. */
  readonly call: GatewayCall | null;
}

/** Decides a step and writes all of it: appointment, payment, audit entry, email. */
function decide(
  ports: PaymentPorts,
  read: Payment,
  snapshot: Snapshot,
  mayCall: (call: GatewayCall) => boolean,
): Promise<Decision> {
  const now = ports.clock.now();
  return ports.database.inTransaction(async (tx) => {
    const appointment = await lockAppointmentOfPayment(ports, tx, read);
    const payment = await ports.payments.lock(tx, read.id);
    if (payment.version !== read.version) return { isOutdated: true, payment, call: null };
    const step = paymentStep(
      payment.state,
      isUnanswered(snapshot) ? 'unanswered' : snapshot.gatewayStatus,
      // What the EMR has refused to book counts as gone.
      snapshot.emr === 'refused' ? 'gone' : bookingStatusOf(payment, appointment, now),
    );
    const call = step.call !== null && mayCall(step.call) ? step.call : null;
    const { next, appointment: change } = step;
    const effect = { ...payment, appointment, change, paymentPhase: phaseOf(next) };
    // An ended payment leaves the appointment alone: a newer payment may be for it by now.
    const leavesAppointment = phaseOf(payment.state) === 'ended' && change === 'leave';
    const holdExpiresAt = leavesAppointment ? null : await applyPaymentStep(ports, tx, effect, now);
    const tries = (next === payment.state ? payment.tries : 0) + (call === null ? 0 : 1);
    const declined = snapshot.intent?.declined ?? null;
    const changed = await ports.payments.change(
      tx,
      payment,
      {
        state: next,
        intentId: snapshot.intent?.id ?? payment.intentId,
        ...(next === 'declined' &&
          declined && { declineCode: declined.code, declineMessage: declined.message }),
        tries,
        // A refund that the gateway was not yet asked for is tried soon, whatever the state.
        dueAt:
          payment.refundReason !== null && mayRefund(next)
            ? now + paymentRetryDelay(tries)
            : nextCheckAt(next, tries, holdExpiresAt, now),
        alarm: alarmOf(payment, snapshot, step),
        ...(call === 'create' && { createCalledAt: now }),
        ...(next === 'refunded' && { refundedAt: payment.refundedAt ?? now }),
      },
      now,
    );
    if (step.alarm !== null && step.alarm !== payment.alarm) {
      // No retry mends it: operators see it in the log and the error reports.
      const { id, state } = payment;
      ports.reports.report({ kind: 'settle', code: step.alarm, payment: id, state });
      ports.log.event(`payment-alarm:${step.alarm}`);
    }
    if (next !== payment.state) {
      // Also after a refund at the gateway the appointment is no longer paid.
      if (next === 'refund_pending' || next === 'refunded')
        await clearPaidCents(tx, payment.appointmentId);
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
    return { isOutdated: false, payment: changed, call };
  });
}

function phaseOf(state: PaymentState): PaymentEffect['paymentPhase'] {
  if (state === 'requires_action') return '3dSecure';
  return ACTIVE_STATES.includes(state) ? 'open' : 'ended';
}

/** An alarm stays while its cause does: a call that failed for good, or no answer that would clear it. */
function alarmOf(payment: Payment, snapshot: Snapshot, step: PaymentStep): PaymentAlarm | null {
  const isFailed = step.next === 'capture_failed' || step.next === 'refund_failed';
  return step.alarm ?? (isFailed || isUnanswered(snapshot) ? payment.alarm : null);
}

/** Stores a change, unless the payment was changed meanwhile: then returns the newer one. */
async function storeIfUnchanged(ports: PaymentPorts, read: Payment, change: PaymentChange) {
  if (Object.keys(change).length === 0) return read;
  return ports.database.inTransaction(async (tx) => {
    const payment = await ports.payments.lock(tx, read.id);
    return payment.version === read.version
      ? ports.payments.change(tx, payment, change, ports.clock.now())
      : payment;
  });
}

/** What the gateway and the EMR say of a payment. */
interface Snapshot {
  readonly gatewayStatus: GatewayStatus;
  /** As the gateway last showed it. */
  readonly intent: Intent | null;
  /** Whether an EMR has booked the appointment; 'unknown' when it was asked and has not answered. */
  readonly emr: 'notAsked' | 'booked' | 'refused' | 'unknown';
  readonly recordMissing: boolean;
}

const isUnanswered = ({ gatewayStatus, emr }: Snapshot): boolean =>
  gatewayStatus === 'unanswered' || emr === 'unknown';

/** Reads the gateway; where the next step is to book a held slot, has the EMR book it first. */
async function readGatewayAndBookInEmr(ports: PaymentPorts, payment: Payment): Promise<Snapshot> {
  const { clock, emr, emrBook } = ports;
  const gateway = await readGateway(ports, payment, clock.now());
  const snapshot = { ...gateway, emr: 'notAsked', recordMissing: false } as const;
  const { appointment } = paymentStep(payment.state, gateway.gatewayStatus, 'held');
  if (emr === null || appointment !== 'book') return snapshot;
  const result = await emrBook.confirmPaid(ports, emr, payment.appointmentId, clock.now());
  const recordMissing = result.kind === 'refused' && result.why === 'noRecord';
  return { ...snapshot, emr: result.kind, recordMissing };
}

/** Whether no create call was made: a try is counted before its call. */
export const isCreateUnsent = ({ state, intentId, tries }: Payment): boolean =>
  state === 'created' && intentId === null && tries === 0;

/** Asks the gateway; an intent whose create call was never answered is found by its metadata. */
async function readGateway(
  ports: PaymentPorts,
  payment: Payment,
  now: EpochSeconds,
): Promise<Pick<Snapshot, 'gatewayStatus' | 'intent'>> {
  const { id, intentId, createCalledAt } = payment;
  const read = () =>
    intentId === null ? findByMetadata(ports.gateway, payment) : ports.gateway.retrieve(intentId);
  const intent = isCreateUnsent(payment)
    ? null
    : await tryCall(ports, { kind: 'settle', payment: id }, read);
  if (intent instanceof GatewayError) return { intent: null, gatewayStatus: 'unanswered' };
  if (intent !== null) return { intent, gatewayStatus: gatewayStatusOf(intent, payment) };
  const isCreateOver =
    intentId !== null || createCalledAt === null || now - createCalledAt >= CREATE_OUTCOME_SECONDS;
  return { intent: null, gatewayStatus: isCreateOver ? 'absent' : 'createPending' };
}

/** How far the gateway's clock may be behind ours. */
const MAX_CLOCK_SKEW_SECONDS = 600;

/** Finds a payment's intent by its metadata; of several (there should be one), one that may hold money. */
async function findByMetadata(gateway: PaymentGateway, payment: Payment) {
  const recent = await gateway.listIntents(payment.createdAt - MAX_CLOCK_SKEW_SECONDS);
  const found = recent.filter((intent) => intent.payment === payment.id);
  return found.find(({ status }) => status !== 'cancelled') ?? found[0] ?? null;
}

/**
 * Part of the idempotency key of a payment's only refund, whatever its reason. It must never change: a retry
 * after an update would then have another key, and the gateway would take it for a second refund.
 */
const REFUND_KEY_REASON = 'slotRemoved';

/**
 * Makes the one call that a step decided, under its stored idempotency key; returns the error, or null. Its
 * effect is found out by reading the gateway again.
 */
async function callGateway(
  ports: PaymentPorts,
  payment: Payment,
  call: GatewayCall,
  intent: Intent | null,
): Promise<GatewayError | null> {
  const { id, state, tries } = payment;
  const kind = call === 'create' ? 'charge' : call;
  const outcome = await tryCall(ports, { kind, payment: id, state, tries }, () =>
    sendCall(ports.gateway, payment, call, intent),
  );
  return outcome instanceof GatewayError ? outcome : null;
}

async function sendCall(
  gateway: PaymentGateway,
  payment: Payment,
  call: GatewayCall,
  intent: Intent | null,
): Promise<unknown> {
  const { id, amountCents, captureKeyNumber, cancelKeyNumber, refundKeyNumber } = payment;
  if (call === 'create')
    return gateway.createAndConfirm({
      key: idempotencyKeys.create(id),
      payment: id,
      amountCents,
      paymentMethod: payment.paymentMethod,
    });
  if (payment.intentId === null) throw new Error(`A ${call} without an intent`);
  switch (call) {
    case 'capture':
      return gateway.capture(
        idempotencyKeys.capture(id, captureKeyNumber),
        payment.intentId,
        amountCents,
      );
    case 'cancel':
      return gateway.cancel(idempotencyKeys.cancel(id, cancelKeyNumber), payment.intentId);
    case 'refund':
      return gateway.refund(
        idempotencyKeys.refund(id, REFUND_KEY_REASON, refundKeyNumber),
        payment.intentId,
        // Part of it may have been refunded in the gateway's dashboard.
        amountCents - (intent?.refund?.amountCents ?? 0),
      );
  }
}

/**
 * What to store after a call failed. The gateway keeps its answer to an idempotency key, also an error, and
 * repeats it: after such an answer the next try needs another key. Without an answer the key stays, as the
 * call may still take effect.
 */
function afterFailure(
  payment: Payment,
  call: GatewayCall,
  error: GatewayError,
  previousCreateCalledAt: EpochSeconds | null,
): PaymentChange {
  const mayTakeEffect = error instanceof GatewayOutcomeUnknown && !error.answered;
  const notSent = error instanceof GatewayUnreachable;
  if (call === 'create') {
    if (mayTakeEffect) return {};
    // Not sent: as if it had not been tried. But an earlier try may still take effect.
    if (notSent && payment.tries > 1) return { createCalledAt: previousCreateCalledAt };
    return { createCalledAt: null, ...(notSent && { tries: 0 }) };
  }
  if ((mayTakeEffect || notSent) && payment.tries % MAX_TRIES_PER_KEY !== 0) return {};
  const keyNumber = `${call}KeyNumber` as const;
  return { [keyNumber]: payment[keyNumber] + 1 };
}

const MAX_PAUSES = 100;

/** Advances a payment once no other caller has its lease; null when that takes too long. */
export async function advanceWhenUnleased(ports: PaymentPorts, id: string) {
  for (let pauses = 0; ; pauses += 1) {
    const advanced = await advancePayment(ports, id);
    if (advanced !== null || pauses === MAX_PAUSES) return advanced;
    await ports.pause();
  }
}

const MAX_BATCH = 100;

/**
 * Advances every payment that is due: expired holds, captures to try again, unknown outcomes, paid
 * appointments that ended. Any number of processes may run it. Even without a single webhook, every
 * payment ends here.
 */
export async function sweepPayments(ports: PaymentPorts): Promise<number> {
  const { database, payments, clock, log } = ports;
  let advanced = 0;
  for (const id of await payments.listDue(database.db, clock.now(), MAX_BATCH)) {
    try {
      if ((await advancePayment(ports, id)) !== null) advanced += 1;
    } catch (error) {
      // One payment that fails must not keep the others waiting.
      log.error('settle-failed', error);
    }
  }
  return advanced;
}
