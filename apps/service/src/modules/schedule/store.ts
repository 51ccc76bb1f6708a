import { isEligibility } from '@clinic/domain';
import type { ClinicDate, DateSpan, Doctor, DoctorStatus, Eligibility } from '@clinic/domain';

import { type Db, type Part, sql } from '../../database/db.ts';
import { ACTIVE_PROVIDERS, PROVIDER_DAYS } from '../records/index.ts';
import type { ProviderDayRow, ScheduleChanges, TakenTime } from './answer.ts';

/** The expanded days of providers whom the policy does not hide, by date and provider. */
export function readDays(
  db: Db,
  { from, to }: DateSpan,
  providerId: string | null,
): Promise<ProviderDayRow[]> {
  return sql<ProviderDayRow>(db, 'schedule-days')`
    select d.clinic_date::text as date, d.provider_id as "providerId", d.codes
      from ${PROVIDER_DAYS} d
      left join provider_policy pp on pp.provider_id = d.provider_id
     where d.clinic_date between ${from}::date and ${to}::date
       and (${providerId}::text is null or d.provider_id = ${providerId}::text)
       and not coalesce(pp.hidden, false)
     order by d.clinic_date, d.provider_id`;
}

/**
 * What was touched by transactions that the snapshot does not see and this statement does. A number
 * beyond this database's own counter comes from a restored copy and counts as old.
 */
export async function changesSince(
  db: Db,
  { changedDays }: Pick<TakenTime, 'changedDays'>,
  snapshot: string | null,
): Promise<ScheduleChanges> {
  const [row] =
    snapshot === null
      ? await sql<ScheduleChanges>(db, 'schedule-first-snapshot')`
          select pg_current_snapshot()::text as snapshot, '{}'::text[] as days, true as everything`
      : await sql<ScheduleChanges>(db, 'schedule-changes')`
          select pg_current_snapshot()::text as snapshot, array(${changedDays(snapshot)}) as days,
                 not exists (
                   select 1 from schedule_version v
                    where v.changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
                       or pg_visible_in_snapshot(v.changed_xid, ${snapshot}::text::pg_snapshot)
                 ) as everything`;
  if (!row) throw new Error('The database has no snapshot');
  return row;
}

export interface ListedProvider extends Doctor {
  readonly status: DoctorStatus;
}

/** Active providers with what the clinic says of them; hidden ones too. */
export async function listProviders(db: Db): Promise<ListedProvider[]> {
  const rows = await sql<Doctor & Omit<DoctorStatus, 'active'>>(db, 'schedule-providers')`
    select r.id, r.first_name as "firstName", r.last_name as "lastName",
           coalesce(pp.disabled, false) as disabled, coalesce(pp.comment, '') as comment,
           coalesce(pp.hidden, false) as hidden, coalesce(pp.family_only, false) as "familyOnly",
           coalesce(pp.no_pcp, false) as "noPcp"
      from ${ACTIVE_PROVIDERS} r left join provider_policy pp on pp.provider_id = r.id
     order by r.last_name, r.first_name, r.id`;
  return rows.map(({ id, firstName, lastName, ...status }) => ({
    id,
    firstName,
    lastName,
    status: { active: true, ...status },
  }));
}

/** Patients by id, as the owner of their table writes them: what decides their doctors and fees. */
export type PatientsWhoBook = Part;

/** What a type costs this patient on a day, in cents; null when it is not open to them. */
export async function chargeFor(
  db: Db,
  patients: PatientsWhoBook,
  patientId: string,
  { type, day }: { readonly type: string; readonly day: ClinicDate },
): Promise<number | null> {
  const [row] = await sql<{ cents: number }>(db, 'schedule-charge')`
    select f.charge_cents as cents
      from ${patients} p
      join fee_policy f on f.type = ${type}::text and f.eligibility = p.eligibility
     where p.id = ${patientId} and f.valid_from <= ${day}::date
       and not (${type}::text = any(p.disabled_types))
     order by f.valid_from desc limit 1`;
  return row?.cents ?? null;
}

/** What decides which doctors a patient sees for one type. */
export interface SearchingPatient {
  readonly recordId: string;
  readonly eligibility: Eligibility;
  readonly familyDoctor: boolean;
  readonly bookingBlocked: boolean;
  readonly blockedProviders: readonly string[];
  /** Null when the type is not open to this patient. */
  readonly type: { readonly enforceMrp: boolean; readonly enforceNoPcp: boolean } | null;
}

type SearchingRow = Omit<SearchingPatient, 'type' | 'eligibility'> & {
  readonly eligibility: string;
  readonly offered: boolean;
  readonly enforceMrp: boolean | null;
  readonly enforceNoPcp: boolean | null;
};

export async function patientSearching(
  db: Db,
  patients: PatientsWhoBook,
  patientId: string,
  { type, day }: { readonly type: string; readonly day: ClinicDate },
): Promise<SearchingPatient> {
  const [row] = await sql<SearchingRow>(db, 'earliest-patient')`
    select p.record_id as "recordId", p.eligibility, p.family_doctor as "familyDoctor",
           p.booking_blocked as "bookingBlocked", p.blocked_providers as "blockedProviders",
           t.enforce_mrp as "enforceMrp", t.enforce_no_pcp as "enforceNoPcp",
           t.code is not null and not (${type}::text = any(p.disabled_types)) and exists (
             select 1 from fee_policy f where f.type = ${type}::text and f.eligibility = p.eligibility
                and f.valid_from <= ${day}::date) as offered
      from ${patients} p left join appointment_type t on t.code = ${type}::text
     where p.id = ${patientId}`;
  if (!row || !isEligibility(row.eligibility)) throw new Error('A session without its patient');
  const { offered, enforceMrp, enforceNoPcp, eligibility, ...patient } = row;
  const rules = { enforceMrp: enforceMrp === true, enforceNoPcp: enforceNoPcp === true };
  return { ...patient, eligibility, type: offered ? rules : null };
}

export interface TypeWithFee {
  readonly code: string;
  readonly description: string;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
  readonly chargeCents: number;
  /** The Important Notice, where the policy has one. */
  readonly notice: string | null;
}

/**
 * Every type with what it costs a patient of that eligibility on that day, in the clinic's order. Types
 * of different imports may stand at one place.
 */
export function typesFor(db: Db, eligibility: string, today: ClinicDate): Promise<TypeWithFee[]> {
  return sql<TypeWithFee>(db, 'types-with-fee')`
    select distinct on (t.position, t.code) t.code, t.description, t.enforce_mrp as "enforceMrp",
           t.enforce_no_pcp as "enforceNoPcp", t.requires_documents as "requiresDocuments",
           f.charge_cents as "chargeCents", f.notice
      from appointment_type t
      join fee_policy f on f.type = t.code and f.eligibility = ${eligibility}
       and f.valid_from <= ${today}::date
     order by t.position, t.code, f.valid_from desc`;
}

/** What each type costs each eligibility on a day: the newest row of each pair that is valid by then. */
export function feesOn(db: Db, day: ClinicDate) {
  return sql<{ type: string; eligibility: string; chargeCents: number }>(db, 'fees-on')`
    select distinct on (type, eligibility) type, eligibility, charge_cents as "chargeCents"
      from fee_policy where valid_from <= ${day}::date
     order by type, eligibility, valid_from desc`;
}
