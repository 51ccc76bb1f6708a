import type { ApiAnswers } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { EpochSeconds, Span } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOutcomeUnknown } from '../records/emr.ts';
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
import { sealedAnswers } from './listed.store.ts';
import { recordBooked, transact } from './changes.ts';
import type { BookingPorts } from './reserve.ts';

const MOST_AT_ONCE = 100;
/** The request that asked the EMR may still be waiting for it. */
const PATIENCE_SECONDS = 60;

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
  let answer: BookAnswer;
  try {
    const to = bookRequest(appointment, request.answers.reason.trim());
    const old = moves && (await emrIdOf(emr, moves.id));
    answer = await (old ? emr.move(to.key, old, to) : emr.book(to));
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return refused('clinicConfirming');
    await giveBack(ports, appointment.id, now);
    throw error;
  }
  if (answer.kind === 'taken' || answer.kind === 'notOffered') {
    await giveBack(ports, appointment.id, now);
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

async function giveBack(
  ports: BookingPorts,
  appointmentId: string,
  now: EpochSeconds,
): Promise<void> {
  await transact(ports, async (tx) => {
    await ports.appointments.release(tx, appointmentId, now);
    return { kind: 'released' as const };
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
  const known = await emr.findByKey(emrKey(appointment.id));
  if (known === null || known.kind === 'taken' || known.kind === 'notOffered')
    return giveBack(ports, appointment.id, now);
  await transact(ports, async (tx) => {
    // The EMR has it, so it stands even if the one that moved was ended meanwhile.
    if ((await ports.appointments.settle(tx, appointment.id, 'confirming', now)) !== null)
      await recordBooked(ports, tx, { patientId, appointment }, now);
    return { kind: 'settled' as const };
  });
}

/** Cancels an appointment in an EMR that keeps the book. */
export async function cancelInEmr(emr: Emr, appointmentId: string): Promise<void> {
  const id = await emrIdOf(emr, appointmentId);
  if (id) await emr.cancel(`cancel:${appointmentId}`, id);
}

/**
 * Books a held and paid appointment in an EMR that keeps the book, outside of any transaction, under
 * the appointment's key: repeating it is harmless. False when the EMR does not take it; true when it
 * has it, or the appointment is not held any more.
 */
export async function bookInEmr(
  ports: Pick<BookingPorts, 'appointments' | 'keyring' | 'database'>,
  emr: Emr,
  appointmentId: string,
): Promise<boolean> {
  const appointment = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, appointmentId),
  );
  const sealed = await sealedAnswers(ports.database.db, appointmentId);
  if (appointment === null || !appointment.paying || sealed === null) return true;
  const { reason } = JSON.parse(
    ports.keyring.open(answersContext(appointmentId), sealed),
  ) as ApiAnswers;
  const answer = await emr.book(bookRequest(appointment, reason));
  return answer.kind === 'booked' || answer.kind === 'alreadyBooked';
}
