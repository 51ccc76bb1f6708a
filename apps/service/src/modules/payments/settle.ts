import { LIVE_STATES, nextLook, paymentStep } from '@clinic/domain';
import type {
  AppointmentFact,
  GatewayWrite,
  PaymentAlarm,
  PaymentState,
  PaymentStep,
  EpochSeconds,
} from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import { EmrOffline, EmrOutcomeUnknown } from '../records/emr.ts';
import type { Intent } from './gateway.ts';
import {
  bookInEmr,
  appointmentFactOf,
  lockPaidAppointment,
  settleAppointment,
} from '../appointments/index.ts';
import type { StoredAppointment } from '../appointments/index.ts';
import { afterFailure, readGateway, writeGateway } from './gateway-calls.ts';
import type { GatewayError, GatewayView } from './gateway-calls.ts';
import type { PaymentPorts } from './ports.ts';
import { enqueueRefundEmail } from './refund-email.ts';
import type { Payment, PaymentChange } from './store.ts';

/** A payment after it was looked at. */
export interface Settled {
  readonly payment: Payment;
  /** As the gateway last showed it. */
  readonly intent: Intent | null;
  /** The gateway did not answer when it was asked last. */
  readonly unanswered: boolean;
  /** What went wrong with the last call, if anything. */
  readonly problem: GatewayError | null;
}

const MOST_ROUNDS = 8;
/** A create call is repeated once under its key: the answer tells what became of the first. */
const MOST_CALLS: Record<GatewayWrite, number> = { create: 2, capture: 1, cancel: 1, refund: 1 };

/**
 * The only code that moves the state of money: takes the payment for itself, reads the gateway,
 * decides in one transaction, makes at most one call, and looks again until nothing moves.
 * Everybody calls it, at any time, at once: null while somebody else is at it.
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
  const calls: Record<GatewayWrite, number> = { create: 0, capture: 0, cancel: 0, refund: 0 };
  for (let round = 1; ; round += 1) {
    const view = await askBoth(ports, payment);
    const mayWrite = (write: GatewayWrite) =>
      round < MOST_ROUNDS && calls[write] < MOST_CALLS[write];
    const decided = await decide(ports, payment, view, mayWrite);
    const before = payment;
    payment = decided.payment;
    const { write } = decided;
    if (write === null && (decided.kind === 'decided' || round >= MOST_ROUNDS))
      return { payment, intent: view.intent, unanswered: view.fact === 'unanswered', problem };
    if (write === null) continue;
    calls[write] += 1;
    problem = await writeGateway(ports, payment, write);
    if (problem === null) continue;
    payment = await remember(
      ports,
      payment,
      afterFailure(payment, write, problem, before.createCalledAt),
    );
  }
}

interface FullView extends GatewayView {
  /** An EMR that keeps the book has the appointment, or our own table is the book. */
  readonly inEmr: boolean;
}

/** The gateway, and once the money is guaranteed the clinic's records. */
async function askBoth(ports: PaymentPorts, payment: Payment): Promise<FullView> {
  const view = await readGateway(ports, payment, ports.clock.now());
  const guaranteed = view.fact === 'authorised' || view.fact === 'captured';
  const { bookings } = ports.emr;
  if (bookings === null || !guaranteed) return { ...view, inEmr: true };
  try {
    return { ...view, inEmr: await bookInEmr(ports, bookings, payment.appointmentId) };
  } catch (error) {
    if (!(error instanceof EmrOffline || error instanceof EmrOutcomeUnknown)) throw error;
    return { fact: 'unanswered', intent: view.intent, inEmr: true };
  }
}

interface Decided {
  /** 'changed': somebody else moved it meanwhile, and nothing was decided. */
  readonly kind: 'decided' | 'changed';
  readonly payment: Payment;
  readonly write: GatewayWrite | null;
}

function decide(
  ports: PaymentPorts,
  seen: Payment,
  view: FullView,
  mayWrite: (write: GatewayWrite) => boolean,
): Promise<Decided> {
  const now = ports.clock.now();
  return ports.database.inTransaction(async (tx) => {
    const appointment = await lockPaidAppointment(ports, tx, seen);
    const payment = await ports.payments.lock(tx, seen.id);
    if (payment === null) throw new Error('A payment is gone');
    if (payment.version !== seen.version) return { kind: 'changed' as const, payment, write: null };
    const fact = view.inEmr
      ? appointmentFactOf(appointment, payment.givenUpByPatient, now)
      : 'gone';
    const applied = await applyStep(ports, tx, { payment, appointment, fact, view, mayWrite }, now);
    return { kind: 'decided' as const, ...applied };
  });
}

