import type { AppointmentState, ClinicDate, EpochSeconds, FeeAtClinic } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, firstOf, part, sql } from '../../../database/db.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import { BUSY_SPANS, DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { undecidedMissing } from '../../emr/index.ts';
import { PATIENT_EMAILS } from '../../accounts/index.ts';
import { CONTACT_NUMBERS } from '../../patients/index.ts';
import { PAID_NOW } from '../../payments/index.ts';
import { PROVIDERS, RECORDS, TEMPLATES } from '../../records/index.ts';
import { PROVIDER_POLICIES, typesNamedTo } from '../../schedule/index.ts';

/** An appointment or a hold at the desk. */
interface DeskRow {
  readonly id: string;
  readonly recordId: string;
  readonly providerId: string;
  readonly type: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly state: AppointmentState;
  readonly arrivedAt: EpochSeconds | null;
  readonly inRoomAt: EpochSeconds | null;
  readonly changedAt: EpochSeconds;
  readonly bookingNumber: string | null;
  readonly feeAtClinic: FeeAtClinic | null;
  /** When the hold of a payment link ends; null for any other row. */
  readonly linkUntil: EpochSeconds | null;
}

const DESK_ROW = part`
  c.arrived_at_s as "arrivedAt", c.id, c.patient_id as "patientId", c.record_id as "recordId", c.provider_id as "providerId", c.type,
  c.start_s as start, c.end_s as "end", c.state, c.in_room_at_s as "inRoomAt",
  c.changed_at_s as "changedAt", c.booking_number as "bookingNumber",
  c.fee_at_clinic as "feeAtClinic", case when c.has_payment_link then c.hold_expires_at_s end as "linkUntil"`;

/** One on a day sheet. */
export interface SheetRow extends DeskRow {
  readonly patientId: string | null;
  readonly description: string;
  /** True when the EMR was asked to cancel the appointment and has not confirmed it yet. */
  readonly isCancelling: boolean;
  readonly isCancellable: boolean | null;
  /** The EMR has no row for it any more, and nobody has decided what becomes of it. */
  readonly isGone: boolean;
  readonly movedByClinic: boolean;
  readonly paidNow: number;
  /** 'Morgan, Casey'. */
  readonly patient: string;
}

/** The provider whose appointments are read; null for every provider. */
type Whose = string | null;

type Dates = readonly ClinicDate[];

export const sheetRows = (
  db: Db,
  dates: Dates,
  whose: Whose,
  now: EpochSeconds,
  reader: Locale,
): Promise<SheetRow[]> =>
  sql<SheetRow>(db, 'desk-day')`
    select ${DESK_ROW}, coalesce(t.description, c.type) as description,
           c.is_cancelling as "isCancelling", c.is_cancellable as "isCancellable",
           g.id is not null as "isGone", c.moved_by_clinic as "movedByClinic", ${PAID_NOW} as "paidNow",
           coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
      left join ${PATIENT_EMAILS} p on p.id = c.patient_id
      left join ${RECORDS} r on r.id = c.record_id
      left join ${undecidedMissing(now)} g on g.id = c.id
     where c.clinic_date = any(${dates}::date[]) and (${whose}::text is null or c.provider_id = ${whose}::text)
       and (c.kept_its_time or c.is_under_way or (c.may_lapse and c.hold_expires_at_s > ${now}))
     order by c.start_s, c.id`;

/** The records with an appointment or a hold on these days, for other statements. */
export const recordsOn = (dates: Dates) => part`
  select c.record_id from ${DESK_APPOINTMENTS} c where c.clinic_date = any(${dates}::date[])`;

/** Since which day the clinic has seen or booked each record of these days, but for who did not come. */
export async function hereSince(db: Db, dates: Dates): Promise<ReadonlyMap<string, ClinicDate>> {
  const rows = await sql<{ recordId: string; since: ClinicDate }>(db, 'desk-here-since')`
    select c.record_id as "recordId", min(c.clinic_date)::text as since from ${DESK_APPOINTMENTS} c
     where c.record_id in (${recordsOn(dates)}) and c.clinic_date < ${dates.at(-1)}::date
       and c.kept_its_time and c.state <> 'noShow'
     group by c.record_id`;
  return new Map(rows.map(({ recordId, since }) => [recordId, since]));
}

interface OwnRow extends DeskRow {
  readonly date: ClinicDate;
  readonly description: string;
  readonly patient: string;
  readonly arrivedAt: EpochSeconds | null;
}

