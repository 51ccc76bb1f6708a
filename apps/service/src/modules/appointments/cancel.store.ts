import type { EpochSeconds } from '@clinic/domain';

import { type Db, type Tx, sql } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { StoredAppointment } from './appointment.ts';
import { READ_COLUMNS } from './store.ts';

/** An appointment that the EMR is to cancel, and whose it is. */
export interface ToCancel extends StoredAppointment {
  readonly patientId: PatientId;
}

/** What the EMR has been to cancel since before then. */
export const toBeCancelled = (db: Db, since: EpochSeconds, most: number) =>
  sql<ToCancel>(db, 'appointments-to-be-cancelled')`
    select ${READ_COLUMNS}, c.patient_id as "patientId" from appointment c
     where c.cancel_asked_at_s <= ${since} order by c.cancel_asked_at_s limit ${most}`;

/** Keeps that its patient has cancelled it: it stands, with its time, until the EMR has it. */
export const askToCancel = (tx: Tx, id: string, now: EpochSeconds) =>
  sql(tx, 'appointments-ask-to-cancel')`
    update appointment set cancel_asked_at_s = ${now}
     where id = ${id}::uuid and state in ('booked', 'registered') and cancel_asked_at_s is null`;

/**
 * Forgets that its patient has cancelled one that stands. Gives its number in calendars, or null
 * when they had not.
 */
export async function stopCancelling(tx: Tx, id: string): Promise<number | null> {
  const [row] = await sql<{ sequence: number }>(tx, 'appointments-stop-cancelling')`
    update appointment set cancel_asked_at_s = null
     where id = ${id}::uuid and state in ('booked', 'registered') and cancel_asked_at_s is not null
    returning sequence`;
  return row?.sequence ?? null;
}

/** Frees the time of one that was moved, now that the EMR has let go of it too. */
export const freeMoved = (tx: Tx, id: string) =>
  sql(tx, 'appointments-free-moved')`
    with gone as (
      update appointment set cancel_asked_at_s = null
       where id = ${id}::uuid and state = 'rescheduled' and cancel_asked_at_s is not null returning id)
    delete from appointment_step where appointment_id in (select id from gone)`;
