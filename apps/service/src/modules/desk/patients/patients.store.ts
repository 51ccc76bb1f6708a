import {
  type AppointmentState,
  type AppointmentStatus,
  type EpochSeconds,
  doctorName,
  statusOf,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, sql } from '../../../database/db.ts';
import { BOOKED_BY_STAFF, CONSENTS_READ_OUT } from '../../../security/audit.store.ts';
import { APPOINTMENTS, DESK_APPOINTMENTS, FEE_DUE } from '../../appointments/index.ts';
import { PROVIDERS } from '../../records/index.ts';
import { typesNamedTo } from '../../schedule/index.ts';

const MOST_APPOINTMENTS = 100;

export interface ListedAppointment {
  readonly id: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly description: string;
  /** In cents; null where none is to be taken at the clinic, or it was. */
  readonly feeDue: number | null;
  /** Null for a provider whom the clinic no longer lists. */
  readonly provider: string | null;
  readonly state: AppointmentStatus;
  /** When the appointment starts that took the place of one that was moved. */
  readonly movedTo: EpochSeconds | null;
}

/** Which of these appointments staff have booked, and nobody has read the texts out for. */
export async function consentsToRead(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }>(db, 'desk-consents-to-read')`
    select each.id from unnest(${ids}::text[]) as each(id)
     where exists (select from ${BOOKED_BY_STAFF} b where b.subject = 'appointment:' || each.id)
       and not exists (select from ${CONSENTS_READ_OUT} r where r.subject = 'appointment:' || each.id)`;
  return new Set(rows.map(({ id }) => id));
}

/** A record's appointments, the newest first: with the provider `whose`, or with all when it is null. */
export async function appointmentsOfRecord(
  db: Db,
  recordId: string,
  whose: string | null,
  reader: Locale,
): Promise<ListedAppointment[]> {
  type Row = Omit<ListedAppointment, 'provider' | 'state'> & {
    readonly state: AppointmentState;
  } & {
    [Name in 'firstName' | 'lastName']: string | null;
  };
  const rows = await sql<Row>(db, 'desk-appointments-of-record')`
    select c.id, c.start_s as start, c.end_s as "end", c.state,
           coalesce(t.description, c.type) as description,
           ${FEE_DUE} as "feeDue",
           case when c.state = 'rescheduled' then (
             select next.start_s from ${APPOINTMENTS} next
              where next.record_id = c.record_id and next.rescheduled_from = c.id
                and next.was_booked
              limit 1) end as "movedTo",
           r.first_name as "firstName", r.last_name as "lastName"
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
      left join ${PROVIDERS} r on r.id = c.provider_id
     where c.record_id = ${recordId} and c.was_booked
       and (${whose}::text is null or c.provider_id = ${whose}::text)
     order by c.start_s desc, c.id limit ${MOST_APPOINTMENTS}`;
  return rows.map(({ firstName, lastName, ...row }) => ({
    ...row,
    state: statusOf(row.state),
    provider: firstName === null || lastName === null ? null : doctorName({ firstName, lastName }),
  }));
}

/** Counts a record's appointments, and those of them that are booked and lie ahead. */
export async function countsOfRecord(db: Db, recordId: string, now: EpochSeconds) {
  const [counts] = await sql<{ appointments: number; upcoming: number }>(db, 'desk-counts')`
    select count(*)::int as appointments,
           count(*) filter (where c.is_booked and c.start_s > ${now})::int as upcoming
      from ${DESK_APPOINTMENTS} c
     where c.record_id = ${recordId} and c.was_booked`;
  return counts ?? { appointments: 0, upcoming: 0 };
}