/** The appointments of a provider on a day that were not cancelled or moved, in order; no holds. */
export const ownRows = (
  db: Db,
  providerId: string,
  date: ClinicDate,
  reader: Locale,
): Promise<OwnRow[]> =>
  sql<OwnRow>(db, 'desk-own-day')`
    select ${DESK_ROW}, coalesce(t.description, c.type) as description,
           coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
      left join ${PATIENT_EMAILS} p on p.id = c.patient_id
      left join ${RECORDS} r on r.id = c.record_id
     where c.provider_id = ${providerId} and c.clinic_date = ${date}::date and c.kept_its_time
     order by c.start_s, c.id`;

export interface ProviderOfDay {
  readonly date: ClinicDate;
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The day's slot codes; null when the schedule has no such day. */
  readonly codes: string | null;
  readonly active: boolean;
  readonly bookable: boolean;
}

/** Each provider on each of these days. */
export const providersOn = (db: Db, dates: Dates, whose: Whose): Promise<ProviderOfDay[]> =>
  sql<ProviderOfDay>(db, 'desk-providers')`
    select o.date::text, r.id, r.first_name as "firstName", r.last_name as "lastName", r.active,
           pp.bookable, d.codes
      from ${PROVIDERS} r
      join ${PROVIDER_POLICIES} pp on pp.provider_id = r.id
     cross join unnest(${dates}::date[]) as o(date)
      left join ${TEMPLATES} d on d.provider_id = r.id and d.clinic_date = o.date
     where ${whose}::text is null or r.id = ${whose}::text
     order by r.last_name, r.first_name, r.id`;

/** What is printed of an appointment beyond what the day sheet shows. */
export interface PrintedRow {
  readonly id: string;
  readonly birthDate: ClinicDate | null;
  readonly phones: readonly string[];
  readonly answersSealed: Uint8Array | null;
}

export const printedRows = (db: Db, ids: readonly string[]): Promise<PrintedRow[]> =>
  sql<PrintedRow>(db, 'desk-printed')`
    select c.id, coalesce(p.birth_date, r.birth_date)::text as "birthDate",
           array(select n.number from ${CONTACT_NUMBERS} n where n.record_id = c.record_id
                  order by n.preferred desc, n.at_s, n.number) || coalesce(p.phones, '{}') as phones,
           c.answers_sealed as "answersSealed"
      from ${DESK_APPOINTMENTS} c
      left join ${PATIENT_EMAILS} p on p.id = c.patient_id
      left join ${RECORDS} r on r.id = c.record_id
     where c.id = any(${ids}::uuid[])`;

interface BusyRow {
  readonly providerId: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

export const busyOn = (db: Db, dates: Dates): Promise<BusyRow[]> =>
  sql<BusyRow>(db, 'desk-busy')`
    select provider_id as "providerId", start_s as start, end_s as "end" from ${BUSY_SPANS} b
     where b.clinic_date = any(${dates}::date[]) order by start_s`;

/** An appointment opened at the desk, with its patient's contact details. */
export interface OpenedRow extends DeskRow {
  /** A `PatientId` without a session: here the clinic acts for the patient. Null without an account. */
  readonly patientId: PatientId | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly answersSealed: Uint8Array | null;
  readonly paidCents: number;
  readonly checkin: string | null;
  readonly bookedAt: EpochSeconds;
}

/** Null for a patient's own hold, which is no appointment yet, a released hold, and an unknown id. */
export const openedRow = (db: Db, id: string) =>
  firstOf(sql<OpenedRow>(db, 'desk-appointment')`
    select ${DESK_ROW}, coalesce(p.first_name, r.first_name, '') as "firstName",
           coalesce(p.last_name, r.last_name, '') as "lastName",
           coalesce(p.birth_date, r.birth_date)::text as "birthDate", p.email,
           coalesce((select n.number from ${CONTACT_NUMBERS} n
                      where n.record_id = c.record_id and (n.preferred or p.phone is null)
                      order by n.preferred desc, n.at_s, n.number limit 1), p.phone) as phone,
           c.answers_sealed as "answersSealed", c.checkin, c.created_at_s as "bookedAt",
           ${PAID_NOW} as "paidCents"
      from ${DESK_APPOINTMENTS} c
      left join ${PATIENT_EMAILS} p on p.id = c.patient_id
      left join ${RECORDS} r on r.id = c.record_id
     where c.id = ${id}::uuid and (c.was_booked or c.has_payment_link)`);

/** The starts of a record's appointments, without cancelled and moved ones. */
export async function startsOfRecord(db: Db, recordId: string, whose: Whose): Promise<number[]> {
  const rows = await sql<{ start: number }>(db, 'desk-starts')`
    select c.start_s as start from ${DESK_APPOINTMENTS} c
     where c.record_id = ${recordId} and (${whose}::text is null or c.provider_id = ${whose}::text)
       and c.kept_its_time`;
  return rows.map(({ start }) => start);
}
