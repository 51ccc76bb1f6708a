import { type EpochSeconds, OPEN_STATES, idempotencyKeys } from '@clinic/domain';

import { type Tx, isUuid } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  type BookedAppointment,
  type BookingRefusal,
  type BookingRequest,
  type CancelOptions,
  type HoldResult,
  holdForPayment,
  holdIdOfStoredKey,
  lockAppointmentOfPayment,
} from '../appointments/index.ts';
import { GatewayError, GatewayUnreachable, tryCall } from './gateway.ts';
import {
  type PaymentPorts,
  type AdvancedPayment,
  isCreateUnsent,
  advancePayment,
  advanceWhenUnleased,
} from './advance-payment.ts';
import type { Payment } from './store.ts';

export interface ChargeRequest extends BookingRequest {
  readonly amountCents: number | null;
  readonly paymentMethod: string;
  /** As sent; only `slot.providerId` counts. */
  readonly providerId: string | null;
  /** Called once the payment will be made, or may be. */
  readonly onStarted?: () => void;
}

interface AmountDiffers {
  readonly kind: 'amountDiffers';
  readonly chargeCents: number;
}

export type Charged =
  | { readonly kind: 'advanced'; readonly advanced: AdvancedPayment }
  /** The patient must go to `url` at their bank, to approve the payment by 3-D Secure. */
  | { readonly kind: '3dSecure'; readonly url: string; readonly advanced: AdvancedPayment }
  /** The appointment was booked before, by the same request. */
  | BookedAppointment
  | BookingRefusal
  | AmountDiffers
  | ReturnType<typeof refusal>;

/** The patient's payment for a slot: started now, or under way already. */
interface Started {
  readonly kind: 'started';
  readonly payment: Payment;
  readonly owner: string;
  /** 'create': a new payment; 'confirm': another card for this one; 'none': the same request again. */
  readonly call: 'create' | 'confirm' | 'none';
}

type NotStarted = AmountDiffers | { readonly kind: 'advanceFirst'; readonly payment: string };

/**
 * Pays for an appointment: holds the slot and starts the payment in one
 * transaction, authorises the fee, and lets `advancePayment` book and capture. A second click, or a second
 * card while the first is still being tried, waits for the first and continues from its outcome.
 */
export async function chargeAppointment(
  ports: PaymentPorts,
  request: ChargeRequest,
  now: EpochSeconds,
): Promise<Charged> {
  for (let again = false; ; again = true) {
    const owner = ports.ids.uuid();
    const outcome = await holdForPayment<Started | NotStarted>(
      ports,
      request,
      async (tx, held, rollBack) => {
        const started = await startPayment(ports, tx, { ...request, held, owner }, now);
        if (started.kind !== 'started') return rollBack(started);
        if (request.onStarted) ports.database.afterCommit(request.onStarted);
        return started;
      },
      now,
    );
    if (outcome.kind === 'started') return pay(ports, outcome);
    if (outcome.kind === 'refused' && (await wasReleasedUnpaid(ports, request, outcome)))
      return refusal('notCharged');
    if (outcome.kind !== 'advanceFirst') return outcome;
    const advanced = await advanceWhenUnleased(ports, outcome.payment);
    if (again || advanced === null || advanced.unanswered)
      return refusal(again ? 'paymentUnderWay' : 'paymentUnknown');
  }
}

/** Whether the request's hold is gone and its payment was cancelled: the patient is then told so. */
async function wasReleasedUnpaid(
  { payments, database }: PaymentPorts,
  { patientId, requestKey }: ChargeRequest,
  { code }: BookingRefusal,
): Promise<boolean> {
  const hold = code === 'holdGone' ? holdIdOfStoredKey(requestKey) : null;
  return hold !== null && payments.wasCancelled(database.db, { patientId, appointmentId: hold });
}

/** Starts or continues the patient's payment for the slot that this transaction has held before. */
async function startPayment(
  ports: PaymentPorts,
  tx: Tx,
  request: ChargeRequest & { readonly held: HoldResult; readonly owner: string },
  now: EpochSeconds,
): Promise<Started | NotStarted> {
  const { payments, ids } = ports;
  const { patientId, paymentMethod, held, owner } = request;
  const active = await payments.lockActive(tx, patientId);
  const price =
    active?.appointmentId === held.appointmentId ? active.amountCents : held.chargeCents;
  if (request.amountCents !== price) return { kind: 'amountDiffers', chargeCents: price };
  if (active === null) {
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
    await auditPayment(ports, tx, { request, payment, action: 'payment begun' }, now);
    return { kind: 'started', payment, owner, call: 'create' };
  }
  // It is for another slot, is being cancelled, or the first card's outcome is not known yet.
  const another = active.paymentMethod !== paymentMethod;
  const unready = active.state === 'cancelling' || (active.state === 'created' && another);
  if (active.appointmentId !== held.appointmentId || unready)
    return { kind: 'advanceFirst', payment: active.id };
  const leased = await payments.lease(tx, active.id, owner, now);
  if (leased === null) return { kind: 'advanceFirst', payment: active.id };
  if (!another) return { kind: 'started', payment: leased, owner, call: 'none' };
  const confirmRound = leased.confirmRound + 1;
  const payment = await payments.change(tx, leased, { paymentMethod, confirmRound }, now);
  await auditPayment(ports, tx, { request, payment, action: 'another card tried' }, now);
  return { kind: 'started', payment, owner, call: 'confirm' };
}

