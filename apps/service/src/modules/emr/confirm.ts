import { confirmingUntil, isConfirming, isPaying } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline, EmrOutcomeUnknown, EmrRefused, isOfEmr } from '../records/emr.ts';
import { bookWithTimeout, refuseTime } from '../records/index.ts';
import type { BookingReached, Emr, RecordId } from '../records/emr.ts';
import {
  type AskEmr,
  type BookedAppointment,
  type BookingPorts,
  type BookingRefusal,
  type EmrBookingResult,
  type StoredAppointment,
  addBusySpan,
  openedAnswers,
  recordBooked,
  recordNotBooked,
  recordOfAppointment,
  refusal,
  sealedAnswers,
  assignFreedTimeSteps,
  transact,
  unsentUntil,
  ownerOf,
} from '../appointments/index.ts';
import { type StaffChange, appointmentIdOf, emrKey, placeInEmr, staffCameFirst } from './entry.ts';
import { applyStaffChange } from './apply-staff-change.ts';
import { TIMEOUT_SECONDS, nullOnFailure, unclearOnFailure } from './emr-calls.ts';

const MOST_AT_ONCE = 100;

/** The record of the appointment that a key in the EMR names; null when it names no appointment here. */
export async function recordNamedBy(db: Db, key: string): Promise<RecordId | null> {
  const id = appointmentIdOf(key);
  return id === null ? null : ((await recordOfAppointment(db, id)) as RecordId | null);
}

/** A hold of which the EMR was asked nothing yet. */
interface Unasked {
  readonly asking: ReturnType<typeof askingFor>;
  readonly reason: string;
  /** The appointment that moves to it. */
  readonly moves: StoredAppointment | null;
}

/** `change`: what staff had already done to the appointment that was to move. */
type Answer = EmrBookingResult & { readonly change?: StaffChange };

/**
 * Has the EMR book a hold that is marked as confirming, outside of any transaction, under the appointment's
 * key (docs/emr.md). Without `unasked`, only asks what became of it. Throws where the EMR was sent nothing or
 * wrote nothing: it may be asked again while the hold lasts.
 */
async function confirm(
  ports: Pick<BookingPorts, 'database' | 'ids'>,
  emr: Emr,
  appointment: StoredAppointment,
  unasked: Unasked | null,
  now: EpochSeconds,
): Promise<Answer> {
  const { id } = appointment;
  if (unasked === null) {
    const known = await nullOnFailure(id, () => emr.resolve(emrKey(id)));
    if (known !== null && known !== 'cancelled') return { kind: 'booked' };
    const isOver = known === 'cancelled' || now >= confirmingUntil(appointment);
    return isOver ? { kind: 'refused', why: 'notConfirmed' } : { kind: 'unknown' };
  }
  const { asking, reason, moves } = unasked;
  const recordId = appointment.recordId as RecordId;
  const request = { ...placeInEmr(appointment), recordId, type: appointment.type, reason };
  const book = async (reached: BookingReached) => {
    if (moves) await reached('asking');
    const change = moves && staffCameFirst(moves, await emr.findByKey(emrKey(moves.id)));
    return change ? { kind: 'changed' as const, change } : emr.book(request, reached);
  };
  try {
    const answer = await bookWithTimeout({ book, ...asking });
    if ('id' in answer) return { kind: 'booked' };
    if (answer.kind === 'notOffered') await refuseTime(ports.database, appointment);
    if (answer.kind === 'taken') await noteTaken(ports, appointment);
    return { ...answer, kind: 'refused', why: answer.kind };
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return { kind: 'unknown' };
    throw error;
  }
}

