import { OPEN_STATES, paymentKeys } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { isUuid } from '../../server/ids.ts';
import { GatewayUnreachable } from './gateway.ts';
import { inReservation, lockPaidAppointment, reserveIn } from '../appointments/index.ts';
import type {
  BookingRefusal,
  BookingRequest,
  Held,
  BookedAppointment,
} from '../appointments/index.ts';
import { codeOf, isGatewayError } from './gateway-calls.ts';
import type { GatewayError } from './gateway-calls.ts';
import type { PaymentPorts } from './ports.ts';
import { settle, settleInTurn } from './settle.ts';
import type { Settled } from './settle.ts';
import type { Payment } from './store.ts';

export interface ChargeRequest extends BookingRequest {
  readonly amountCents: number | null;
  readonly paymentMethod: string;
  /** As sent; only `slot.providerId` counts. */
  readonly providerId: string | null;
}

type ChargeRefusal =
  | { readonly kind: 'refused'; readonly code: 'amountDiffers'; readonly chargeCents: number }
  | { readonly kind: 'refused'; readonly code: 'paymentUnknown' | 'paymentUnderWay' };

export type Charged =
  | { readonly kind: 'settled'; readonly settled: Settled }
  /** The appointment was booked before, by the same request. */
  | BookedAppointment
  | BookingRefusal
  | ChargeRefusal;

/** The patient's payment for a slot: begun now, or under way already. */
interface Begun {
  readonly kind: 'begun';
  readonly payment: Payment;
  readonly owner: string;
  /** A new payment, another card for one that needs one, or the same request again. */
  readonly call: 'create' | 'confirm' | 'none';
}

type WhyNotBegun = ChargeRefusal | { readonly kind: 'settleFirst'; readonly payment: string };

/**
 * Pays for an appointment: holds the slot and begins the payment in one
 * transaction, authorises the fee, and lets `settle` book and capture. A second click, or a second
 * card while the first is still being tried, waits for the first and starts from what became of it.
 */
export async function chargeAppointment(
  ports: PaymentPorts,
  request: ChargeRequest,
  now: EpochSeconds,
): Promise<Charged> {
  for (let again = false; ; again = true) {
    const owner = ports.ids.uuid();
    const outcome = await inReservation<Begun | WhyNotBegun | BookedAppointment>(
      ports,
      async (tx, primaryDoctor, rollBack) => {
        const held = await reserveIn(ports, tx, { ...request, purpose: 'pay', primaryDoctor }, now);
        if (held.kind !== 'held') return held;
        const begun = await begin(ports, tx, { ...request, held, owner }, now);
        return begun.kind === 'begun' ? begun : rollBack(begun);
      },
    );
    if (outcome.kind === 'begun') return pay(ports, outcome);
    if (outcome.kind !== 'settleFirst') return outcome;
    const settled = await settleInTurn(ports, outcome.payment);
    if (again || settled === null || settled.unanswered)
      return { kind: 'refused', code: again ? 'paymentUnderWay' : 'paymentUnknown' };
  }
}

/**
 * The patient's payment for the slot that is held in this transaction, whose hold has come first.
 */
async function begin(
  ports: PaymentPorts,
  tx: Tx,
  request: ChargeRequest & { readonly held: Held; readonly owner: string },
  now: EpochSeconds,
): Promise<Begun | WhyNotBegun> {
  const { payments, ids } = ports;
  const { patientId, paymentMethod, held, owner } = request;
  const live = await payments.lockLive(tx, patientId);
  const price = live?.appointmentId === held.appointmentId ? live.amountCents : held.chargeCents;
  if (request.amountCents !== price)
    return { kind: 'refused', code: 'amountDiffers', chargeCents: price };
  if (live === null) {
    const payment = await payments.insert(
      tx,
      {
        id: ids.uuid(),
        patientId,
        appointmentId: held.appointmentId,
        amountCents: price,
        reference: referenceFrom(ids.uuid()),
        paymentMethod,
        leaseOwner: owner,
      },
      now,
    );
    await note(ports, tx, { request, payment, action: 'payment begun' }, now);
    return { kind: 'begun', payment, owner, call: 'create' };
  }
  // Somebody is at it, it is for a slot given up, or the first card's outcome is not known yet.
  const another = live.paymentMethod !== paymentMethod;
  const unready = live.state === 'cancelling' || (live.state === 'created' && another);
  if (live.appointmentId !== held.appointmentId || unready)
    return { kind: 'settleFirst', payment: live.id };
  const leased = await payments.lease(tx, live.id, owner, now);
  if (leased === null) return { kind: 'settleFirst', payment: live.id };
  if (!another) return { kind: 'begun', payment: leased, owner, call: 'none' };
  const confirmRound = leased.confirmRound + 1;
  const payment = await payments.change(tx, leased, { paymentMethod, confirmRound }, now);
  await note(ports, tx, { request, payment, action: 'another card tried' }, now);
  return { kind: 'begun', payment, owner, call: 'confirm' };
}

