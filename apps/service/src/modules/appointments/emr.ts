import type { ApiAnswers } from '@clinic/contract';
import { confirmingUntil, toClinic } from '@clinic/domain';
import type { EpochSeconds, Span } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline, EmrOutcomeUnknown } from '../records/emr.ts';
import type {
  BookAnswer,
  BookRequest,
  RecordId,
  ProviderId,
  Emr,
  EmrAppointmentId,
} from '../records/emr.ts';
import { answersContext, refused } from './appointment.ts';
import type {
  BookedAppointment,
  BookingRefusal,
  BookingRequest,
  StoredAppointment,
} from './appointment.ts';
import { addBusySpan } from './busy.store.ts';
import { sealedAnswers } from './listed.store.ts';
import { enqueueEmail, recordBooked, transact } from './changes.ts';
import type { BookingPorts } from './reserve.ts';

const MOST_AT_ONCE = 100;
/** So long a request waits for the EMR; what comes later is found out by a job. */
const PATIENCE_MS = 8_000;
/** After this long no request waits for it any more. */
const PATIENCE_SECONDS = 10;

/** A slot held with everything that its appointment will carry, while the EMR is asked. */
export interface AskEmr {
  readonly kind: 'askEmr';
  readonly emr: Emr;
  readonly request: BookingRequest;
  /** As it is once the EMR has it. */
  readonly outcome: BookedAppointment;
  readonly moves: StoredAppointment | null;
  /** What of the request was ignored, for the trail. */
  readonly ignored: readonly string[];
}

/**
 * Names the write of an appointment in the EMR for ever: what an EMR has kept goes by these words.
 */
export const emrKey = (appointmentId: string) => `claim:${appointmentId}`;

/** The appointment of ours that a key names, or null. */
export const appointmentNamedBy = (key: string): string | null =>
  /^claim:([0-9a-f-]{36})$/.exec(key)?.[1] ?? null;

/**
 * What was asked of the EMR, while a patient waits. An answer that does not come in time is
 * unknown: a write may still happen.
 */
async function within<Answer>(appointmentId: string, asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new EmrOutcomeUnknown(emrKey(appointmentId))), PATIENCE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/**
 * Books the held slot in an EMR that keeps the book itself (docs/emr.md): outside of any
 * transaction, under the appointment's key. 'taken' frees the slot; an unknown outcome keeps it,
 * and the sweeper finds out what became of it.
 */
export async function askEmr(
  ports: BookingPorts,
  { emr, request, outcome, moves, ignored }: AskEmr,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const { appointment } = outcome;
  const ask = async () => {
    const to = bookRequest(appointment, request.answers.reason.trim());
    const old = moves && (await emrIdOf(emr, moves.id));
    return old ? emr.move(to.key, old, to) : emr.book(to);
  };
  let answer: BookAnswer;
  try {
    answer = await within(appointment.id, ask());
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return refused('clinicConfirming');
    await giveBack(ports, appointment, 'offline', now);
    throw error;
  }
  if (answer.kind === 'taken' || answer.kind === 'notOffered') {
    await giveBack(ports, appointment, answer.kind, now);
    return refused(answer.kind === 'taken' ? 'slotTaken' : 'slotNotOffered');
  }
  return transact<BookedAppointment>(ports, async (tx, rollBack) => {
    if ((await ports.appointments.settle(tx, appointment.id, 'confirming', now)) === null)
      return refused('clinicConfirming');
    const told = { patientId: request.patientId, appointment, ignored };
    return (await recordBooked(ports, tx, told, now)) ? outcome : rollBack(refused('slotTaken'));
  });
}

const bookRequest = (appointment: StoredAppointment, reason: string): BookRequest => ({
  ...placeInEmr(appointment),
  recordId: appointment.recordId as RecordId,
  type: appointment.type,
  reason,
});

/** By which key and at which time an EMR has an appointment of ours. */
export function placeInEmr({ id, providerId, start, end }: Span & { readonly id: string }) {
  const from = toClinic(start);
  const to = toClinic(end);
  return {
    key: emrKey(id),
    providerId: providerId as ProviderId,
    date: from.date,
    start: from.time,
    // Midnight ends the day that it is the end of.
    end: to.date === from.date ? to.time : '24:00',
  };
}

/** How the EMR calls an appointment, or null when it never heard of it. */
async function emrIdOf(emr: Emr, appointmentId: string): Promise<EmrAppointmentId | null> {
  const known = await emr.findByKey(emrKey(appointmentId));
  return known && 'id' in known ? known.id : null;
}

/** What staff took in the EMR is nobody's to choose until its own list of that day says more. */
async function giveBack(
  { ids, ...ports }: BookingPorts,
  { id, providerId, clinicDate, start, end }: StoredAppointment,
  why: 'taken' | 'notOffered' | 'offline',
  now: EpochSeconds,
): Promise<void> {
  await transact(ports, async (tx) => {
    const released = await ports.appointments.release(tx, id, now);
    const span = { id: ids.uuid(), sourceId: `taken:${id}`, providerId, clinicDate, start, end };
    if (released && why === 'taken') await addBusySpan(tx, span);
    return { kind: 'released' as const };
  });
}

/** The EMR is asked to cancel it, and asked again until it says that it has it no more. */
const CANCEL_IN_EMR = 'cancel-in-emr';

