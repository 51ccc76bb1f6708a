import { type EpochSeconds, OPEN_STATES, paymentKeys } from '@clinic/domain';

import { type Tx, isUuid } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  type BookedAppointment,
  type BookingRefusal,
  type BookingRequest,
  type GivingUp,
  type Held,
  holdForPayment,
  holdNamedBy,
  lockPaidAppointment,
} from '../appointments/index.ts';
import { GatewayError, GatewayUnreachable, called } from './gateway.ts';
import { type PaymentPorts, type Settled, isUnsent, settle, settleInTurn } from './settle.ts';
import type { Payment } from './store.ts';

export interface ChargeRequest extends BookingRequest {
  readonly amountCents: number | null;
  readonly paymentMethod: string;
  /** As sent; only `slot.providerId` counts. */
  readonly providerId: string | null;
  /** Called once the payment will be made, or may be. */
  readonly begun?: () => void;
}

interface AmountDiffers {
  readonly kind: 'amountDiffers';
  readonly chargeCents: number;
}

export type Charged =
  | { readonly kind: 'settled'; readonly settled: Settled }
  /** The patient must go to `url` to approve the payment. */
  | { readonly kind: 'atBank'; readonly url: string; readonly settled: Settled }
  /** The appointment was booked before, by the same request. */
  | BookedAppointment
  | BookingRefusal
  | AmountDiffers
  | ReturnType<typeof refused>;

/** The patient's payment for a slot: begun now, or under way already. */
interface Begun {
  readonly kind: 'begun';
  readonly payment: Payment;
  readonly owner: string;
  /** 'create': a new payment; 'confirm': another card for this one; 'none': the same request again. */
  readonly call: 'create' | 'confirm' | 'none';
}

type WhyNotBegun = AmountDiffers | { readonly kind: 'settleFirst'; readonly payment: string };

/**
 * Pays for an appointment: holds the slot and begins the payment in one
 * transaction, authorises the fee, and lets `settle` book and capture. A second click, or a second
 * card while the first is still being tried, waits for the first and continues from its outcome.
 */
export async function chargeAppointment(
  ports: PaymentPorts,
  request: ChargeRequest,
  now: EpochSeconds,
): Promise<Charged> {
  for (let again = false; ; again = true) {
    const owner = ports.ids.uuid();
    const outcome = await holdForPayment<Begun | WhyNotBegun>(
      ports,
      request,
      async (tx, held, rollBack) => {
        const begun = await begin(ports, tx, { ...request, held, owner }, now);
        if (begun.kind !== 'begun') return rollBack(begun);
        if (request.begun) ports.database.afterCommit(request.begun);
        return begun;
      },
      now,
    );
    if (outcome.kind === 'begun') return pay(ports, outcome);
    if (outcome.kind === 'refused' && (await wasReleasedUnpaid(ports, request, outcome)))
      return refused('notCharged');
    if (outcome.kind !== 'settleFirst') return outcome;
    const settled = await settleInTurn(ports, outcome.payment);
    if (again || settled === null || settled.unanswered)
      return refused(again ? 'paymentUnderWay' : 'paymentUnknown');
  }
}

/** Whether the request's hold is gone and its payment was cancelled: the patient is then told so. */
async function wasReleasedUnpaid(
  { payments, database }: PaymentPorts,
  { patientId, requestKey }: ChargeRequest,
  { code }: BookingRefusal,
): Promise<boolean> {
  const hold = code === 'holdGone' ? holdNamedBy(requestKey) : null;
  return hold !== null && payments.wasCancelled(database.db, { patientId, appointmentId: hold });
}

/** Begins or continues the patient's payment for the slot that this transaction has held before. */
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
  if (request.amountCents !== price) return { kind: 'amountDiffers', chargeCents: price };
  if (live === null) {
    const payment = await payments.insert(
      tx,
      {
        id: ids.uuid(),
        patientId,
        appointmentId: held.appointmentId,
        amountCents: price,
        // Short enough to read out; random, so that it tells nothing.
        reference: `P-${ids.uuid().replaceAll('-', '').slice(0, 10).toUpperCase()}`,
        paymentMethod,
        leaseOwner: owner,
      },
      now,
    );
    await note(ports, tx, { request, payment, action: 'payment begun' }, now);
    return { kind: 'begun', payment, owner, call: 'create' };
  }
  // It is for another slot, is being cancelled, or the first card's outcome is not known yet.
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

const refused = (
  code: 'paymentUnknown' | 'paymentUnderWay' | 'paymentsUnavailable' | 'notCharged',
) => ({ kind: 'refused' as const, code });

function note(
  { appendAudit }: PaymentPorts,
  tx: Tx,
  { request, payment, action }: { request: ChargeRequest; payment: Payment; action: string },
  now: EpochSeconds,
): Promise<void> {
  const { patientId, providerId, slot } = request;
  const isIgnored = providerId !== null && providerId !== slot.providerId;
  return appendAudit(tx, {
    actor: `patient:${patientId}`,
    action,
    subject: `payment:${payment.id}`,
    details: {
      appointment: payment.appointmentId,
      cents: payment.amountCents,
      ...(isIgnored && { ignored: ['providerId'] }),
    },
    at: now,
  });
}