interface Noted {
  readonly request: ChargeRequest;
  readonly payment: Payment;
  readonly action: string;
}

function note(
  { appendAudit }: PaymentPorts,
  tx: Tx,
  { request, payment, action }: Noted,
  now: EpochSeconds,
): Promise<void> {
  const { patientId, providerId, slot } = request;
  const ignored = providerId === null || providerId === slot.providerId ? [] : ['providerId'];
  return appendAudit(tx, {
    actor: `patient:${patientId}`,
    action,
    subject: `payment:${payment.id}`,
    details: {
      appointment: payment.appointmentId,
      cents: payment.amountCents,
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    at: now,
  });
}

/** Short enough to read out; random, so that it tells nothing. */
function referenceFrom(uuid: string): string {
  return `P-${uuid.replaceAll('-', '').slice(0, 10).toUpperCase()}`;
}

/** The first call of a payment is the patient's card; everything after it is `settle`'s. */
async function pay(ports: PaymentPorts, { payment, owner, call }: Begun): Promise<Charged> {
  const problem = call === 'confirm' ? await confirm(ports, payment) : null;
  const settled = await settle(ports, payment.id, owner);
  if (settled === null) return { kind: 'refused', code: 'paymentUnknown' };
  return { kind: 'settled', settled: { ...settled, problem: problem ?? settled.problem } };
}

async function confirm(ports: PaymentPorts, payment: Payment): Promise<GatewayError | null> {
  if (payment.intentId === null) throw new Error('Another card for a payment without an intent');
  try {
    await ports.gateway.confirm(
      paymentKeys.confirm(payment.id, payment.confirmRound),
      payment.intentId,
      payment.paymentMethod,
    );
    return null;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    ports.reports.report({ kind: 'charge', code: codeOf(error), payment: payment.id });
    if (error instanceof GatewayUnreachable) await forgetCard(ports, payment);
    return error;
  }
}

/** The card was never tried: handed over again, it is to be. */
async function forgetCard({ database, payments, clock }: PaymentPorts, { id }: Payment) {
  await database.inTransaction(async (tx) => {
    const payment = await payments.lock(tx, id);
    if (payment) await payments.change(tx, payment, { paymentMethod: '' }, clock.now());
  });
}

export type Confirmed =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'refused'; readonly code: 'notFound' | 'paymentUnknown' };

/**
 * The patient is back from the bank, or says so: whatever the address says, the gateway is asked.
 * Late, twice, or for an appointment that is booked already: the same answer.
 */
export async function confirmPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  intent: string,
): Promise<Confirmed> {
  const payment = await paymentOfIntent(ports, intent);
  if (payment === 'unanswered') return { kind: 'refused', code: 'paymentUnknown' };
  // Another's and nobody's are the same to the caller.
  if (payment?.patientId !== patientId) return { kind: 'refused', code: 'notFound' };
  const settled = await settleInTurn(ports, payment.id);
  return settled === null
    ? { kind: 'refused', code: 'paymentUnknown' }
    : { kind: 'settled', settled };
}

/** Our payment of an intent; one whose create call was never answered is known by its metadata. */
export async function paymentOfIntent(
  { payments, database, gateway, reports }: PaymentPorts,
  intent: string,
): Promise<Payment | null | 'unanswered'> {
  const known = await payments.findByIntent(database.db, intent);
  if (known !== null) return known;
  try {
    const found = await gateway.retrieve(intent);
    const id = found?.payment ?? null;
    return id !== null && isUuid(id) ? await payments.find(database.db, id) : null;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    reports.report({ kind: 'confirm', code: codeOf(error) });
    return 'unanswered';
  }
}

/**
 * The patient leaves the slot that a payment is under way for: the intent is cancelled, and the
 * hold let go once the gateway has said so. Nothing happens without such a payment.
 */
export async function giveUpPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const live = await payments.findLive(database.db, patientId);
  if (live?.appointmentId !== appointmentId) return;
  await database.inTransaction(async (tx) => {
    await lockPaidAppointment(ports, tx, live);
    const payment = await payments.lock(tx, live.id);
    if (payment === null || !OPEN_STATES.includes(payment.state)) return;
    await payments.change(tx, payment, { state: 'cancelling', tries: 0, dueAt: now }, now);
    await appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'payment given up',
      subject: `payment:${payment.id}`,
      details: { appointment: payment.appointmentId },
      at: now,
    });
  });
  const after = await payments.find(database.db, live.id);
  if (after?.state === 'cancelling') await settleInTurn(ports, live.id);
}
