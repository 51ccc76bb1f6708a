import type { ApiAnswers } from '@clinic/contract';
import {
  CONFIRMING_SECONDS,
  holdIdOfKey,
  isConfirming,
  isHold,
  hasPaymentLink,
  isPaying,
  isReleased,
  keptItsTime,
  extendedFor3dSecure,
} from '@clinic/domain';
import type { BookingStatus, EpochSeconds, RefundReason } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { answersContext, openedAnswers } from './answers.ts';
import { refusal } from './appointment.ts';
import type { BookingRefusal, ShownHold, StoredAppointment } from './appointment.ts';
import { holdOf, sealedAnswers } from './listed.store.ts';
import { assignFreedTimeSteps } from './in-emr/busy.store.ts';
import {
  audit,
  auditLapsed,
  enqueueCancelInEmr,
  recordBooked,
  enqueuePaymentLinkEnded,
  recordNotBooked,
  transact,
} from './changes.ts';
import { undoableUntil } from './by-staff/staff-acts.store.ts';
import type { BookingPorts, HoldPorts } from './ports.ts';

const MOST_AT_ONCE = 100;

type ReleasePorts = Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox'>;
type Released = { readonly kind: 'released' };
type StillPaying = { readonly kind: 'paying'; readonly appointmentId: string };

/** The patient's current hold; with a key, only the hold that it names. */
interface WhichHold {
  readonly patientId: PatientId;
  readonly key: string | null;
}

/**
 * A hold to release. A hold that the clinic is confirming, or that staff placed for a payment link, is
 * released only when its flag is set.
 */
interface HoldToRelease extends WhichHold {
  readonly includeConfirming?: boolean;
  readonly includePaymentLink?: boolean;
  /** Sends no email that the payment link is over. */
  readonly withoutEmail?: boolean;
}

/**
 * Releases the patient's hold, after cancelling a payment under way for it; repeating it is harmless. With a
 * key, releases only the hold that it names, lapsed or not: a hold that another tab has placed since stays,
 * and a late request for the named hold books nothing.
 */
export async function releaseHold(
  ports: HoldPorts,
  which: HoldToRelease,
  now: EpochSeconds,
  by?: Parameters<HoldPorts['heldPayments']['cancel']>[2],
): Promise<Released | BookingRefusal> {
  const attempt = () =>
    transact<Released | StillPaying>(ports, (tx) => release(ports, tx, which, now));
  let outcome = await attempt();
  if (outcome.kind === 'paying') {
    await ports.heldPayments.cancel(which.patientId, outcome.appointmentId, by);
    outcome = await attempt();
  }
  return outcome.kind === 'paying' ? refusal('paymentUnderWay') : outcome;
}

/**
 * Releases the patient's hold inside another transaction, such as sign-out. A hold that the clinic is
 * confirming or that is being paid for stays: only the EMR's answer or the payment releases it.
 */
export async function releaseHoldIn(
  ports: ReleasePorts,
  tx: Tx,
  which: Pick<HoldToRelease, 'patientId' | 'includePaymentLink' | 'withoutEmail'>,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  const released = await release(ports, tx, { ...which, key: null }, now);
  return released.kind === 'paying' ? refusal('paymentUnderWay') : released;
}

async function release(
  ports: ReleasePorts,
  tx: Tx,
  { patientId, key, includeConfirming, includePaymentLink, withoutEmail }: HoldToRelease,
  now: EpochSeconds,
): Promise<Released | StillPaying | BookingRefusal> {
  const { appointments, parts } = ports;
  const named = key === null ? null : holdIdOfKey(key);
  const [, own] = await Promise.all([
    appointments.lockPatient(tx, parts, patientId),
    appointments.listOwn(tx, parts, patientId, { requestKey: null, ids: [named] }, now),
  ]);
  const hold = own.find((each) =>
    key === null ? isHold(each) : each.id === named && (isHold(each) || isReleased(each)),
  );
  // Leaving a page or signing out does not give up a time that staff hold for the patient.
  if (hold && hasPaymentLink(hold) && !includePaymentLink) return { kind: 'released' };
  if (hold && isConfirming(hold) && !includeConfirming) return refusal('clinicConfirming');
  if (hold && isPaying(hold)) return { kind: 'paying', appointmentId: hold.id };
  if (hold && (await appointments.release(tx, hold.id, now))) {
    const actor = `patient:${patientId}`;
    await audit(ports, tx, hold.id, { actor, action: 'hold released', at: now });
    if (hasPaymentLink(hold) && !withoutEmail) await enqueuePaymentLinkEnded(ports, tx, hold, now);
    // The EMR may have booked it or may still book it: it is cancelled there now, and again later.
    if (isConfirming(hold))
      for (const dueAt of [now, now + CONFIRMING_SECONDS])
        await enqueueCancelInEmr(ports, tx, hold.id, dueAt);
  }
  return { kind: 'released' };
}