/** Tries another card where the request brings one; `settle` makes all other calls to the gateway. */
async function pay(ports: PaymentPorts, { payment, owner, call }: Begun): Promise<Charged> {
  const problem = call === 'confirm' ? await confirm(ports, payment) : null;
  const settled = await settle(ports, payment.id, owner);
  if (settled === null) return refused('paymentUnknown');
  if (settled.payment.state !== 'requires_action')
    return { kind: 'settled', settled: { ...settled, problem: problem ?? settled.problem } };
  const url = settled.intent?.bankUrl ?? null;
  if (url === null) return refused('paymentUnknown');
  // A patient is sent only to addresses that the installation knows as the bank's.
  if (URL.canParse(url) && ports.bankOrigins.includes(new URL(url).origin))
    return { kind: 'atBank', url, settled };
  ports.reports.report({ kind: 'charge', code: 'bank_address', payment: payment.id });
  return refused('paymentsUnavailable');
}

async function confirm(ports: PaymentPorts, payment: Payment): Promise<GatewayError | null> {
  const { database, payments, clock } = ports;
  const { id, intentId, confirmRound, paymentMethod } = payment;
  if (intentId === null) throw new Error('Another card for a payment without an intent');
  const key = paymentKeys.confirm(id, confirmRound);
  const outcome = await called(ports, { kind: 'charge', payment: id }, () =>
    ports.gateway.confirm(key, intentId, paymentMethod),
  );
  if (!(outcome instanceof GatewayError)) return null;
  if (outcome instanceof GatewayUnreachable)
    // The card was never tried: forgets it, so that it is tried when the patient sends it again.
    await database.inTransaction(async (tx) =>
      payments.change(tx, await payments.lock(tx, id), { paymentMethod: '' }, clock.now()),
    );
  return outcome;
}

export type Confirmed =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'refused'; readonly code: 'paymentNotFound' | 'paymentUnknown' };

/**
 * Answers a patient who is back from the bank, or says so: the gateway is asked, whatever the address
 * says. A call that is late, repeated or for a booked appointment gets the same answer.
 */
export async function confirmPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  intent: string,
): Promise<Confirmed> {
  const payment = await paymentOfIntent(ports, intent);
  if (payment === 'unanswered') return { kind: 'refused', code: 'paymentUnknown' };
  // The caller cannot tell another patient's payment from one that does not exist.
  if (payment?.patientId !== patientId) return { kind: 'refused', code: 'paymentNotFound' };
  const settled = await settleInTurn(ports, payment.id);
  return settled === null
    ? { kind: 'refused', code: 'paymentUnknown' }
    : { kind: 'settled', settled };
}

/** Our payment of an intent. If the create call was never answered, the intent's metadata names it. */
export async function paymentOfIntent(
  ports: PaymentPorts,
  intent: string,
): Promise<Payment | null | 'unanswered'> {
  const { payments, database, gateway } = ports;
  const known = await payments.findByIntent(database.db, intent);
  if (known !== null) return known;
  const found = await called(ports, { kind: 'confirm' }, () => gateway.retrieve(intent));
  if (found instanceof GatewayError) return 'unanswered';
  const id = found?.payment ?? null;
  return id !== null && isUuid(id) ? payments.find(database.db, id) : null;
}

/**
 * Gives up the payment under way for the patient's hold: cancels the intent, and lets go of the hold
 * once the gateway confirms. Does nothing without such a payment.
 */
export async function giveUpPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
  { actor, onlyWaiting = false }: GivingUp = { actor: `patient:${patientId}` },
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const live = await payments.findLive(database.db, patientId);
  if (live?.appointmentId !== appointmentId) return;
  const waiting = onlyWaiting ? await asWaiting(ports, live.id) : null;
  if (onlyWaiting && waiting === null) return;
  const state = await database.inTransaction(async (tx) => {
    await lockPaidAppointment(ports, tx, live);
    const payment = await payments.lock(tx, live.id);
    if (!OPEN_STATES.includes(payment.state)) return payment.state;
    // The patient is back meanwhile, with another card or from the bank.
    if (waiting !== null && payment.version !== waiting.version) return payment.state;
    // What was never sent need not be waited for.
    const unsent = isUnsent(payment) ? { createCalledAt: null } : {};
    const change = { state: 'cancelling', tries: 0, dueAt: now, ...unsent } as const;
    await payments.change(tx, payment, change, now);
    await appendAudit(tx, {
      actor,
      action: 'payment given up',
      subject: `payment:${payment.id}`,
      details: { appointment: payment.appointmentId },
      at: now,
    });
    return 'cancelling';
  });
  if (state === 'cancelling') await settleInTurn(ports, live.id);
}

/** The payment, if the gateway says that it waits for its patient; null otherwise. */
async function asWaiting(ports: PaymentPorts, id: string): Promise<Payment | null> {
  const settled = await settleInTurn(ports, id);
  if (settled === null || settled.unanswered) return null;
  const { status } = settled.intent ?? {};
  return status === 'needsCard' || status === 'needsAction' ? settled.payment : null;
}
