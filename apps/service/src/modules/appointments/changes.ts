import { UNDO_SECONDS } from '@clinic/domain';
import type { EpochSeconds, OfferedTime, SlotRequest, UndoableAct } from '@clinic/domain';

import { CommitOutcomeUnknown } from '../../database/db.ts';
import type { Database, Tx, Work } from '../../database/db.ts';
import type { AuditEntry } from '../../security/audit.store.ts';
import { refusal } from './appointment.ts';
import type { BookingRefusal, AccountRef, StoredAppointment } from './appointment.ts';
import { insertAct } from './by-staff/staff-acts.store.ts';
import type { BookingPorts } from './ports.ts';
import type { BeforeAct } from './schema.ts';
import type { LapsedHold } from './store.ts';

/**
 * Runs one transaction, in which a conflict means that another patient took the slot first. After a
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
      return outcome.kind === 'committed' ? outcome.value : refusal('slotTaken');
    } catch (error) {
      if (again || !(error instanceof CommitOutcomeUnknown)) throw error;
    }
  }
}

export type EmailEvent =
  'booked' | 'rescheduled' | 'cancelled' | 'notBooked' | 'notCancelled' | 'payLink' | 'linkOver';

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

export const enqueueEmail = (
  { outbox }: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  email: EmailOf,
  now: EpochSeconds,
): Promise<string> => outbox.enqueue(tx, APPOINTMENT_EMAIL, { ...email }, now);

/** An act of staff that can be undone. */
export interface ActOfStaff {
  readonly id: string;
  readonly staffId: string;
}

interface ToldAct extends Partial<Pick<BeforeAct, 'movedFrom' | 'paidCents'>> {
  readonly kind: UndoableAct;
  readonly subject: string;
  /** Null where it cannot be undone. */
  readonly act: ActOfStaff | null;
  /** Null without an account: there is no one to email. */
  readonly email: EmailOf | null;
}

/** Queues the email about a change. Where staff can undo it, notes how, and has the email wait until they cannot. */
export async function tellOfAct(
  ports: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  { kind, subject, act, email, movedFrom = null, paidCents = 0 }: ToldAct,
  now: EpochSeconds,
): Promise<void> {
  const until = act === null ? now : now + UNDO_SECONDS;
  const queued = email && (await enqueueEmail(ports, tx, email, until));
  const before = { movedFrom, paidCents, email: queued };
  if (act !== null) insertAct(tx, { ...act, kind, subject, until, before });
}

/** Outbox kind of a cancellation in the EMR, which is retried until the EMR answers. */
export const CANCEL_IN_EMR = 'cancel-in-emr';

/** Has the outbox cancel whatever the EMR still has of an appointment, after the transaction. */
export const enqueueCancelInEmr = (
  { outbox }: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  appointmentId: string,
  dueAt: EpochSeconds,
) => outbox.enqueue(tx, CANCEL_IN_EMR, { appointmentId }, dueAt);

/** Outbox kind of news for a provider. */
export const TICKLER_TO_EMR = 'tickler-to-emr';

/** Queues ticklers for a patient's booking: that they moved it, and their injury-claim answers. */
async function enqueueTicklers(
  { outbox, emr }: Pick<BookingPorts, 'outbox' | 'emr'>,
  tx: Tx,
  { id, rescheduledFrom, bookedBy, movedByClinic, contactPreference }: StoredAppointment,
  now: EpochSeconds,
): Promise<void> {
  if (emr === null || bookedBy !== null || movedByClinic) return;
  const enqueue = (about: 'moved' | 'injuryClaim') =>
    outbox.enqueue(tx, TICKLER_TO_EMR, { about, appointmentId: id }, now);
  if (rescheduledFrom !== null) await enqueue('moved');
  // Only the injury-claim form asks how the patient wants to be seen.
  if (contactPreference !== null) await enqueue('injuryClaim');
}

/** An audit entry about a slot or the appointment on it, with the ignored fields of the request. */
interface SlotEntry
  extends AccountRef, Partial<Pick<StoredAppointment, 'bookedBy' | 'movedByClinic'>> {
  readonly slot: SlotRequest;
  readonly id: string;
  readonly action: string;
  readonly movedFrom?: string | null;
  readonly ignored?: readonly string[];
}

