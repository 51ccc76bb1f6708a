import type { EpochSeconds, OfferedTime, ReservationRefusal, SlotRequest } from '@clinic/domain';

import { CommitOutcomeUnknown } from '../../database/db.ts';
import type { Database, Tx, Work } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { refused } from './appointment.ts';
import type { BookingRefusal, StaffRequest, StoredAppointment } from './appointment.ts';
import type { BookingPorts } from './reserve.ts';
import type { LapsedHold } from './store.ts';
import { enqueueTicklers } from './ticklers.ts';

/**
 * One transaction in which a conflict means that somebody else was first. After a COMMIT whose
 * outcome is unknown the work runs once more: it begins by waiting for the patient's lock, which
 * the lost transaction holds until it is over, and by looking for what this request may have
 * written.
 */
export async function transact<T>(
  { database }: { readonly database: Pick<Database, 'inTransactionOrConflict'> },
  work: Work<T | BookingRefusal>,
): Promise<T | BookingRefusal> {
  for (let again = false; ; again = true) {
    try {
      const outcome = await database.inTransactionOrConflict(work);
      return outcome.kind === 'committed' ? outcome.value : refused('slotTaken');
    } catch (error) {
      if (again || !(error instanceof CommitOutcomeUnknown)) throw error;
    }
  }
}

const EVENTS = [
  'booked',
  'rescheduled',
  'cancelled',
  'notBooked',
  'notCancelled',
  'payLink',
  'linkOver',
] as const;
export type AppointmentEvent = (typeof EVENTS)[number];
export const isEvent = (text: unknown): text is AppointmentEvent =>
  EVENTS.some((event) => event === text);

/**
 * The outbox kind of e-mails about appointments; what stands in it is ids, never a name or a
 * reason.
 */
export const APPOINTMENT_EMAIL = 'appointment-email';

/** The change that an e-mail tells of, as it stands in the outbox. */
export interface EmailOf {
  readonly event: AppointmentEvent;
  readonly appointmentId: string;
  /**
   * The change's number in calendars, whatever becomes of the appointment until the e-mail is sent.
   */
  readonly sequence: number;
  /** The clinic gave the appointment up, not its patient. */
  readonly byClinic?: true;
  /** Free times that the clinic offers in its place. */
  readonly offered?: readonly OfferedTime[] | undefined;
  /** Where it stood before staff moved it. */
  readonly movedFrom?: EpochSeconds;
  /** The fee that is to be paid by a link, and until when. */
  readonly link?: { readonly feeCents: number; readonly until: EpochSeconds };
}

export function enqueueEmail(
  { outbox }: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  email: EmailOf,
  now: EpochSeconds,
): Promise<void> {
  return outbox.enqueue(tx, APPOINTMENT_EMAIL, { ...email }, now);
}

/** A slot, or the appointment on it, and what of the request about it was ignored. */
interface OnTrail {
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly slot: SlotRequest;
  readonly id: string;
  readonly action: string;
  readonly movedFrom?: string | null;
  readonly ignored?: readonly string[];
  /** Who of the staff did it; null where its patient did. */
  readonly bookedBy?: string | null;
  readonly movedByClinic?: boolean;
}

/** Puts it on the trail. */
export function auditSlot(
  { appendAudit }: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  {
    patientId,
    slot,
    id,
    action,
    movedFrom,
    ignored = [],
    bookedBy = null,
    movedByClinic = false,
  }: OnTrail,
  at: EpochSeconds,
): Promise<void> {
  const { providerId: provider, start, type } = slot;
  const moved = movedFrom ? { movedFrom, ...(movedByClinic && { wantedBy: 'clinic' }) } : {};
  const details = { provider, start, type, ...moved, ...(ignored.length > 0 && { ignored }) };
  const actor = bookedBy === null ? `patient:${patientId}` : `staff:${bookedBy}`;
  return appendAudit(tx, { actor, action, subject: `appointment:${id}`, details, at });
}

interface Overridden extends Pick<StaffRequest, 'staffId' | 'overrideReason'> {
  readonly id: string;
  readonly rules: readonly ReservationRefusal[];
}

