import { newHold, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import { askEmr } from './ask-emr.ts';
import type { AskEmr } from './ask-emr.ts';
import { sameSlot, standsHeld } from './appointment.ts';
import type { StoredAppointment } from './appointment.ts';
import { whyTooOften } from './limits.ts';
import { askedProvider, whyNotOffered } from './offer.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { questionOf, withPrimaryDoctor } from './primary-doctor.ts';
import type { AskPrimaryDoctor, PrimaryDoctor } from './primary-doctor.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { holdGivenUp, holdNamedBy, madeBy } from './request-key.ts';
import { takeSlot } from './take-slot.ts';
import { recordAppointment } from './record-appointment.ts';
import { asAppointment, detailsOf } from './appointment-details.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/** What a booking and a reschedule decide from, read under the lock on the patient. */
export interface AppointmentFacts {
  readonly offer: Offer;
  /** The patient's hold and standing appointments, and the appointment named. */
  readonly own: readonly StoredAppointment[];
  /** The standing hold on the slot asked for, or null. */
  readonly hold: StoredAppointment | null;
  readonly now: EpochSeconds;
}

/** The appointment that is moved, null for a new one, or a refusal. */
export type DecideAppointment = (
  facts: AppointmentFacts,
) => { readonly moved: StoredAppointment | null } | BookingRefusal;

/**
 * Makes an appointment an appointment: from the patient's hold, or by taking the slot for a client that never
 * holds. The request is looked up before anything is decided, so that a double click or a
 * lost answer gives the same booking.
 */
export async function reserveAppointment(
  ports: CountedPorts,
  request: AppointmentRequest,
  named: string | null,
  decide: DecideAppointment,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const outcome = await withPrimaryDoctor<BookedAppointment | AskEmr | BookingRefusal>(
    ports.emr,
    (known) =>
      transact<BookedAppointment | AskEmr | AskPrimaryDoctor>(ports, async (tx, rollBack) => {
        const result = await attempt(ports, tx, request, named, decide, known, now);
        // Some locks and rows may be behind us, such as another hold given up: none of it stands.
        return result.kind === 'refused' && result.code === 'slotTaken' ? rollBack(result) : result;
      }),
  );
  return outcome.kind === 'askEmr' ? askEmr(ports, request, outcome, now) : outcome;
}

async function attempt(
  ports: CountedPorts,
  tx: Tx,
  request: AppointmentRequest,
  named: string | null,
  decide: DecideAppointment,
  known: PrimaryDoctor,
  now: EpochSeconds,
): Promise<BookedAppointment | AskEmr | AskPrimaryDoctor | BookingRefusal> {
  const { patientId, slot, requestKey } = request;
  const [offer, own] = await Promise.all([
    ports.appointments.lockPatient(tx, patientId, slot, toClinic(now).date),
    ports.appointments.standing(tx, patientId, now, requestKey, [named, holdNamedBy(requestKey)]),
  ]);
  if (offer === null) return refused('notFound');
  const repeated = madeBy(own, requestKey);
  if (repeated) return repeat(repeated, offer, request);
  const question = questionOf(offer, known);
  if (question) return question;

  const tooMany = await whyTooOften(ports, tx, patientId, 'bookings', now);
  if (tooMany) return tooMany;
  const before = own.find((appointment) => appointment.state === 'held') ?? null;
  const mine = before !== null && sameSlot(before, slot) ? before : null;
  const hold = mine !== null && standsHeld(mine, now) ? mine : null;
  if (mine === null && holdGivenUp(own, requestKey)) return refused('holdGone');
  const decidedAt = hold?.holdPlacedAt ?? now;
  const why = before?.confirming
    ? refused('clinicConfirming')
    : before?.paying
      ? refused('paymentUnderWay')
      : (notOffered(offer, request, known, decidedAt) ?? decide({ offer, own, hold, now }));
  if ('kind' in why) {
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'booking refused',
      subject: askedProvider(offer),
      details: { code: why.code, start: slot.start, type: slot.type },
      at: now,
    });
    return why;
  }
  return ports.emr.keepsOurBook
    ? book(ports, tx, request, { offer, before, mine, moved: why.moved }, now)
    : reserve(ports, tx, request, { offer, before, mine, moved: why.moved }, now);
}

function notOffered(
  offer: Offer,
  { slot }: AppointmentRequest,
  known: PrimaryDoctor,
  decidedAt: EpochSeconds,
): BookingRefusal | null {
  const why = whyNotOffered(offer, slot, known === 'unasked' ? 'unknown' : known, decidedAt);
  return why === null ? null : refused(why);
}

