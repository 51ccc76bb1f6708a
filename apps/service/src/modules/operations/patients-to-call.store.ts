import type { EpochSeconds } from '@clinic/domain';
import { type Db, sql } from '../../database/db.ts';
import { APPOINTMENTS } from '../appointments/index.ts';
import { PATIENT_EMAILS } from '../accounts/index.ts';

/** An appointment about which a patient was told something, and how to reach the patient. */
export interface ToldSince {
  readonly changedAt: EpochSeconds;
  readonly start: EpochSeconds;
  readonly state: 'booked' | 'registered' | 'cancelled' | 'rescheduled';
  readonly recordId: string;
  /** Null when the record has no account. */
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/**
 * The patients to call when the database is to be restored to `since`: the restored database lacks what
 * they were told of appointments since then. Run this before the restore.
 */
export const toldSince = (db: Db, since: EpochSeconds): Promise<ToldSince[]> =>
  sql<ToldSince>(db)`
    select a.changed_at_s as "changedAt", a.start_s as start, a.state, a.record_id as "recordId",
           p.first_name || ' ' || p.last_name as name, p.phone, p.email
      from ${APPOINTMENTS} a left join ${PATIENT_EMAILS} p on p.id = a.patient_id
     where a.changed_at_s >= ${since}
       and a.state in ('booked', 'registered', 'cancelled', 'rescheduled')
     order by a.changed_at_s, a.start_s`;
