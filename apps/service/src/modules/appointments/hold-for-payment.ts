import { newHold, renewedForPayment, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import { whyAnswersRefused } from './answers.ts';
import { sameSlot, standsBooked, standsHeld } from './appointment.ts';
import type { StoredAppointment } from './appointment.ts';
import type { HoldTerms } from './appointments.ts';
import { whyOverOwnLimit } from './limits.ts';
import { askedProvider, whyDocumentsMissing, whyNotOffered } from './offer.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { questionOf, withPrimaryDoctor } from './primary-doctor.ts';
import type { AskPrimaryDoctor, PrimaryDoctor } from './primary-doctor.ts';
import { refused } from './refusals.ts';
import { holdGivenUp, holdNamedBy, madeBy } from './request-key.ts';
import type { BookingRefusal } from './refusals.ts';
import { takeSlot } from './take-slot.ts';
import { detailsOf, ignoredOf } from './appointment-details.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/** A slot that is held for a payment, and its price. */
export interface PayableHold {
  readonly appointmentId: string;
  readonly chargeCents: number;
  readonly expiresAt: EpochSeconds;
  /** A payment for it is under way already. */
  readonly paying: boolean;
}

/** What the payment module does in the same transaction; a refusal undoes the hold. */
export type BeginPayment<T> = (tx: Tx, hold: PayableHold) => Promise<T | PaymentNotBegun>;

/** The payment was not begun, and nothing of the hold stands. */
export interface PaymentNotBegun {
  readonly kind: 'notBegun';
}

type Outcome<T> = T | BookedAppointment | BookingRefusal | PaymentNotBegun;

/**
 * Holds a slot while its fee is paid: the patient's hold, or a new one for a client that
 * never holds. Everything that could refuse the appointment is decided here, before any money moves. The
 * same request after the appointment was booked answers the appointment.
 */
export async function holdForPayment<T extends { readonly kind: string }>(
  ports: BookingPorts,
  request: AppointmentRequest,
  begin: BeginPayment<T>,
  now: EpochSeconds,
): Promise<Outcome<T>> {
  const errors = whyAnswersRefused(request.slot.type, request.answers, toClinic(now).date);
  if (errors.length > 0) return refused('invalidInput', errors);
  return withPrimaryDoctor<Outcome<T>>(ports.emr, (known) =>
    transact<T | BookedAppointment | PaymentNotBegun | AskPrimaryDoctor>(
      ports,
      async (tx, rollBack) => {
        const result = await attempt(ports, tx, request, known, begin, now);
        const undone =
          result.kind === 'notBegun' ||
          (result.kind === 'refused' && isTaken(result as BookingRefusal));
        return undone ? rollBack(result) : result;
      },
    ),
  );
}

const isTaken = ({ code }: BookingRefusal) => code === 'slotTaken';

async function attempt<T extends { readonly kind: string }>(
  ports: BookingPorts,
  tx: Tx,
  request: AppointmentRequest,
  known: PrimaryDoctor,
  begin: BeginPayment<T>,
  now: EpochSeconds,
): Promise<Outcome<T> | AskPrimaryDoctor> {
  const { patientId, slot, requestKey } = request;
  const [offer, own] = await Promise.all([
    ports.appointments.lockPatient(tx, patientId, slot, toClinic(now).date),
    ports.appointments.standing(tx, patientId, now, requestKey, [holdNamedBy(requestKey)]),
  ]);
  if (offer === null) return refused('notFound');
  const repeated =
    madeBy(own, requestKey) ??
    own.find(
      (appointment) =>
        standsBooked(appointment) && appointment.paidCents > 0 && sameSlot(appointment, slot),
    );
  if (repeated && (repeated.state !== 'held' || !sameSlot(repeated, slot)))
    return repeat(repeated, offer, request);
  const question = questionOf(offer, known);
  if (question) return question;

  const before = own.find((appointment) => appointment.state === 'held') ?? null;
  const mine = before !== null && sameSlot(before, slot) ? before : null;
  const hold = mine !== null && standsHeld(mine, now) ? mine : null;
  if (mine === null && holdGivenUp(own, requestKey)) return refused('holdGone');
  const why = whyNotPayable(offer, own, before, mine, request, known, hold, now);
  if (why) {
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'payment refused',
      subject: askedProvider(offer),
      details: { code: why.code, start: slot.start, type: slot.type },
      at: now,
    });
    return why;
  }
  const chargeCents = offer.type?.chargeCents ?? 0;
  const held = await keep(ports, tx, request, offer, { before, mine, hold }, now);
  if (held === null) return refused('slotTaken');
  return begin(tx, { ...held, chargeCents, paying: mine?.paying === true });
}

