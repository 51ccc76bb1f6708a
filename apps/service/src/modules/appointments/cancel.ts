import { standsBooked, whyCannotCancel } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Emr } from '../records/emr.ts';
import { refused } from './appointment.ts';
import type { BookingRefusal, StoredAppointment } from './appointment.ts';
import { recordCancelled, transact } from './changes.ts';
import { type ToCancel, freeMoved, toBeCancelled } from './cancel.store.ts';
import { PATIENCE_SECONDS, cancelInEmr, isUnanswered, within } from './emr.ts';
import type { DayAppointment } from './listed.store.ts';
import type { BookingPorts } from './reserve.ts';

type Cancelled = { readonly kind: 'cancelled' };

/**
 * Cancels an appointment. Repeating it is harmless, and so is cancelling an appointment
 * that was moved: its successor stands. In records that another system keeps, the
 * appointment is cancelled there first; a cancel that we then cannot write is found again by the
 * patient's next try.
 */
export async function cancelAppointment(
  ports: BookingPorts,
  patientId: PatientId,
  id: string,
  now: EpochSeconds,
): Promise<Cancelled | BookingRefusal> {
  const { appointments, parts, config } = ports;
  const { emr } = ports;
  const whyTooOften = async (tx: Tx) => {
    const counted = { what: 'cancellations', rule: config.rates.cancellations } as const;
    const retryAfter = await appointments.retryAfter(tx, patientId, counted, now);
    return retryAfter === null ? null : refused('tooManyRequests', { retryAfter });
  };
  const allowed = await transact(ports, async (tx) => {
    const [, own] = await Promise.all([
      appointments.lockPatient(tx, parts, patientId),
      appointments.standing(tx, patientId, { requestKey: null, ids: [id] }, now),
    ]);
    const outcome = decide(own.find((appointment) => appointment.id === id) ?? null, now);
    // Before the records are told, which is not taken back.
    if (outcome.kind !== 'cancel' || emr === null) return outcome;
    return (await whyTooOften(tx)) ?? outcome;
  });
  if (allowed.kind !== 'cancel') return allowed;
  if (emr !== null) await within(id, cancelInEmr(emr, id));
  return transact<Cancelled>(ports, async (tx) => {
    await appointments.lockPatient(tx, parts, patientId);
    const why = emr === null ? await whyTooOften(tx) : null;
    if (why) return why;
    await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' };
  });
}

function decide(
  appointment: StoredAppointment | null,
  now: EpochSeconds,
): Cancelled | { readonly kind: 'cancel' } | BookingRefusal {
  if (appointment === null || appointment.state === 'held' || appointment.state === 'released')
    return refused('notFound');
  if (appointment.state === 'cancelled' || appointment.state === 'rescheduled')
    return { kind: 'cancelled' };
  const why = whyCannotCancel(appointment, now);
  return why === null ? { kind: 'cancel' } : refused('notCancellable');
}

/**
 * the clinic gives an appointment up, whatever the hour and the fee. What was paid for it is
 * not kept: the payments sweeper gives it back in full. False when the appointment stood no more.
 */
export async function cancelByClinic(
  ports: BookingPorts,
  { id, patientId }: Pick<DayAppointment, 'id' | 'patientId'>,
  { actor, now }: Who,
): Promise<boolean> {
  const { emr } = ports;
  if (emr !== null) {
    const standing = await ports.database.inTransaction((tx) =>
      ports.appointments.lockAppointment(tx, id),
    );
    if (standing === null || !standsBooked(standing)) return false;
    if (!(await cancelInEmr(emr, id))) return false;
  }
  const outcome = await transact(ports, async (tx) => {
    if (patientId !== null) await ports.appointments.lockPatient(tx, ports.parts, patientId);
    const ended = await recordCancelled(ports, tx, { id, patientId, actor, byClinic: true }, now);
    return { kind: ended ? ('cancelled' as const) : ('gone' as const) };
  });
  return outcome.kind === 'cancelled';
}

/** Takes a hold back that nobody pays for; false when it was gone or is under way. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId, underWay }: DayAppointment,
  { actor, now }: Who,
): Promise<boolean> {
  if (patientId === null || underWay) return false;
  const outcome = await transact(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, patientId);
    const standing = await ports.appointments.lockAppointment(tx, id);
    if (standing?.state !== 'held' || standing.paying || standing.confirming)
      return { kind: 'gone' as const };
    await ports.appointments.release(tx, id, now);
    const subject = `appointment:${id}`;
    await ports.appendAudit(tx, { actor, action: 'hold released', subject, at: now });
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}

const MOST_AT_ONCE = 100;

/** Has the EMR cancel what it has not cancelled yet. While it does not answer, all stays as it was. */
export async function finishCancelling(ports: BookingPorts, now: EpochSeconds): Promise<void> {
  const { emr, database } = ports;
  if (emr === null) return;
  const since = now - PATIENCE_SECONDS;
  for (const each of await toBeCancelled(database.db, since, MOST_AT_ONCE))
    if ((await letGo(ports, emr, each)) === 'unanswered') return;
}

/** Has the EMR cancel an appointment that was moved, and frees its time. */
export async function letGo(
  { database }: BookingPorts,
  emr: Emr,
  { id }: Pick<ToCancel, 'id'>,
): Promise<'gone' | 'unanswered'> {
  try {
    // Whom staff have seen there or noted as missed they keep.
    await within(id, cancelInEmr(emr, id));
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return 'unanswered';
  }
  await database.inTransaction((tx) => freeMoved(tx, id));
  return 'gone';
}
