import type { ApiAnswers } from '@clinic/contract';
import { confirmingUntil, isConfirming, isPaying } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline, EmrOutcomeUnknown, EmrRefused, isOfEmr } from '../records/emr.ts';
import { bookInTime, refuseTime } from '../records/index.ts';
import type { BookAnswer, BookRequest, BookingReached, Emr, RecordId } from '../records/emr.ts';
import {
  type AskEmr,
  type BookedAppointment,
  type BookingPorts,
  type BookingRefusal,
  type StoredAppointment,
  addBusySpan,
  answersContext,
  recordBooked,
  recordNotBooked,
  recordOfAppointment,
  refused,
  sealedAnswers,
  transact,
  unsentUntil,
  whoseOf,
} from '../appointments/index.ts';
import {
  type StaffChange,
  appointmentNamedBy,
  emrKey,
  placeInEmr,
  staffCameFirst,
} from './entry.ts';
import { followStaff } from './follow.ts';
import { PATIENCE_SECONDS, answerOn, orUnclear } from './asking.ts';

const MOST_AT_ONCE = 100;
/** The record of the appointment that a key in the EMR names; null when it names none of ours. */
export async function recordNamedBy(db: Db, key: string): Promise<RecordId | null> {
  const id = appointmentNamedBy(key);
  return id === null ? null : ((await recordOfAppointment(db, id)) as RecordId | null);
}

/**
 * Books the held slot in an EMR that keeps the book itself (docs/emr.md): outside of any
 * transaction, under the appointment's key. 'taken' frees the slot; an unknown outcome keeps it,
 * and the sweeper finds out what became of it.
 */
