import type { SlotChange } from '@clinic/contract';
import { STEP_SECONDS, addDays, startOfDay } from '@clinic/domain';
import type {
  ClinicDate,
  DateSpan,
  Doctor,
  DoctorStatus,
  EpochSeconds,
  KeptType,
  Pace,
  SlotCodeRules,
} from '@clinic/domain';

import { asSnapshot, changedSince } from '../../database/changes.store.ts';
import { type Db, type Part, type Tx, part, onlyRowOf, sql } from '../../database/db.ts';
import { EMR_HAS_SITES, PROVIDERS, SLOT_CODES, TEMPLATES } from '../records/index.ts';

/**
 * What the clinic says of providers, for other modules' statements. Nobody can book with a provider who is not
 * active, or without a site where the EMR has sites: not staff either.
 */
export const PROVIDER_POLICIES = part`(
  select r.id as provider_id, coalesce(pp.disabled, false) as disabled,
         coalesce(pp.comment, '') as comment, coalesce(pp.family_only, false) as family_only,
         coalesce(pp.no_pcp, false) as no_pcp,
         coalesce(pp.hidden, false) as hidden,
         r.active and (pp.location is not null or not ${EMR_HAS_SITES}) as bookable
    from ${PROVIDERS} r left join provider_policy pp on pp.provider_id = r.id)`;

/** Providers' paces, for other modules' statements. */
export const PACES = part`(select provider_id, type, offers, minutes from provider_type)`;

/** One provider's expanded day. */
export interface ProviderDayRow {
  readonly date: ClinicDate;
  readonly providerId: string;
  readonly codes: string;
}

/** The expanded days of providers whom the policy does not hide, by date and provider. */
export function readDays(db: Db, { from, to }: DateSpan): Promise<ProviderDayRow[]> {
  return sql<ProviderDayRow>(db, 'schedule-days')`
    select d.clinic_date::text as date, d.provider_id as "providerId", d.codes
      from ${TEMPLATES} d
      join ${PROVIDER_POLICIES} pp on pp.provider_id = d.provider_id
     where d.clinic_date between ${from}::date and ${to}::date
       and pp.bookable and not pp.hidden
     order by d.clinic_date, d.provider_id`;
}

/** All that decides how long appointments last and where they start. */
export interface LengthFacts {
  readonly types: readonly Pick<KeptType, 'code' | 'minutes' | 'startEvery'>[];
  readonly codes: readonly SlotCodeRules[];
  readonly paces: readonly (Pace & { readonly providerId: string; readonly type: string })[];
}

export const readLengths = (db: Db): Promise<LengthFacts> =>
  onlyRowOf(sql<LengthFacts>(db, 'schedule-lengths')`
    select coalesce((select json_agg(json_build_object('code', code, 'minutes', minutes,
                                                       'startEvery', start_every))
                       from appointment_type), '[]') as types,
           coalesce((select json_agg(rules) from ${SLOT_CODES} c), '[]') as codes,
           coalesce((select json_agg(json_build_object('providerId', provider_id, 'type', type,
                                                       'offers', offers, 'minutes', minutes))
                       from provider_type), '[]') as paces`);

/** Selects of appointments, taken steps and their changes, written by the owner of these tables. */
export interface TakenTime {
  readonly appointments: Part;
  readonly steps: Part;
  readonly changes: Part;
}

/** The 5-minute steps of one provider that are taken in the range asked for. */
export interface TakenSteps {
  readonly providerId: string;
  readonly starts: readonly EpochSeconds[];
}

/** A standing hold: its time is booked for everybody but its holder. */
export interface StandingHold {
  readonly patientId: string;
  readonly providerId: string;
  readonly type: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  /** Null while it does not lapse. */
  readonly expiresAt: EpochSeconds | null;
}

export interface TakenFacts {
  readonly taken: readonly TakenSteps[];
  readonly holds: readonly StandingHold[];
}

/** What appointments take of a range of days, and the standing holds among them. */
export async function readTaken(
  db: Db,
  { appointments, steps }: TakenTime,
  range: DateSpan,
  now: EpochSeconds,
): Promise<TakenFacts> {
  const [first, end] = [startOfDay(range.from), startOfDay(addDays(range.to, 1))];
  const [taken, holds] = await Promise.all([
    // One row per provider, with the starts as one text, instead of thousands of rows.
    sql<{ providerId: string; starts: string }>(db, 'schedule-taken')`
      select s.provider_id as "providerId", string_agg(s.step_start_s::text, ',') as starts
        from ${steps} s
       where s.step_start_s >= ${first} and s.step_start_s < ${end}
         and s.appointment_id not in (
           select h.id from ${appointments} h
            where h.may_lapse and h.hold_expires_at_s <= ${now})
       group by s.provider_id`,
    sql<StandingHold>(db, 'schedule-holds')`
      select h.patient_id as "patientId", h.provider_id as "providerId", h.type, h.start_s as start,
             h.end_s as "end", case when h.may_lapse then h.hold_expires_at_s end as "expiresAt"
        from ${appointments} h
       where h.is_hold and h.patient_id is not null
         and (not h.may_lapse or h.hold_expires_at_s > ${now})
         and h.start_s < ${end} and h.end_s > ${first}`,
  ]);
  return {
    taken: taken.map((each) => ({ ...each, starts: each.starts.split(',').map(Number) })),
    holds,
  };
}