/** Appends the entry to the audit trail. */
export function auditSlot(
  ports: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  { patientId, slot, id, action, bookedBy = null, movedFrom, movedByClinic, ignored }: SlotEntry,
  at: EpochSeconds,
): Promise<void> {
  const { providerId: provider, start, type } = slot;
  const moved = movedFrom && { movedFrom, ...(movedByClinic && { wantedBy: 'clinic' }) };
  const details = { provider, start, type, ...moved, ...(ignored?.length && { ignored }) };
  const actor = bookedBy === null ? `patient:${patientId}` : `staff:${bookedBy}`;
  return audit(ports, tx, id, { actor, action, details, at });
}

/** The audit action when staff override rules, with their reason. */
export const RULES_OVERRIDDEN = 'rules overridden';

/** Appends an entry about an appointment to the audit trail. */
export const audit = (
  { appendAudit }: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  id: string,
  entry: Omit<AuditEntry, 'subject'>,
): Promise<void> => appendAudit(tx, { ...entry, subject: `appointment:${id}` });

export async function auditLapsed(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  holds: readonly LapsedHold[],
  at: EpochSeconds,
): Promise<void> {
  for (const hold of holds) {
    await audit(ports, tx, hold.id, { actor: 'system:holds', action: 'hold lapsed', at });
    if (hold.hadPaymentLink) await enqueuePaymentLinkEnded(ports, tx, hold, at);
  }
}

/** Queues the email that the time held for a payment link is not booked and nothing was charged. */
export const enqueuePaymentLinkEnded = (
  ports: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  { id }: { readonly id: string },
  now: EpochSeconds,
): Promise<string> =>
  enqueueEmail(ports, tx, { event: 'linkOver', appointmentId: id, sequence: 0 }, now);

interface Booked extends Pick<SlotEntry, 'patientId' | 'ignored'> {
  readonly appointment: StoredAppointment;
  readonly act?: ActOfStaff | null;
}

/**
 * Writes what goes with a booking: the end of the appointment that it moves and the transfer of its
 * money, the audit entry, the email, and the ticklers for the provider in the EMR. False when the
 * appointment to move was ended by someone else, such as the clinic, at the same time: then nothing moves,
 * and the caller rolls back.
 */
export async function recordBooked(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox' | 'emr'>,
  tx: Tx,
  { patientId, appointment, ignored = [], act = null }: Booked,
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
    tellOfAct(
      ports,
      tx,
      {
        kind: movedFrom === null ? 'book' : 'move',
        subject: id,
        act,
        movedFrom,
        email:
          patientId === null ? null : { event, appointmentId: id, sequence: appointment.sequence },
      },
      now,
    ),
    enqueueTicklers(ports, tx, appointment, now),
  ]);
  return ended;
}

export interface Ended extends AccountRef {
  readonly id: string;
  readonly actor: string;
  readonly byClinic?: true;
  /** Set when staff cancel. */
  readonly wantedBy?: 'patient' | 'clinic' | undefined;
  readonly offered?: readonly OfferedTime[] | undefined;
  /** With what was paid, where staff can undo it. */
  readonly act?: (ActOfStaff & Pick<BeforeAct, 'paidCents'>) | null;
}

/**
 * Ends an appointment, with its audit entry and its email; false when it had ended before. Without an
 * account there is no one to email.
 */
export async function recordCancelled(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox'>,
  tx: Tx,
  { id, patientId, actor, offered, wantedBy, act = null, ...byClinic }: Ended,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, parts } = ports;
  const ending = { id, patientId, movedTo: null, ...byClinic };
  const sequence = await appointments.endAppointment(tx, parts, ending, now);
  if (sequence === null) return false;
  const details = wantedBy && { details: { wantedBy } };
  await audit(ports, tx, id, { actor, action: 'appointment cancelled', ...details, at: now });
  const email = { event: 'cancelled', appointmentId: id, sequence, ...byClinic, offered } as const;
  const told = { kind: 'cancel', subject: id, act } as const;
  const paidCents = act?.paidCents ?? 0;
  await tellOfAct(ports, tx, { ...told, paidCents, email: patientId === null ? null : email }, now);
  return true;
}

/** Writes audit entry and email of an unconfirmed booking; has the EMR cancel what it may have of it. */
export async function recordNotBooked(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  { id, sequence, patientId }: Pick<StoredAppointment, 'id' | 'sequence'> & AccountRef,
  now: EpochSeconds,
): Promise<void> {
  const action = 'appointment not confirmed';
  await audit(ports, tx, id, { actor: 'system:emr', action, at: now });
  // Without an account there is no one to email: it is gone from the day sheet.
  if (patientId !== null)
    await enqueueEmail(ports, tx, { event: 'notBooked', appointmentId: id, sequence }, now);
  await enqueueCancelInEmr(ports, tx, id, now);
}
