import type { EpochSeconds } from '@clinic/domain';
import { type Db, sql } from '../../database/db.ts';
import { DESK_APPOINTMENTS } from '../appointments/index.ts';
import { PROVIDERS } from '../records/index.ts';
import { APPOINTMENT_TYPES } from '../schedule/index.ts';

/** The types that somebody had, the most frequent first. */
export async function usualTypes(db: Db, patientId: string): Promise<string[]> {
  const rows = await sql<{ type: string }>(db, 'desk-usual-types')`
    select c.type from ${DESK_APPOINTMENTS} c
     where c.patient_id = ${patientId}::uuid
       and c.state in ('booked', 'registered', 'no-show', 'completed')
     group by c.type order by count(*) desc, max(c.start_s) desc`;
  return rows.map(({ type }) => type);
}

interface Upcoming {
  readonly id: string;
  readonly start: EpochSeconds;
  readonly description: string;
  readonly provider: string;
}

export const upcomingOf = (db: Db, patientId: string, now: EpochSeconds): Promise<Upcoming[]> =>
  sql<Upcoming>(db, 'desk-upcoming')`
    select c.id, c.start_s as start, coalesce(t.description, c.type) as description,
           coalesce(r.first_name || ' ' || r.last_name, '') as provider
      from ${DESK_APPOINTMENTS} c
      left join ${APPOINTMENT_TYPES} t on t.code = c.type
      left join ${PROVIDERS} r on r.id = c.provider_id
     where c.patient_id = ${patientId}::uuid and c.state in ('booked', 'registered')
       and c.start_s > ${now}
     order by c.start_s`;

/** Whoever works at the clinic, also who is hidden from patients. */
export const providersAtDesk = (db: Db) =>
  sql<{ id: string; name: string }>(db, 'desk-active-providers')`
    select r.id, r.first_name || ' ' || r.last_name as name from ${PROVIDERS} r
     where r.active order by r.last_name, r.first_name, r.id`;