export async function askEmr(
  ports: BookingPorts,
  { emr, patientId, answers, outcome, moves, ignored }: AskEmr,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const { appointment } = outcome;
  const asking = askingFor(ports, appointment.id, now);
  const book = async (reached: BookingReached): Promise<BookAnswer | Changed> => {
    if (moves) await reached('asking');
    const change = moves && staffCameFirst(moves, await emr.findByKey(emrKey(moves.id)));
    if (change) return { kind: 'changed', change };
    return emr.book(bookRequest(appointment, answers.reason.trim()), reached);
  };
  let answer: BookAnswer | Changed;
  try {
    answer = await bookInTime({ book, ...asking });
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return refused('clinicConfirming');
    // Nothing was written: the patient keeps the hold, and may ask again while it lasts.
    await asking.unwritten();
    throw error;
  }
  if ('id' in answer) {
    const settled = await settleBooked(ports, { patientId, appointment, ignored }, now);
    if (settled.kind !== 'booked')
      return refused(settled.kind === 'gone' ? 'clinicConfirming' : 'changedByClinic');
    return { ...outcome, appointment: { ...appointment, paidNow: settled.paidNow } };
  }
  if (answer.kind === 'noRecord') {
    // The time stays held while the patient's record is opened.
    await asking.unwritten();
    return refused('recordMissing');
  }
  if (await asking.unwritten()) await giveBack(ports, appointment, answer.kind, now);
  if (answer.kind !== 'changed')
    return refused(answer.kind === 'taken' ? 'slotTaken' : 'slotNotOffered');
  if (moves) await followStaff(ports, { ...moves, patientId }, answer.change, now);
  return refused('changedByClinic');
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

/** Staff had already changed the appointment that was to move. */
interface Changed {
  readonly kind: 'changed';
  readonly change: StaffChange;
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
async function settleBooked(
  ports: BookingPorts,
  { appointment, ...written }: Written,
  now: EpochSeconds,
): Promise<Landed> {
  const { appointments, parts } = ports;
  const landed = await transact<Landed>(ports, async (tx, rollBack) => {
    await appointments.lockPatient(tx, parts, whoseOf({ ...appointment, ...written }));
    const settled = await appointments.settle(tx, parts, appointment.id, 'confirming', now);
    if (settled === null) return { kind: 'gone' };
    const booked = await recordBooked(ports, tx, { ...written, appointment }, now);
    return booked ? { kind: 'booked', paidNow: settled.paidNow } : rollBack({ kind: 'ended' });
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
    await ports.appointments.lockPatient(tx, ports.parts, whoseOf({ ...appointment, patientId }));
    const standing = await ports.appointments.lockAppointment(tx, ports.parts, appointment.id);
    const isAwaited = standing !== null && isConfirming(standing);
    if (isAwaited && (await ports.appointments.release(tx, appointment.id, now)))
      await recordNotBooked(ports, tx, { ...appointment, patientId }, now);
    return { kind: 'released' as const };
  });
}

const bookRequest = (appointment: StoredAppointment, reason: string): BookRequest => ({
  ...placeInEmr(appointment),
  recordId: appointment.recordId as RecordId,
  type: appointment.type,
  reason,
});

async function giveBack(
  ports: BookingPorts,
  appointment: StoredAppointment,
  why: 'taken' | 'notOffered' | 'changed',
  now: EpochSeconds,
): Promise<void> {
  await transact(ports, async (tx) => {
    const released = await ports.appointments.release(tx, appointment.id, now);
    if (released && why === 'taken') await noteTaken(ports, tx, appointment);
    return { kind: 'released' as const };
  });
  if (why === 'notOffered') await refuseTime(ports.database, appointment);
}

/** Blocks a time that staff took in the EMR, until the EMR's own list of that day is kept. */
const noteTaken = (
  { ids }: Pick<BookingPorts, 'ids'>,
  tx: Tx,
  { id, providerId, clinicDate, start, end }: StoredAppointment,
) =>
  addBusySpan(tx, { id: ids.uuid(), sourceId: `taken:${id}`, providerId, clinicDate, start, end });

/** Finds out what became of bookings whose answer from the EMR was lost. */
export async function settleUnknown(
  ports: BookingPorts & Pick<Platform, 'log'>,
  now: EpochSeconds,
): Promise<void> {
  const { emr } = ports;
  if (emr === null) return;
  const since = now - PATIENCE_SECONDS;
  for (const hold of await ports.appointments.unsettled(
    ports.database.db,
    ports.parts,
    since,
    MOST_AT_ONCE,
  ))
    await orUnclear(ports, () => settleFromEmr(ports, emr, hold, now));
}

async function settleFromEmr(
  ports: BookingPorts,
  emr: Emr,
  { patientId, ...appointment }: StoredAppointment & Pick<Written, 'patientId'>,
  now: EpochSeconds,
): Promise<void> {
  const known = await writtenIn(emr, appointment.id);
  if (known === 'written') await settleBooked(ports, { patientId, appointment }, now);
  else if (known === 'refused' || now >= confirmingUntil(appointment))
    await notBooked(ports, { patientId, appointment }, now);
}

/** Whether the EMR has written an appointment; 'unknown' where it may still do so, or is silent. */
async function writtenIn(emr: Emr, id: string): Promise<'written' | 'refused' | 'unknown'> {
  try {
    const known = await answerOn(id, emr.settle(emrKey(id)));
    if (known === null) return 'unknown';
    return known === 'cancelled' ? 'refused' : 'written';
  } catch (error) {
    if (!isOfEmr(error)) throw error;
    return 'unknown';
  }
}

/**
 * Books a held and paid appointment in an EMR that keeps the book, outside of any transaction, under
 * the appointment's key. Marks the appointment as confirming before it asks; if it was marked before,
 * the EMR may have been asked, and is only asked what became of it. 'notBooked' when the EMR does not
 * book it or the time is over; 'booked' also when it is no longer held for the payment.
 */
export async function bookInEmr(
  ports: Pick<BookingPorts, 'appointments' | 'parts' | 'keyring' | 'database' | 'ids'>,
  emr: Emr,
  appointmentId: string,
  now: EpochSeconds,
): Promise<'booked' | 'notBooked' | 'noRecord'> {
  const { appointments, database } = ports;
  const asking = askingFor(ports, appointmentId, now);
  const appointment = await database.inTransaction(async (tx) => {
    const found = await appointments.lockAppointment(tx, ports.parts, appointmentId);
    if (found && isPaying(found) && !isConfirming(found))
      await appointments.confirmPaying(tx, found.id, now);
    return found;
  });
  const sealed = await sealedAnswers(database.db, appointmentId);
  if (appointment === null || !isPaying(appointment) || sealed === null) return 'booked';
  if (isConfirming(appointment)) {
    const known = await writtenIn(emr, appointmentId);
    if (known !== 'unknown' || now >= confirmingUntil(appointment))
      return known === 'written' ? 'booked' : 'notBooked';
    throw new EmrOutcomeUnknown(emrKey(appointmentId));
  }
  const { reason } = JSON.parse(
    ports.keyring.open(answersContext(appointmentId), sealed),
  ) as ApiAnswers;
  let answer: BookAnswer;
  try {
    const request = bookRequest(appointment, reason);
    answer = await bookInTime({ book: (reached) => emr.book(request, reached), ...asking });
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) throw error;
    // It stays marked as confirming, so that the patient is told that it is not booked. What was refused may
    // be refused for hours: they are not told for as long that the clinic is confirming.
    const isOver = now >= (appointment.holdExpiresAt ?? 0);
    if (error instanceof EmrRefused || (isOfEmr(error) && isOver)) return 'notBooked';
    // Nothing was written: it may be asked again while the hold lasts.
    await asking.unwritten();
    throw error;
  }
  if (answer.kind === 'notOffered') await refuseTime(database, appointment);
  // The span gets the time once the payment's next step releases the hold.
  if (answer.kind === 'taken')
    await database.inTransaction((tx) => noteTaken(ports, tx, appointment));
  if (answer.kind === 'noRecord') return 'noRecord';
  return 'id' in answer ? 'booked' : 'notBooked';
}
