import type {
  CancelRefusal,
  EpochSeconds,
  OfferedTime,
  ReservationRefusal,
  SlotRequest,
} from '@clinic/domain';

import { CommitOutcomeUnknown } from '../../database/db.ts';
import type { Database, Tx, Work } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { refused } from './appointment.ts';
import type { BookingRefusal, StaffRequest, StoredAppointment } from './appointment.ts';
import type { BookingPorts } from './ports.ts';
import type { LapsedHold } from './store.ts';
import { enqueueCancelInEmr, enqueueTicklers } from './for-emr.ts';

/**
 * Runs one transaction, in which a conflict means that somebody else took the slot first. After a
 * COMMIT whose outcome is unknown the work runs once more: it first waits for the patient's lock,
 * which the lost transaction holds until it ends, and then looks for what this request may have
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
export type EmailEvent = (typeof EVENTS)[number];
export const isEvent = (text: unknown): text is EmailEvent =>
  EVENTS.some((event) => event === text);

/** The outbox kind of emails about appointments. Its rows never hold a name or a reason. */
export const APPOINTMENT_EMAIL = 'appointment-email';

/** The change that an email reports, as stored in the outbox. */
export interface EmailOf {
  readonly event: EmailEvent;
  readonly appointmentId: string;
  /** The calendar sequence of this change, whatever happens before the email is sent. */
  readonly sequence: number;
  /** The clinic, not the patient, cancelled the appointment. */
  readonly byClinic?: true;
  /** Free times that the clinic offers instead. */
  readonly offered?: readonly OfferedTime[] | undefined;
  /** When the appointment started before staff moved it. */
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

/** An audit entry about a slot or the appointment on it, with the ignored fields of the request. */
interface OnTrail {
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly slot: SlotRequest;
  readonly id: string;
  readonly action: string;
  readonly movedFrom?: string | null;
  readonly ignored?: readonly string[];
  /** The staff member who did it; null when the patient did. */
  readonly bookedBy?: string | null;
  readonly movedByClinic?: boolean;
}

/** Appends the entry to the audit trail. */
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

interface Overridden extends Pick<StaffRequest, 'overrideReason'> {
  /** A staff member. */
  readonly actor: string;
  readonly id: string;
  readonly rules: readonly (ReservationRefusal | CancelRefusal)[];
}

/** records the rules that staff overrode when booking or cancelling, and why. */
export const auditOverride = (
  { appendAudit }: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  { actor, overrideReason: reason, id, rules }: Overridden,
  at: EpochSeconds,
): Promise<void> =>
  appendAudit(tx, {
    actor,
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

/** records that staff hold a time, and emails the patient the link for paying its fee. */
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

/** Emails the patient that the time held for a payment link is not booked and nothing was charged. */
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
 * Writes what goes with a booking: the end of the appointment that it moves and the transfer of its
 * money, the audit entry, the email, and the ticklers for the provider in the EMR. False when the
 * appointment to move was ended meanwhile by somebody else, such as the clinic: then nothing moves,
 * and the caller rolls back.
 */
export async function recordBooked(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox' | 'emr'>,
  tx: Tx,
  { patientId, appointment, ignored = [] }: Booked,
  now: EpochSeconds,
): Promise<boolean> {
  const { id, rescheduledFrom: movedFrom, movedByClinic, bookedBy } = appointment;
  const { appointments, parts } = ports;
  const moved = movedFrom && { id: movedFrom, patientId, movedTo: id, inEmr: ports.emr !== null };
  const ended = !moved || (await appointments.endAppointment(tx, parts, moved, now)) !== null;
  const event = movedFrom ? 'rescheduled' : 'booked';
  const action = `appointment ${event}`;
  await Promise.all([
    auditSlot(
      ports,
      tx,
      { patientId, slot: appointment, id, action, movedFrom, ignored, bookedBy, movedByClinic },
      now,
    ),
    // Without an account there is nobody to email.
    patientId === null
      ? null
      : enqueueEmail(ports, tx, { event, appointmentId: id, sequence: appointment.sequence }, now),
    enqueueTicklers(ports, tx, appointment, now),
  ]);
  return ended;
}

export interface Ended {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly actor: string;
  readonly byClinic?: true;
  /** Set when staff cancel. */
  readonly wantedBy?: 'patient' | 'clinic' | undefined;
  readonly offered?: readonly OfferedTime[] | undefined;
}

/**
 * Ends an appointment, with its audit entry and its email; false when it no longer stood. Without an
 * account there is nobody to email.
 */
export async function recordCancelled(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox'>,
  tx: Tx,
  { id, patientId, actor, offered, wantedBy, ...byClinic }: Ended,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, parts } = ports;
  const ending = { id, patientId, movedTo: null, ...byClinic };
  const sequence = await appointments.endAppointment(tx, parts, ending, now);
  if (sequence === null) return false;
  const subject = `appointment:${id}`;
  const details = wantedBy && { details: { wantedBy } };
  const action = 'appointment cancelled';
  await ports.appendAudit(tx, { actor, action, subject, ...details, at: now });
  const email = { event: 'cancelled', appointmentId: id, sequence, ...byClinic, offered } as const;
  if (patientId !== null) await enqueueEmail(ports, tx, email, now);
  return true;
}

/** Writes audit entry and email of an unconfirmed booking; has the EMR cancel what it may have of it. */
export async function recordNotBooked(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  {
    id,
    sequence,
    patientId,
  }: Pick<StoredAppointment, 'id' | 'sequence'> & { readonly patientId: PatientId | null },
  now: EpochSeconds,
): Promise<void> {
  const subject = `appointment:${id}`;
  const trail = { actor: 'system:emr', action: 'appointment not confirmed', subject, at: now };
  await ports.appendAudit(tx, trail);
  // Without an account there is nobody to email: it is gone from the day sheet.
  if (patientId !== null)
    await enqueueEmail(ports, tx, { event: 'notBooked', appointmentId: id, sequence }, now);
  await enqueueCancelInEmr(ports, tx, id, now);
}
