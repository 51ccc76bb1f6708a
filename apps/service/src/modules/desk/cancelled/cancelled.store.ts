import { type ClinicDate, type EpochSeconds, addDays, startOfDay } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, sql } from '../../../database/db.ts';
import { ACCOUNTS, PATIENT_EMAILS } from '../../accounts/index.ts';
import { BUSY_SPANS, DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { CONTACT_NUMBERS } from '../../patients/index.ts';
import { PROVIDERS, RECORDS, TEMPLATES } from '../../records/index.ts';
import { PROVIDER_POLICIES, typesNamedTo } from '../../schedule/index.ts';

interface CancelledRow {
  readonly id: string;
  readonly recordId: string;
  readonly patient: string;
  readonly type: string;
  readonly description: string;
  readonly providerId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly date: ClinicDate;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly cancelledAt: EpochSeconds;
  /** The slot codes of its day; null where its provider works then no more. */
  readonly codes: string | null;
  /** Somebody else has some of its time. */
  readonly isTaken: boolean;
}

/** The cancelled appointments of a day, and of later days those that were cancelled on it, in order of time. */
export const cancelledRows = (
  db: Db,
  date: ClinicDate,
  whose: string | null,
  now: EpochSeconds,
  reader: Locale,
): Promise<CancelledRow[]> =>
  sql<CancelledRow>(db, 'desk-cancelled')`
    select c.id, c.record_id as "recordId", c.type, coalesce(t.description, c.type) as description,
           coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient,
           c.provider_id as "providerId", coalesce(d.first_name, '') as "firstName",
           coalesce(d.last_name, '') as "lastName", c.clinic_date::text as date, c.start_s as start,
           c.end_s as "end", c.changed_at_s as "cancelledAt",
           case when b.bookable then w.codes end as codes,
           exists (select from ${DESK_APPOINTMENTS} o
                    where o.provider_id = c.provider_id and o.clinic_date = c.clinic_date
                      and o.start_s < c.end_s and o.end_s > c.start_s
                      and ((o.kept_its_time and o.state <> 'noShow') or o.is_under_way
                           or (o.may_lapse and o.hold_expires_at_s > ${now})))
           or exists (select from ${BUSY_SPANS} o
                       where o.provider_id = c.provider_id and o.clinic_date = c.clinic_date
                         and o.start_s < c.end_s and o.end_s > c.start_s) as "isTaken"
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
      left join ${PATIENT_EMAILS} p on p.id = c.patient_id
      left join ${RECORDS} r on r.id = c.record_id
      left join ${PROVIDERS} d on d.id = c.provider_id
      left join ${PROVIDER_POLICIES} b on b.provider_id = c.provider_id
      left join ${TEMPLATES} w on w.provider_id = c.provider_id and w.clinic_date = c.clinic_date
     where c.state = 'cancelled' and c.was_booked
       and (${whose}::text is null or c.provider_id = ${whose}::text)
       and (c.clinic_date = ${date}::date
            or (c.clinic_date > ${date}::date and c.changed_at_s >= ${startOfDay(date)}
                and c.changed_at_s < ${startOfDay(addDays(date, 1))}))
     order by c.start_s, c.id`;

interface CallRow {
  readonly recordId: string;
  readonly name: string;
  readonly phone: string | null;
}

/** The names of records, and whom to call first. */
export const toCall = (db: Db, recordIds: readonly string[]): Promise<CallRow[]> =>
  sql<CallRow>(db, 'desk-to-call')`
    select r.id as "recordId", r.last_name || ', ' || r.first_name as name,
           coalesce((select n.number from ${CONTACT_NUMBERS} n
                      where n.record_id = r.id and (n.preferred or p.phone is null)
                      order by n.preferred desc, n.at_s, n.number limit 1), p.phone) as phone
      from ${RECORDS} r
      left join ${ACCOUNTS} a on a.record_id = r.id and a.closed_at_s is null
      left join ${PATIENT_EMAILS} p on p.id = a.id
     where r.id = any(${recordIds}::text[])`;