/** against which rules staff booked, and why. */
export const auditOverride = (
  { appendAudit }: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  { staffId, overrideReason: reason, id, rules }: Overridden,
  at: EpochSeconds,
): Promise<void> =>
  appendAudit(tx, {
    actor: `staff:${staffId}`,
    action: 'rules overridden',
    subject: `appointment:${id}`,
    details: { rules, reason },
    at,
  });

export async function auditLapsed(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  holds: readonly LapsedHold[],
  at: EpochSeconds,
): Promise<void> {
  const lapsed = { actor: 'system:holds', action: 'hold lapsed', at };
  for (const hold of holds) {
    await ports.appendAudit(tx, { ...lapsed, subject: `appointment:${hold.id}` });
    if (hold.bookedBy !== null) await recordLinkOver(ports, tx, hold, at);
  }
}

interface Linked extends Pick<OnTrail, 'patientId' | 'ignored'> {
  readonly appointment: StoredAppointment;
  readonly link: NonNullable<EmailOf['link']>;
}

/** staff hold a time, and its patient is mailed the link by which its fee is paid. */
export async function recordLinkSent(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  { patientId, appointment, ignored = [], link }: Linked,
  now: EpochSeconds,
): Promise<void> {
  const { id, bookedBy, sequence } = appointment;
  const action = 'time held for a payment link';
  await auditSlot(ports, tx, { patientId, slot: appointment, id, action, ignored, bookedBy }, now);
  await enqueueEmail(ports, tx, { event: 'payLink', appointmentId: id, sequence, link }, now);
}

/** Its patient is told that what staff held for a link is not booked, and that nothing was charged. */
export const recordLinkOver = (
  ports: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  { id }: { readonly id: string },
  now: EpochSeconds,
): Promise<void> =>
  enqueueEmail(ports, tx, { event: 'linkOver', appointmentId: id, sequence: 0 }, now);

interface Booked extends Pick<OnTrail, 'patientId' | 'ignored'> {
  readonly appointment: StoredAppointment;
}

/**
 * What goes with a booking: the end of the one that moved, its money, the audit, the e-mail, and what
 * the EMR is to tell its provider.
 * False when the one to move was ended meanwhile by somebody else, such as the clinic: then nothing
 * moves, and the caller rolls back.
 */
export async function recordBooked(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox' | 'emr'>,
  tx: Tx,
  { patientId, appointment, ignored = [] }: Booked,
  now: EpochSeconds,
): Promise<boolean> {
  const { id, rescheduledFrom: movedFrom, movedByClinic, paidCents } = appointment;
  const { appointments, parts } = ports;
  const moved = movedFrom && { id: movedFrom, patientId, movedTo: id, inEmr: ports.emr !== null };
  const ended = !moved || (await appointments.endAppointment(tx, parts, moved, now)) !== null;
  const event = movedFrom ? 'rescheduled' : 'booked';
  const action = `appointment ${event}`;
  // What staff held for a link its patient books, by paying.
  const bookedBy = event === 'booked' && paidCents > 0 ? null : appointment.bookedBy;
  await Promise.all([
    auditSlot(
      ports,
      tx,
      { patientId, slot: appointment, id, action, movedFrom, ignored, bookedBy, movedByClinic },
      now,
    ),
    // Of a record without an account there is nobody to tell.
    patientId === null
      ? null
      : enqueueEmail(ports, tx, { event, appointmentId: id, sequence: appointment.sequence }, now),
    enqueueTicklers(ports, tx, appointment, now),
  ]);
  return ended;
}

interface Ended {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly actor: string;
  readonly byClinic?: true;
  readonly offered?: readonly OfferedTime[] | undefined;
}

/**
 * Ends an appointment, with its trail and its e-mail; false when it stood no more. Of a record
 * without an account there is nobody to tell.
 */
export async function recordCancelled(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox'>,
  tx: Tx,
  { id, patientId, actor, offered, ...byClinic }: Ended,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, parts } = ports;
  const ending = { id, patientId, movedTo: null, ...byClinic };
  const sequence = await appointments.endAppointment(tx, parts, ending, now);
  if (sequence === null) return false;
  const subject = `appointment:${id}`;
  await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
  const email = { event: 'cancelled', appointmentId: id, sequence, ...byClinic, offered } as const;
  if (patientId !== null) await enqueueEmail(ports, tx, email, now);
  return true;
}