/** Whatever the EMR still has of it is cancelled there, after the transaction. */
export const enqueueCancelInEmr = (
  { outbox }: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  appointmentId: string,
  dueAt: EpochSeconds,
) => outbox.enqueue(tx, CANCEL_IN_EMR, { appointmentId }, dueAt);

export function cancelWhatIsLeft({ outbox, emr }: Pick<BookingPorts, 'outbox' | 'emr'>): void {
  outbox.handle(CANCEL_IN_EMR, async ({ appointmentId }) => {
    if (emr !== null) await cancelInEmr(emr, String(appointmentId));
  });
}

/** Finds out what became of bookings whose answer from the EMR was lost. */
export async function settleUnknown(ports: BookingPorts, now: EpochSeconds): Promise<void> {
  const { emr } = ports;
  if (emr === null) return;
  const since = now - PATIENCE_SECONDS;
  for (const hold of await ports.appointments.unsettled(ports.database.db, since, MOST_AT_ONCE))
    await settleFromEmr(ports, emr, hold, now);
}

async function settleFromEmr(
  ports: BookingPorts,
  emr: Emr,
  { patientId, ...appointment }: StoredAppointment & { readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<void> {
  const { id } = appointment;
  const known = await writtenIn(emr, id);
  if (known === 'unknown' && now < confirmingUntil(appointment)) return;
  await transact(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, patientId);
    const standing = await ports.appointments.lockAppointment(tx, id);
    if (standing?.state !== 'held' || !standing.confirming) return { kind: 'settled' as const };
    if (known === 'written') {
      // The EMR has it, so it stands even if the one that moved was ended meanwhile.
      await ports.appointments.settle(tx, id, 'confirming', now);
      await recordBooked(ports, tx, { patientId, appointment }, now);
    } else if (await ports.appointments.release(tx, id, now))
      await recordNotBooked(ports, tx, appointment, now);
    return { kind: 'settled' as const };
  });
}

/** Whether the EMR has written an appointment; 'unknown' where it may still do so, or is silent. */
async function writtenIn(emr: Emr, id: string): Promise<'written' | 'refused' | 'unknown'> {
  try {
    const known = await within(id, emr.findByKey(emrKey(id)));
    if (known === null) return 'unknown';
    return 'id' in known ? 'written' : 'refused';
  } catch (error) {
    if (!(error instanceof EmrOffline || error instanceof EmrOutcomeUnknown)) throw error;
    return 'unknown';
  }
}

/** The trail and the e-mail of what the clinic did not confirm, and an end to what it may have of it. */
export async function recordNotBooked(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  { id, sequence }: Pick<StoredAppointment, 'id' | 'sequence'>,
  now: EpochSeconds,
): Promise<void> {
  const subject = `appointment:${id}`;
  const trail = { actor: 'system:emr', action: 'appointment not confirmed', subject, at: now };
  await ports.appendAudit(tx, trail);
  await enqueueEmail(ports, tx, { event: 'notBooked', appointmentId: id, sequence }, now);
  await enqueueCancelInEmr(ports, tx, id, now);
}

/** Cancels an appointment in an EMR that keeps the book. */
export async function cancelInEmr(emr: Emr, appointmentId: string): Promise<void> {
  const id = await emrIdOf(emr, appointmentId);
  if (id) await emr.cancel(`cancel:${appointmentId}`, id);
}

/** The same while its patient waits: they may ask again, and it is cancelled once. */
export const cancelInEmrNow = (emr: Emr, appointmentId: string): Promise<void> =>
  within(appointmentId, cancelInEmr(emr, appointmentId));

/**
 * Books a held and paid appointment in an EMR that keeps the book, outside of any transaction, under
 * the appointment's key. Before it is asked the appointment says that the clinic is confirming; what
 * it may have been asked before is only looked for. False when the EMR does not take it, or its time
 * is over; true when it has it, or the appointment is not held any more.
 */
export async function bookInEmr(
  ports: Pick<BookingPorts, 'appointments' | 'keyring' | 'database'>,
  emr: Emr,
  appointmentId: string,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, database } = ports;
  const confirm = (tx: Tx, { id, holdExpiresAt }: StoredAppointment, confirming: boolean) =>
    appointments.prolongPaying(tx, id, { until: holdExpiresAt ?? now, confirming }, now);
  const appointment = await database.inTransaction(async (tx) => {
    const found = await appointments.lockAppointment(tx, appointmentId);
    if (found?.paying && !found.confirming) await confirm(tx, found, true);
    return found;
  });
  const sealed = await sealedAnswers(database.db, appointmentId);
  if (appointment === null || !appointment.paying || sealed === null) return true;
  if (appointment.confirming) {
    const known = await writtenIn(emr, appointmentId);
    if (known !== 'unknown' || now >= confirmingUntil(appointment)) return known === 'written';
    throw new EmrOutcomeUnknown(emrKey(appointmentId));
  }
  const { reason } = JSON.parse(
    ports.keyring.open(answersContext(appointmentId), sealed),
  ) as ApiAnswers;
  try {
    return 'id' in (await within(appointmentId, emr.book(bookRequest(appointment, reason))));
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) throw error;
    // Nothing was written: it may be asked again while the hold lasts.
    await database.inTransaction((tx) => confirm(tx, appointment, false));
    if (error instanceof EmrOffline && now >= (appointment.holdExpiresAt ?? 0)) return false;
    throw error;
  }
}