/** What has changed in the schedule since a database snapshot. */
export interface ScheduleChanges {
  /** The snapshot at which this was looked up, to ask from next. */
  readonly snapshot: string;
  /** Clinic dates on which an appointment or a busy span changed. */
  readonly days: readonly ClinicDate[];
  /** Templates, providers or their policy changed: every day may differ. */
  readonly everything: boolean;
}

/** Whether templates, providers or their policy changed since a snapshot. */
const scheduleMoved = (snapshot: string | null) => part`
  ${snapshot}::text is null or not exists (
    select 1 from schedule_version v
     where v.changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
        or pg_visible_in_snapshot(v.changed_xid, ${asSnapshot(snapshot)}))`;

/** The days that have changed since a snapshot; everything without one. */
export const readChanges = (
  db: Db,
  { changes }: TakenTime,
  snapshot: string | null,
): Promise<ScheduleChanges> =>
  onlyRowOf(sql<ScheduleChanges>(db, 'schedule-changes')`
    select pg_current_snapshot()::text as snapshot,
           array(select distinct clinic_date::text from ${changes} c
                  where ${changedSince(snapshot)}) as days,
           ${scheduleMoved(snapshot)} as everything`);

/**
 * The 5-minute steps that were taken or freed since a snapshot, as they are now; none without a
 * snapshot. Each step is told by itself, as appointments may overlap.
 */
export async function slotChangesSince(
  db: Db,
  { steps, changes }: TakenTime,
  snapshot: string | null,
  now: EpochSeconds,
): Promise<{
  readonly snapshot: string;
  readonly slots: readonly SlotChange[];
  readonly hasScheduleMoved: boolean;
}> {
  type Row = Omit<SlotChange, 'state' | 'doctor'> & {
    readonly snapshot: string;
    readonly hasMoved: boolean;
    readonly doctor: string | null;
    readonly isTaken: boolean;
  };
  const rows =
    snapshot === null
      ? await sql<Row>(db, 'slots-first-snapshot')`
          select pg_current_snapshot()::text as snapshot, null as doctor, true as "hasMoved"`
      : await sql<Row>(db, 'schedule-slot-changes')`
          select pg_current_snapshot()::text as snapshot, c.provider_id as doctor,
                 ${scheduleMoved(snapshot)} as "hasMoved",
                 c.step as start, c.step + ${STEP_SECONDS} as "end",
                 exists (select 1 from ${steps} s where s.provider_id = c.provider_id
                            and s.step_start_s = c.step) as "isTaken"
            from (select 1) as one left join (
              select distinct provider_id, step from ${changes} a,
                     generate_series(start_s, end_s - 1, ${STEP_SECONDS}) as step
               where ${changedSince(snapshot)} and start_s > ${now}) as c on true
           order by c.step`;
  return {
    snapshot: rows[0]?.snapshot ?? snapshot ?? '',
    hasScheduleMoved: rows[0]?.hasMoved ?? true,
    slots: rows.flatMap(({ doctor, start, end, isTaken }) =>
      doctor === null ? [] : [{ doctor, start, end, state: isTaken ? 'taken' : 'freed' }],
    ),
  };
}

export interface ListedProvider extends Doctor {
  readonly status: DoctorStatus;
}

/** Hides those of whom the clinic has said nothing yet. */
export const hideProviders = (tx: Tx, ids: readonly string[]) =>
  sql(tx, 'schedule-hide')`
    insert into provider_policy (provider_id, hidden)
    select id, true from unnest(${ids}::text[]) as unknown(id) on conflict do nothing`;

/**
 * The site by which a provider's appointments stand in the EMR: empty where it has no sites, null where it has
 * some and the clinic has named none for this provider.
 */
export async function locationInEmr(db: Db, providerId: string): Promise<string | null> {
  const [found] = await sql<{ location: string | null }>(db, 'schedule-location')`
    select coalesce(pp.location, case when not ${EMR_HAS_SITES} then '' end) as location
      from (select ${providerId}::text as id) asked
      left join provider_policy pp on pp.provider_id = asked.id`;
  return found?.location ?? null;
}

/** Providers who can be booked, with what the clinic says of them; hidden ones too. */
export async function listProviders(db: Db): Promise<ListedProvider[]> {
  const rows = await sql<Doctor & DoctorStatus>(db, 'schedule-providers')`
    select r.id, r.first_name as "firstName", r.last_name as "lastName", pp.disabled, pp.comment,
           pp.hidden, pp.family_only as "familyOnly", pp.no_pcp as "noPcp", pp.bookable as active
      from ${PROVIDERS} r join ${PROVIDER_POLICIES} pp on pp.provider_id = r.id
     where pp.bookable
     order by r.last_name, r.first_name, r.id`;
  return rows.map(({ id, firstName, lastName, ...status }) => ({
    id,
    firstName,
    lastName,
    status,
  }));
}