/** The same request again: the same booking. Another appointment under its key is a refusal. */
function repeat(
  appointment: StoredAppointment,
  offer: Offer,
  { slot }: AppointmentRequest,
): BookedAppointment | BookingRefusal {
  if (!sameSlot(appointment, slot) || appointment.type !== slot.type)
    return refused('requestReused');
  if (appointment.state === 'held')
    return refused(appointment.paying ? 'paymentUnderWay' : 'clinicConfirming');
  if (offer.doctor === null || offer.type === null) return refused('notFound');
  return {
    kind: appointment.rescheduledFrom === null ? 'booked' : 'rescheduled',
    appointment,
    description: offer.type.description,
    doctor: offer.doctor,
  };
}

interface Grounds {
  readonly offer: Offer;
  /** The patient's hold, wherever it is. */
  readonly before: StoredAppointment | null;
  /** The same, when it is on the slot asked for, lapsed or not. */
  readonly mine: StoredAppointment | null;
  readonly moved: StoredAppointment | null;
}

/** Our appointments are the book: one appointment, booked at once. */
async function book(
  ports: BookingPorts,
  tx: Tx,
  request: AppointmentRequest,
  grounds: Grounds,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const { appointments } = ports;
  const { slot, patientId } = request;
  const { offer, mine, moved } = grounds;
  const held = mine && detailsOf(ports, offer, request, mine.id, moved);
  let asserted = held && { id: mine.id, details: held };
  if (asserted && !(await appointments.confirm(tx, asserted.id, slot, asserted.details, now)))
    asserted = null;
  const recordId = offer.patient.recordId;
  const clinicDate = toClinic(slot.start).date;
  if (!asserted) {
    await makeRoom(ports, tx, slot, grounds, now);
    const id = ports.ids.uuid();
    const details = detailsOf(ports, offer, request, id, moved);
    const appointment = { ...slot, id, patientId, recordId, clinicDate };
    if (
      !(await takeSlot(ports, tx, slot, now, () =>
        appointments.takeBooked(tx, appointment, details, now),
      ))
    )
      return refused('slotTaken');
    asserted = { id, details };
  }
  const appointment = asAppointment(
    slot,
    { id: asserted.id, recordId, clinicDate },
    asserted.details,
    now,
  );
  return recordAppointment(ports, tx, request, offer, appointment, moved, now);
}

/** Another system keeps the book: hold the slot, with all that the appointment will carry, and ask it. */
async function reserve(
  ports: BookingPorts,
  tx: Tx,
  request: AppointmentRequest,
  grounds: Grounds,
  now: EpochSeconds,
): Promise<AskEmr | BookingRefusal> {
  const { appointments } = ports;
  const { slot, patientId } = request;
  const { offer, mine, moved } = grounds;
  const recordId = offer.patient.recordId;
  const clinicDate = toClinic(slot.start).date;
  let id = mine?.id ?? null;
  if (id === null) {
    await makeRoom(ports, tx, slot, grounds, now);
    id = ports.ids.uuid();
    const appointment = { ...slot, id, patientId, recordId, clinicDate };
    const { heldAt, until } = newHold(now);
    const terms = { placedAt: heldAt, expiresAt: until, rescheduledFrom: moved?.id ?? null };
    if (
      !(await takeSlot(ports, tx, slot, now, () => appointments.takeHold(tx, appointment, terms)))
    )
      return refused('slotTaken');
  }
  const details = detailsOf(ports, offer, request, id, moved);
  if (!(await appointments.awaitEmr(tx, id, slot, details, now))) return refused('holdGone');
  const appointment = asAppointment(slot, { id, recordId, clinicDate }, details, now);
  return { kind: 'askEmr', appointment, offer, moved };
}

/** Gives up a hold on another slot; the steps of both, and of a moved appointment, are locked in order. */
async function makeRoom(
  { appointments }: BookingPorts,
  tx: Tx,
  slot: AppointmentRequest['slot'],
  { before, mine, moved }: Grounds,
  now: EpochSeconds,
): Promise<void> {
  const elsewhere = before !== null && mine === null ? [before] : [];
  const others = moved === null ? elsewhere : [...elsewhere, moved];
  if (others.length > 0) await appointments.lockSteps(tx, [...others, slot]);
  for (const hold of elsewhere) await appointments.release(tx, hold.id, now);
}