/** Books the held slot in the EMR and then here. A refusal frees the slot; an unknown outcome keeps it. */
export async function confirmReserved(
  ports: BookingPorts,
  { emr, patientId, answers, result: outcome, oldAppointment: moves, ignored }: AskEmr,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const { appointment } = outcome;
  const asking = askingFor(ports, appointment.id, now);
  const unasked = { asking, reason: answers.reason.trim(), moves };
  const answer = await confirm(ports, emr, appointment, unasked, now).catch(async (error) => {
    // The patient keeps the hold, and may ask again while it lasts.
    await asking.unwritten();
    throw error;
  });
  if (answer.kind === 'unknown') return refusal('clinicConfirming');
  if (answer.kind === 'booked') {
    const landed = await bookConfirmed(ports, { patientId, appointment, ignored }, now);
    if (landed.kind !== 'booked')
      return refusal(landed.kind === 'gone' ? 'clinicConfirming' : 'changedByClinic');
    return { ...outcome, appointment: { ...appointment, paidNow: landed.paidNow } };
  }
  const isOurs = await asking.unwritten();
  // The time stays held while the patient's record is opened.
  if (answer.why === 'noRecord') return refusal('recordMissing');
  if (isOurs)
    await transact(ports, async (tx) => {
      await ports.appointments.release(tx, appointment.id, now);
      // What staff took has the time from now on.
      await assignFreedTimeSteps(tx, now);
      return { kind: 'released' as const };
    });
  if (!moves || !answer.change)
    return refusal(answer.why === 'taken' ? 'slotTaken' : 'slotNotOffered');
  await applyStaffChange(ports, { ...moves, patientId }, answer.change, now);
  return refusal('changedByClinic');
}

/**
 * A hold that this process has marked as confirming: it is the process's own until `unsentUntil`, in which
 * time the write must begin, and for as long as it takes once that was noted. So a process that dies before
 * leaves a hold of which everybody knows that nothing was sent (`freeUnsent`).
 */
function askingFor(
  { database, appointments }: Pick<BookingPorts, 'database' | 'appointments'>,
  id: string,
  now: EpochSeconds,
) {
  const hold = { id, unsentUntil: unsentUntil(now) as EpochSeconds | null };
  return {
    key: emrKey(id),
    async noteWrite(): Promise<void> {
      // At a second address the EMR is asked anew.
      if (hold.unsentUntil === null) return;
      if (!(await database.inTransaction((tx) => appointments.noteWrite(tx, hold))))
        throw new EmrOffline('Nobody waits for this booking any more');
      hold.unsentUntil = null;
    },
    /** False where the hold is no longer this process's. */
    unwritten: () => database.inTransaction((tx) => appointments.unconfirm(tx, hold, now)),
  };
}

/** Frees at once the holds of which the EMR was sent nothing before the process that asked was gone. */
export async function freeUnsent(
  { appointments, database }: Pick<BookingPorts, 'appointments' | 'database'>,
  now: EpochSeconds,
): Promise<void> {
  for (const hold of await appointments.unsent(database.db, now, MOST_AT_ONCE))
    await database.inTransaction((tx) => appointments.unconfirm(tx, hold, now));
}

interface Written {
  readonly patientId: PatientId | null;
  readonly appointment: StoredAppointment;
  readonly ignored?: readonly string[];
}

type Landed =
  { readonly kind: 'booked'; readonly paidNow: number } | { readonly kind: 'ended' | 'gone' };

/**
 * Books here what the EMR has booked. 'ended' when the appointment to move was ended meanwhile: then
 * the new one is booked neither here nor in the EMR. 'gone' when the hold no longer awaits the EMR.
 */
async function bookConfirmed(
  ports: BookingPorts,
  { appointment, ...written }: Written,
  now: EpochSeconds,
): Promise<Landed> {
  const { appointments, parts } = ports;
  const landed = await transact<Landed>(ports, async (tx, rollBack) => {
    await appointments.lockPatient(tx, parts, ownerOf({ ...appointment, ...written }));
    const held = await appointments.bookHeld(tx, parts, appointment.id, 'confirming', now);
    if (held === null) return { kind: 'gone' };
    const booked = await recordBooked(ports, tx, { ...written, appointment }, now);
    return booked ? { kind: 'booked', paidNow: held.paidNow } : rollBack({ kind: 'ended' });
  });
  if (landed.kind === 'ended') await notBooked(ports, { ...written, appointment }, now);
  return landed.kind === 'refused' ? { kind: 'gone' } : landed;
}

