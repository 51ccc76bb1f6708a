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

/** Frees the time of one that was moved, now that the EMR has let go of it too. */
export const freeMoved = (tx: Tx, id: string) =>
  sql(tx, 'appointments-free-moved')`
    with gone as (
      update appointment set cancel_asked_at_s = null
       where id = ${id}::uuid and state = 'rescheduled' and cancel_asked_at_s is not null returning id)
    delete from appointment_step where appointment_id in (select id from gone)`;