/**
 * The patient's current hold with its draft, or null. A hold that moves an appointment shows that
 * appointment's answers until it has a draft of its own.
 */
export async function readHold(
  { database, keyring }: Pick<BookingPorts, 'database' | 'keyring'>,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<ShownHold | null> {
  const held = await holdOf(database.db, patientId, now);
  if (held === null) return null;
  const { draftSealed, ...appointment } = held;
  const { id, rescheduledFrom: moved } = appointment;
  const of = draftSealed === null && moved !== null ? moved : id;
  const sealed = of === id ? draftSealed : await sealedAnswers(database.db, of);
  const draft = sealed && openedAnswers(keyring, of, sealed);
  return { appointment, draft };
}

/**
 * Stores the answers given so far, sealed, with the hold; with a key, only when it names this hold,
 * which another tab may have placed since.
 */
export async function saveDraft(
  ports: BookingPorts,
  { patientId, key }: WhichHold,
  draft: ApiAnswers,
  now: EpochSeconds,
): Promise<{ readonly kind: 'saved' } | BookingRefusal> {
  const held = await holdOf(ports.database.db, patientId, now);
  if (held === null || (key !== null && held.id !== holdIdOfKey(key))) return refusal('holdGone');
  const { id } = held;
  if (isConfirming(held)) return refusal('clinicConfirming');
  if (isPaying(held)) return refusal('paymentUnderWay');
  const sealed = ports.keyring.seal(answersContext(id), JSON.stringify(draft));
  const rule = ports.config.rates.drafts;
  return transact(ports, async (tx) => {
    const wait = await ports.appointments.saveDraft(tx, { id, patientId, sealed }, rule, now);
    if (wait === null) return refusal('holdGone');
    return wait > 0 ? refusal('tooManyRequests', { retryAfter: wait }) : { kind: 'saved' as const };
  });
}

/**
 * Frees lapsed holds and returns how many; any number of processes may do so at once. A booking
 * does not wait for it: taking a slot frees a lapsed hold that is in the way.
 */
export async function expireHolds(ports: BookingPorts, now: EpochSeconds): Promise<number> {
  let freed = 0;
  for (;;) {
    const outcome = await transact(ports, async (tx) => {
      const lapsed = await ports.appointments.sweepLapsed(tx, now, MOST_AT_ONCE);
      await auditLapsed(ports, tx, lapsed, now);
      return { kind: 'swept' as const, count: lapsed.length };
    });
    if (outcome.kind === 'refused' || outcome.count === 0) return freed;
    freed += outcome.count;
  }
}

type PaymentEffectPorts = Pick<
  BookingPorts,
  'appointments' | 'parts' | 'appendAudit' | 'outbox' | 'emr'
>;

/** Locks the patient, then the appointment, as every writer does in this order, and reads it. */
export async function lockAppointmentOfPayment(
  { appointments, parts }: Pick<BookingPorts, 'appointments' | 'parts'>,
  tx: Tx,
  { patientId, appointmentId }: { readonly patientId: PatientId; readonly appointmentId: string },
): Promise<PaidAppointment | null> {
  await appointments.lockPatient(tx, parts, patientId);
  const locked = await appointments.lockAppointment(tx, parts, appointmentId);
  return locked && { ...locked, undoableUntil: await undoableUntil(tx, locked) };
}

interface PaidAppointment extends StoredAppointment {
  /** Until when staff may undo its cancellation. */
  readonly undoableUntil: EpochSeconds | null;
}

interface ForPayment {
  readonly refundReason: RefundReason | null;
  readonly givenUpByPatient: boolean;
}

/**
 * The status of the appointment that a payment is for, as far as its money is concerned. For that, what is
 * cancelled stands until staff can no longer undo it.
 */
export function bookingStatusOf(
  { refundReason, givenUpByPatient }: ForPayment,
  appointment: PaidAppointment | null,
  now: EpochSeconds,
): BookingStatus {
  if (refundReason !== null) return 'givenBack';
  if (appointment === null) return 'gone';
  if (isPaying(appointment)) return now < (appointment.holdExpiresAt ?? 0) ? 'held' : 'lapsed';
  if (keptItsTime(appointment) || appointment.state === 'rescheduled') return 'active';
  if (now < (appointment.undoableUntil ?? 0)) return 'active';
  return appointment.state === 'cancelled' && givenUpByPatient ? 'cancelledByPatient' : 'gone';
}

/** What a step of a payment does to its appointment, which the caller has locked. */
export interface PaymentEffect {
  readonly patientId: PatientId;
  readonly appointmentId: string;
  readonly appointment: StoredAppointment | null;
  readonly change: 'leave' | 'book' | 'release';
  /** Whether the payment may still take money, and whether the patient is at the bank for 3-D Secure. */
  readonly paymentPhase: 'ended' | 'open' | '3dSecure';
}

/**
 * Changes an appointment as a step of its payment says: books it, with audit entry and email; releases
 * it; makes it an ordinary hold again when the payment has ended; or extends it to 30 minutes in total
 * during 3-D Secure. A hold with a payment link outlasts a failed payment: until it expires, only staff or
 * the patient end it. Returns until when the hold still waits for the payment, or null when it does not.
 */
export async function applyPaymentStep(
  ports: PaymentEffectPorts,
  tx: Tx,
  { patientId, appointmentId, appointment, change, paymentPhase }: PaymentEffect,
  now: EpochSeconds,
): Promise<EpochSeconds | null> {
  const { appointments, parts } = ports;
  if (change === 'book') {
    const booked = await appointments.bookHeld(tx, parts, appointmentId, 'paying', now);
    if (booked === null) throw new Error('A paid slot was not held any more');
    // By paying, the patient books the time that staff held for a payment link.
    const byPatient = { ...booked, bookedBy: null };
    await recordBooked(ports, tx, { patientId, appointment: byPatient }, now);
    return null;
  }
  const isHeldForPayment = appointment !== null && isPaying(appointment);
  // Once the payment has ended, a hold that the EMR is confirming is not booked, whatever the EMR answers.
  const isUnpaid = isHeldForPayment && isConfirming(appointment) && paymentPhase === 'ended';
  const isActiveLink =
    appointment !== null && hasPaymentLink(appointment) && now < (appointment.holdExpiresAt ?? 0);
  if ((change === 'release' && !isActiveLink) || isUnpaid) {
    await appointments.makeOrdinary(tx, appointmentId, now);
    if (!(await appointments.release(tx, appointmentId, now))) return null;
    if (appointment && isConfirming(appointment)) {
      await recordNotBooked(ports, tx, { ...appointment, patientId }, now);
      await assignFreedTimeSteps(tx, now);
    } else {
      const entry = { actor: 'system:payments', action: 'hold lapsed', at: now };
      await audit(ports, tx, appointmentId, entry);
      if (appointment && hasPaymentLink(appointment))
        await enqueuePaymentLinkEnded(ports, tx, appointment, now);
    }
    return null;
  }
  if (!isHeldForPayment || isConfirming(appointment)) return null;
  if (paymentPhase === 'ended') {
    await appointments.makeOrdinary(tx, appointmentId, now);
    return null;
  }
  const expiresAt = appointment.holdExpiresAt ?? now;
  const period = { placedAt: appointment.holdPlacedAt ?? now, expiresAt };
  const extended = (paymentPhase === '3dSecure' && extendedFor3dSecure(period, now)) || period;
  if (extended.expiresAt !== expiresAt)
    await appointments.extendPayingHold(tx, { ...extended, id: appointmentId }, now);
  return extended.expiresAt;
}