/** Releases a hold that the EMR does not confirm, and tells its patient. */
async function notBooked(
  ports: BookingPorts,
  { patientId, appointment }: Written,
  now: EpochSeconds,
): Promise<void> {
  await transact(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, ownerOf({ ...appointment, patientId }));
    const standing = await ports.appointments.lockAppointment(tx, ports.parts, appointment.id);
    const isAwaited = standing !== null && isConfirming(standing);
    if (isAwaited && (await ports.appointments.release(tx, appointment.id, now)))
      await recordNotBooked(ports, tx, { ...appointment, patientId }, now);
    return { kind: 'released' as const };
  });
}

/**
 * Blocks a time that staff took in the EMR, until the EMR's own list of that day is kept. It gets the time
 * once the hold is released.
 */
const noteTaken = (
  { database, ids }: Pick<BookingPorts, 'database' | 'ids'>,
  { id, providerId, clinicDate, start, end }: StoredAppointment,
) => {
  const span = { id: ids.uuid(), sourceId: `taken:${id}`, providerId, clinicDate, start, end };
  return database.inTransaction((tx) => addBusySpan(tx, span));
};

/** Finds out what became of bookings whose answer from the EMR was lost. */
export async function resolveUnknown(
  ports: BookingPorts & Pick<Platform, 'log'>,
  now: EpochSeconds,
): Promise<void> {
  const { emr, database, parts, appointments } = ports;
  if (emr === null) return;
  const since = now - TIMEOUT_SECONDS;
  for (const hold of await appointments.awaitingEmr(database.db, parts, since, MOST_AT_ONCE))
    await unclearOnFailure(ports, async () => {
      const { kind } = await confirm(ports, emr, hold, null, now);
      const { patientId, ...appointment } = hold;
      if (kind === 'booked') await bookConfirmed(ports, { patientId, appointment }, now);
      if (kind === 'refused') await notBooked(ports, { patientId, appointment }, now);
    });
}

/**
 * Has the EMR book a held and paid appointment. Marks it as confirming before it asks; if it was marked
 * before, the EMR may have been asked, and is only asked what became of it. 'booked' also when it is no longer
 * held for the payment.
 */
export async function confirmPaid(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'keyring' | 'database' | 'ids'>,
  emr: Emr,
  id: string,
  now: EpochSeconds,
): Promise<EmrBookingResult> {
  const { appointments, database, keyring } = ports;
  const asking = askingFor(ports, id, now);
  const appointment = await database.inTransaction(async (tx) => {
    const found = await appointments.lockAppointment(tx, ports.parts, id);
    if (found && isPaying(found) && !isConfirming(found))
      await appointments.confirmPaying(tx, id, now);
    return found;
  });
  const sealed = await sealedAnswers(database.db, id);
  if (appointment === null || !isPaying(appointment) || sealed === null) return { kind: 'booked' };
  const unasked = isConfirming(appointment)
    ? null
    : { asking, reason: openedAnswers(keyring, id, sealed).reason, moves: null };
  try {
    return await confirm(ports, emr, appointment, unasked, now);
  } catch (error) {
    // It stays marked as confirming, so that the patient is told that it is not booked. What was refused may
    // be refused for hours: they are not told for as long that the clinic is confirming.
    const isOver = now >= (appointment.holdExpiresAt ?? 0);
    if (error instanceof EmrRefused || (isOfEmr(error) && isOver))
      return { kind: 'refused', why: 'notConfirmed' };
    // It may be asked again while the hold lasts.
    if (unasked) await asking.unwritten();
    if (isOfEmr(error)) return { kind: 'unknown' };
    throw error;
  }
}