/** The same request again after it was booked: the same appointment. Another under its key is refused. */
function repeat(
  appointment: StoredAppointment,
  offer: Offer,
  { slot }: AppointmentRequest,
): BookedAppointment | BookingRefusal {
  if (!sameSlot(appointment, slot) || appointment.type !== slot.type)
    return refused('requestReused');
  if (offer.doctor === null || offer.type === null) return refused('notFound');
  return { kind: 'booked', appointment, description: offer.type.description, doctor: offer.doctor };
}

function whyNotPayable(
  offer: Offer,
  own: readonly StoredAppointment[],
  before: StoredAppointment | null,
  mine: StoredAppointment | null,
  { slot }: AppointmentRequest,
  known: PrimaryDoctor,
  hold: StoredAppointment | null,
  now: EpochSeconds,
): BookingRefusal | null {
  if (before?.confirming) return refused('clinicConfirming');
  if (before?.paying && (mine === null || mine.type !== slot.type))
    return refused('paymentUnderWay');
  const decidedAt = hold?.holdPlacedAt ?? now;
  const notOffered = whyNotOffered(offer, slot, known === 'unasked' ? 'unknown' : known, decidedAt);
  if (notOffered) return refused(notOffered);
  if (!mine?.paying && (offer.type?.chargeCents ?? 0) === 0) return refused('nothingToPay');
  const why = whyDocumentsMissing(offer) ?? whyOverOwnLimit(offer, own, slot, now);
  return why === null ? null : refused(why);
}

interface OwnHolds {
  readonly before: StoredAppointment | null;
  readonly mine: StoredAppointment | null;
  /** `mine`, while it stands. */
  readonly hold: StoredAppointment | null;
}

/** Takes or renews the hold for the payment; null when somebody else has the slot. */
async function keep(
  ports: BookingPorts,
  tx: Tx,
  request: AppointmentRequest,
  offer: Offer,
  { before, mine, hold }: OwnHolds,
  now: EpochSeconds,
): Promise<{ readonly appointmentId: string; readonly expiresAt: EpochSeconds } | null> {
  const { appointments } = ports;
  const { slot, patientId } = request;
  const terms = termsOf(hold, now);
  const { expiresAt } = terms;
  if (mine?.paying) {
    const answers = detailsOf(ports, offer, request, mine.id, null);
    await appointments.prolongPaying(tx, mine.id, expiresAt, now, answers);
    return { appointmentId: mine.id, expiresAt };
  }
  let id = mine?.id ?? null;
  if (id === null) {
    const appointment = {
      ...slot,
      id: ports.ids.uuid(),
      patientId,
      recordId: offer.patient.recordId,
      clinicDate: toClinic(slot.start).date,
    };
    if (before) await appointments.lockSteps(tx, [before, slot]);
    const taken = await takeSlot(ports, tx, slot, now, () =>
      before
        ? appointments.moveHold(tx, before.id, appointment, terms)
        : appointments.takeHold(tx, appointment, terms),
    );
    if (!taken) return null;
    id = appointment.id;
  }
  const details = {
    ...detailsOf(ports, offer, request, id, null),
    paidCents: offer.type?.chargeCents ?? 0,
  };
  if (!(await appointments.awaitPayment(tx, id, slot, terms, details, now))) return null;
  const ignored = ignoredOf(request, null);
  await ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: 'slot held for payment',
    subject: `appointment:${id}`,
    details: {
      provider: slot.providerId,
      start: slot.start,
      type: slot.type,
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    at: now,
  });
  return { appointmentId: id, expiresAt };
}

/** 15 minutes from now, 30 in total at most; a hold that lapsed begins anew. */
function termsOf(hold: StoredAppointment | null, now: EpochSeconds): HoldTerms {
  const standing =
    hold === null
      ? newHold(now)
      : { heldAt: hold.holdPlacedAt ?? now, until: hold.holdExpiresAt ?? now };
  const { heldAt, until } = renewedForPayment(standing, now) ?? standing;
  return { placedAt: heldAt, expiresAt: until, rescheduledFrom: null };
}
