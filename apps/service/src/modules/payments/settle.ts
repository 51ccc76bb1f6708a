import type { GatewayWrite } from '@clinic/domain';

import { EmrOffline, EmrOutcomeUnknown } from '../records/emr.ts';
import type { Intent } from './gateway.ts';
import { bookInEmr, appointmentFactOf, lockPaidAppointment } from '../appointments/index.ts';
import { applyStep } from './apply-step.ts';
import type { Payment, PaymentChange } from './payment.ts';
import type { PaymentPorts } from './ports.ts';
import { readGateway } from './read-gateway.ts';
import type { GatewayError, GatewayView } from './read-gateway.ts';
import { afterFailure, writeGateway } from './write-gateway.ts';

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
 * decides in one transaction, makes at most one call, and looks again until nothing moves. Everybody
 * calls it, at any time, at once: null while somebody else is at it.
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
  /** Records that another system keeps have the appointment, or our appointments are the book. */
  readonly inEmr: boolean;
}

/** The gateway, and once the money is guaranteed the clinic's records. */
async function askBoth(ports: PaymentPorts, payment: Payment): Promise<FullView> {
  const view = await readGateway(ports, payment, ports.clock.now());
  if (view.fact !== 'authorised' && view.fact !== 'captured') return { ...view, inEmr: true };
  try {
    return { ...view, inEmr: await bookInEmr(ports, payment.appointmentId) };
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
    const appointment = await lockPaidAppointment(tx, seen.patientId, seen.appointmentId);
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
