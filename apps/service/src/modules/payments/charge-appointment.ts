import { paymentKeys } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import { GatewayUnreachable } from './gateway.ts';
import { holdForPayment } from '../appointments/index.ts';
import type {
  BookingPorts,
  BookingRefusal,
  PayableHold,
  BookedAppointment,
  AppointmentRequest,
} from '../appointments/index.ts';
import type { Payment } from './payment.ts';
import type { PaymentPorts } from './ports.ts';
import { codeOf, isGatewayError } from './read-gateway.ts';
import type { GatewayError } from './read-gateway.ts';
import { settle } from './settle.ts';
import type { Settled } from './settle.ts';
import { settleInTurn } from './settle-in-turn.ts';

export interface ChargeRequest extends AppointmentRequest {
  readonly amountCents: number | null;
  readonly paymentMethod: string;
  /** As sent; only `slot.providerId` counts. */
  readonly providerId: string | null;
}

export type ChargeRefusal =
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
 * Pays for an appointment (§4 Payment, R-8, R-40): holds the slot, authorises the fee, and lets `settle` book
 * and capture. A second click, or a second card while the first is still being tried, waits for the
 * first and starts from what became of it.
 */
export async function chargeAppointment(
  ports: PaymentPorts & BookingPorts,
  request: ChargeRequest,
  now: EpochSeconds,
): Promise<Charged> {
  for (let again = false; ; again = true) {
    const owner = ports.ids.uuid();
    let why: WhyNotBegun | null = null;
    const outcome = await holdForPayment<Begun>(
      ports,
      request,
      async (tx, hold) => {
        const begun = await begin(ports, tx, request, hold, owner, now);
        if (begun.kind === 'begun') return begun;
        why = begun;
        return { kind: 'notBegun' };
      },
      now,
    );
    if (outcome.kind === 'begun') return pay(ports, outcome);
    if (outcome.kind !== 'notBegun') return outcome;
    const refusal = why as WhyNotBegun | null;
    if (refusal === null) throw new Error('A payment was not begun, and nobody said why');
    if (refusal.kind === 'refused') return refusal;
    const settled = await settleInTurn(ports, refusal.payment);
    if (again || settled === null || settled.unanswered)
      return { kind: 'refused', code: again ? 'paymentUnderWay' : 'paymentUnknown' };
  }
}

async function begin(
  ports: PaymentPorts,
  tx: Tx,
  request: ChargeRequest,
  hold: PayableHold,
  owner: string,
  now: EpochSeconds,
): Promise<Begun | WhyNotBegun> {
  const { payments, ids } = ports;
  const { patientId, paymentMethod } = request;
  const live = await payments.lockLive(tx, patientId);
  const price = live?.appointmentId === hold.appointmentId ? live.amountCents : hold.chargeCents;
  if (request.amountCents !== price)
    return { kind: 'refused', code: 'amountDiffers', chargeCents: price };
  if (live === null) {
    const payment = await payments.insert(
      tx,
      {
        id: ids.uuid(),
        patientId,
        appointmentId: hold.appointmentId,
        amountCents: price,
        reference: referenceFrom(ids.uuid()),
        paymentMethod,
        leaseOwner: owner,
      },
      now,
    );
    await note(ports, tx, request, payment, 'payment begun', now);
    return { kind: 'begun', payment, owner, call: 'create' };
  }
  // Somebody is at it, it is for a slot given up, or the first card's outcome is not known yet.
  const another = live.paymentMethod !== paymentMethod;
  const unready = live.state === 'cancelling' || (live.state === 'created' && another);
  if (live.appointmentId !== hold.appointmentId || unready)
    return { kind: 'settleFirst', payment: live.id };
  const leased = await payments.lease(tx, live.id, owner, now);
  if (leased === null) return { kind: 'settleFirst', payment: live.id };
  if (!another) return { kind: 'begun', payment: leased, owner, call: 'none' };
  const confirmRound = leased.confirmRound + 1;
  const payment = await payments.change(tx, leased, { paymentMethod, confirmRound }, now);
  await note(ports, tx, request, payment, 'another card tried', now);
  return { kind: 'begun', payment, owner, call: 'confirm' };
}

function note(
  { appendAudit }: PaymentPorts,
  tx: Tx,
  { patientId, providerId, slot }: ChargeRequest,
  payment: Payment,
  action: string,
  now: EpochSeconds,
): Promise<void> {
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