/** Unless somebody moved the payment meanwhile, who then knows better. */
function remember(ports: PaymentPorts, seen: Payment, change: PaymentChange): Promise<Payment> {
  if (Object.keys(change).length === 0) return Promise.resolve(seen);
  return ports.database.inTransaction(async (tx) => {
    const payment = await ports.payments.lock(tx, seen.id);
    if (payment === null) throw new Error('A payment is gone');
    return payment.version === seen.version
      ? ports.payments.change(tx, payment, change, ports.clock.now())
      : payment;
  });
}

/** All that a step is decided from, read under the locks on patient, appointment and payment. */
interface StepGrounds {
  readonly payment: Payment;
  readonly appointment: StoredAppointment | null;
  readonly fact: AppointmentFact;
  readonly view: GatewayView;
  readonly mayWrite: (write: GatewayWrite) => boolean;
}

/**
 * Decides a step and writes all of it: appointment, payment, trail, e-mail. Answers the call to
 * make.
 */
async function applyStep(
  ports: PaymentPorts,
  tx: Tx,
  { payment, appointment, fact, view, mayWrite }: StepGrounds,
  now: EpochSeconds,
): Promise<{ readonly payment: Payment; readonly write: GatewayWrite | null }> {
  const step = paymentStep(payment.state, view.fact, fact);
  const write = step.write !== null && mayWrite(step.write) ? step.write : null;
  const holdUntil = await settleAppointment(
    ports,
    tx,
    { ...payment, appointment, change: step.appointment, payment: phaseOf(step.next) },
    now,
  );
  const tries = (step.next === payment.state ? payment.tries : 0) + (write === null ? 0 : 1);
  const declined = view.intent?.declined ?? null;
  const changed = await ports.payments.change(
    tx,
    payment,
    {
      state: step.next,
      intentId: view.intent?.id ?? payment.intentId,
      ...(step.next === 'declined' && declined !== null
        ? { declineCode: declined.code, declineMessage: declined.message }
        : {}),
      tries,
      dueAt: nextLook(step.next, tries, holdUntil, now),
      alarm: alarmOf(payment, view, step),
      ...(write === 'create' ? { createCalledAt: now } : {}),
    },
    now,
  );
  if (step.alarm !== null && step.alarm !== payment.alarm) raise(ports, payment, step.alarm);
  if (step.next === 'refunded' && payment.state !== 'refunded')
    await enqueueRefundEmail(ports.outbox, tx, payment.id, now);
  if (step.next !== payment.state)
    await ports.appendAudit(tx, {
      actor: 'system:payments',
      action: `payment ${step.next.replaceAll('_', ' ')}`,
      subject: `payment:${payment.id}`,
      details: {
        appointment: payment.appointmentId,
        cents: payment.amountCents,
        from: payment.state,
      },
      at: now,
    });
  return { payment: changed, write };
}

function phaseOf(next: PaymentState): 'over' | 'open' | 'atBank' {
  if (next === 'requires_action') return 'atBank';
  return LIVE_STATES.includes(next) ? 'open' : 'over';
}

function alarmOf(payment: Payment, view: GatewayView, step: PaymentStep): PaymentAlarm | null {
  const lasting = step.next === 'capture_failed' || step.next === 'refund_failed';
  return step.alarm ?? (lasting || view.fact === 'unanswered' ? payment.alarm : null);
}

/** Nothing mends it by itself: operators see it in the log and in the error reports. */
function raise({ reports, log }: PaymentPorts, payment: Payment, alarm: PaymentAlarm): void {
  reports.report({ kind: 'settle', code: alarm, payment: payment.id, state: payment.state });
  log.event(`payment-alarm:${alarm}`);
}

const MOST_PAUSES = 100;

/** Settles a payment when whoever is at it is done; null when that takes too long. */
export async function settleInTurn(ports: PaymentPorts, id: string): Promise<Settled | null> {
  for (let pauses = 0; ; pauses += 1) {
    const settled = await settle(ports, id);
    if (settled !== null || pauses === MOST_PAUSES) return settled;
    await ports.pause();
  }
}

const MOST_AT_ONCE = 100;

/**
 * Settles whatever is due: lapsed holds, captures to try again, unknown outcomes, paid appointments
 * that ended. Any number of processes may; without a single webhook everything ends here too.
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