const refusal = (
  code: 'paymentUnknown' | 'paymentUnderWay' | 'paymentsUnavailable' | 'notCharged',
) => ({ kind: 'refused' as const, code });

function auditPayment(
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

/** Tries another card where the request brings one; `advancePayment` makes all other calls to the gateway. */
async function pay(ports: PaymentPorts, { payment, owner, call }: Started): Promise<Charged> {
  const problem = call === 'confirm' ? await confirm(ports, payment) : null;
  const advanced = await advancePayment(ports, payment.id, owner);
  if (advanced === null) return refusal('paymentUnknown');
  if (advanced.payment.state !== 'requires_action')
    return { kind: 'advanced', advanced: { ...advanced, problem: problem ?? advanced.problem } };
  const url = advanced.intent?.bankUrl ?? null;
  if (url === null) return refusal('paymentUnknown');
  // A patient is sent only to addresses that the installation knows as the bank's.
  if (URL.canParse(url) && ports.bankOrigins.includes(new URL(url).origin))
    return { kind: '3dSecure', url, advanced };
  ports.reports.report({ kind: 'charge', code: 'bank_address', payment: payment.id });
  return refusal('paymentsUnavailable');
}

async function confirm(ports: PaymentPorts, payment: Payment): Promise<GatewayError | null> {
  const { database, payments, clock } = ports;
  const { id, intentId, confirmRound, paymentMethod } = payment;
  if (intentId === null) throw new Error('Another card for a payment without an intent');
  const key = idempotencyKeys.confirm(id, confirmRound);
  const outcome = await tryCall(ports, { kind: 'charge', payment: id }, () =>
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
  | { readonly kind: 'advanced'; readonly advanced: AdvancedPayment }
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
  const advanced = await advanceWhenUnleased(ports, payment.id);
  return advanced === null
    ? { kind: 'refused', code: 'paymentUnknown' }
    : { kind: 'advanced', advanced };
}

/** Our payment of an intent. If the create call was never answered, the intent's metadata names it. */
export async function paymentOfIntent(
  ports: PaymentPorts,
  intent: string,
): Promise<Payment | null | 'unanswered'> {
  const { payments, database, gateway } = ports;
  const known = await payments.findByIntent(database.db, intent);
  if (known !== null) return known;
  const found = await tryCall(ports, { kind: 'confirm' }, () => gateway.retrieve(intent));
  if (found instanceof GatewayError) return 'unanswered';
  const id = found?.payment ?? null;
  return id !== null && isUuid(id) ? payments.find(database.db, id) : null;
}

/**
 * Cancels the payment under way for the patient's hold: cancels the intent, and releases the hold once the
 * gateway confirms. Does nothing without such a payment.
 */
export async function cancelPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
  { actor, onlyWaiting = false }: CancelOptions = { actor: `patient:${patientId}` },
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const active = await payments.findActive(database.db, patientId);
  if (active?.appointmentId !== appointmentId) return;
  const waiting = onlyWaiting ? await ifAwaitingPatient(ports, active.id) : null;
  if (onlyWaiting && waiting === null) return;
  const state = await database.inTransaction(async (tx) => {
    await lockAppointmentOfPayment(ports, tx, active);
    const payment = await payments.lock(tx, active.id);
    if (!OPEN_STATES.includes(payment.state)) return payment.state;
    // The patient is back meanwhile, with another card or from the bank.
    if (waiting !== null && payment.version !== waiting.version) return payment.state;
    // A create call that was never sent need not be waited for.
    const unsent = isCreateUnsent(payment) ? { createCalledAt: null } : {};
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
  if (state === 'cancelling') await advanceWhenUnleased(ports, active.id);
}

/** The payment, if the gateway says that it waits for its patient; null otherwise. */
async function ifAwaitingPatient(ports: PaymentPorts, id: string): Promise<Payment | null> {
  const advanced = await advanceWhenUnleased(ports, id);
  if (advanced === null || advanced.unanswered) return null;
  const { status } = advanced.intent ?? {};
  return status === 'needsCard' || status === 'needsAction' ? advanced.payment : null;
}
