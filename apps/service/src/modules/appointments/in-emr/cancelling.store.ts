import type { EpochSeconds } from '@clinic/domain';

import { type Db, type Tx, hasRows, sql } from '../../../database/db.ts';
import type { LaterParts } from '../../../platform.ts';
import type { AccountRef, StoredAppointment } from '../appointment.ts';
import { own } from '../state-columns.store.ts';
import { storedColumns } from '../store.ts';

/** An appointment that the EMR is to cancel, with its patient. */
export type ToCancel = StoredAppointment & AccountRef;

/** Appointments that the EMR has been due to cancel since `since` or earlier, the oldest first. */
export const toBeCancelled = (db: Db, parts: LaterParts, since: EpochSeconds, most: number) =>
  sql<ToCancel>(db, 'appointments-to-be-cancelled')`
    select ${storedColumns(parts)}, c.patient_id as "patientId" from appointment c
     where c.cancel_asked_at_s <= ${since} order by c.cancel_asked_at_s limit ${most}`;

/**
 * Records that an appointment is to be cancelled at the patient's wish: it keeps its time until the EMR
 * confirms. False when that was recorded before, or the appointment has ended.
 */
export const askToCancel = (tx: Tx, id: string, now: EpochSeconds): Promise<boolean> =>
  hasRows(sql(tx, 'appointments-ask-to-cancel')`
    update appointment c set cancel_asked_at_s = ${now}
     where c.id = ${id}::uuid and ${own.isBooked} and c.cancel_asked_at_s is null
    returning c.id`);

/**
 * Drops the patient's pending cancellation of a booked appointment. Returns the appointment's
 * calendar sequence, or null when no cancellation was pending.
 */
export async function stopCancelling(tx: Tx, id: string): Promise<number | null> {
  const [row] = await sql<{ sequence: number }>(tx, 'appointments-stop-cancelling')`
    update appointment c set cancel_asked_at_s = null
     where c.id = ${id}::uuid and ${own.isBooked} and c.cancel_asked_at_s is not null
    returning c.sequence`;
  return row?.sequence ?? null;
}

/** Whether the EMR has ended what it had booked for a hold that was given up. */
export const isEndedInEmr = (db: Db, id: string): Promise<boolean> =>
  hasRows(sql(db, 'appointments-ended-in-emr')`
    select from appointment where id = ${id}::uuid and emr_ended_at_s is not null`);

export const noteEndedInEmr = (tx: Tx, id: string, now: EpochSeconds) =>
  sql(tx, 'appointments-note-ended-in-emr')`
    update appointment c set emr_ended_at_s = ${now}
     where c.id = ${id}::uuid and ${own.isReleased} and c.emr_ended_at_s is null`;

/** Frees the time of an appointment that was moved, now that the EMR has cancelled it too. */
export const freeMoved = (tx: Tx, id: string) =>
  sql(tx, 'appointments-free-moved')`
    with gone as (
      update appointment c set cancel_asked_at_s = null
       where c.id = ${id}::uuid and ${own.is('rescheduled')} and c.cancel_asked_at_s is not null returning c.id)
    delete from appointment_step where appointment_id in (select id from gone)`;
