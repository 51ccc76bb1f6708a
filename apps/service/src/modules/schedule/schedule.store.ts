import { addDays, startOfDay } from '@clinic/domain';
import type { ClinicDate, DateSpan, Doctor, DoctorStatus, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';
import type { ProviderDayRow, StandingHold, TakenSteps } from './schedule-answer.ts';
import type { ScheduleFacts, TakenFacts } from './schedule-cache.ts';
import type { ScheduleChanges } from './schedule-versions.ts';
import type { SlotChanges } from './slot-watch.ts';

/** Providers whose status is '1' and whom the policy does not hide. */
const LISTED = `r.status = '1' and not coalesce(pp.hidden, false)`;

const days: Statement = {
  name: 'schedule-days',
  text: `select d.clinic_date::text as date, d.provider_id, d.codes
           from schedule_day d
           join records_provider r on r.id = d.provider_id
           left join provider_policy pp on pp.provider_id = d.provider_id
          where d.clinic_date between $1::date and $2::date
            and ($3::text is null or d.provider_id = $3) and ${LISTED}
          order by d.clinic_date, d.provider_id`,
};

/** A row per provider, the starts as one text: thousands of steps are not thousands of rows. */
const taken: Statement = {
  name: 'schedule-taken',
  text: `select c.provider_id, string_agg(c.step_start_s::text, ',') as starts
           from appointment_step c
          where c.step_start_s >= $1 and c.step_start_s < $2
            and ($3::text is null or c.provider_id = $3)
            and c.appointment_id not in (
              select h.id from appointment h
               where h.state = 'held' and not h.confirming and not h.paying
                 and h.hold_expires_at_s <= $4)
          group by c.provider_id`,
};

const holds: Statement = {
  name: 'schedule-holds',
  text: `select h.patient_id, h.provider_id, h.start_s, h.end_s, h.hold_expires_at_s,
                h.confirming or h.paying as kept
           from appointment h
          where h.state = 'held' and (h.confirming or h.paying or h.hold_expires_at_s > $3)
            and h.start_s < $2 and h.end_s > $1`,
};

/**
 * Which days were touched by transactions that the snapshot $1 does not see and this statement does.
 * A number beyond this database's own counter comes from a restored copy and counts as old.
 */
const changes: Statement = {
  name: 'schedule-changes',
  text: `select pg_current_snapshot()::text as snapshot,
                array(select distinct c.clinic_date::text from appointment c
                       where c.changed_xid >= pg_snapshot_xmin($1::text::pg_snapshot)
                         and c.changed_xid < pg_snapshot_xmax(pg_current_snapshot())
                         and not pg_visible_in_snapshot(c.changed_xid, $1::text::pg_snapshot))
                  as days,
                not exists (select 1 from schedule_version v
                             where v.changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
                                or pg_visible_in_snapshot(v.changed_xid, $1::text::pg_snapshot))
                  as everything`,
};

/** The spans whose appointments were touched since the snapshot $1, and whether they are taken now. */
const slotChanges: Statement = {
  name: 'schedule-slot-changes',
  text: `select pg_current_snapshot()::text as snapshot, c.provider_id, c.start_s, c.end_s,
                exists (select 1 from appointment_step s where s.provider_id = c.provider_id
                           and s.step_start_s >= c.start_s and s.step_start_s < c.end_s) as taken
           from (select 1) as one
           left join (select distinct h.provider_id, h.start_s, h.end_s from appointment h
                       where h.changed_xid >= pg_snapshot_xmin($1::text::pg_snapshot)
                         and h.changed_xid < pg_snapshot_xmax(pg_current_snapshot())
                         and not pg_visible_in_snapshot(h.changed_xid, $1::text::pg_snapshot)
                         and h.start_s > $2) as c on true`,
};

const firstSnapshot: Statement = {
  name: 'schedule-first-snapshot',
  text: `select pg_current_snapshot()::text as snapshot`,
};

const providers: Statement = {
  name: 'schedule-providers',
  text: `select r.id, r.first_name, r.last_name, r.status,
                coalesce(pp.disabled, false) as disabled, coalesce(pp.comment, '') as comment,
                coalesce(pp.hidden, false) as hidden,
                coalesce(pp.family_only, false) as family_only, coalesce(pp.no_pcp, false) as no_pcp
           from records_provider r left join provider_policy pp on pp.provider_id = r.id
          where r.status = '1'
          order by r.last_name, r.first_name, r.id`,
};

const charge: Statement = {
  name: 'schedule-charge',
  text: `select f.charge_cents from patient p
           join fee_policy f on f.type = $2 and f.eligibility = p.eligibility
          where p.id = $1 and f.valid_from <= $3::date and not ($2 = any(p.disabled_types))
          order by f.valid_from desc limit 1`,
};

/** The first and the last instant (exclusive) of a range of days. */
const boundsOf = ({ from, to }: DateSpan) => [startOfDay(from), startOfDay(addDays(to, 1))];

export async function readSchedule(
  db: Db,
  range: DateSpan,
  providerId: string | null,
  now: EpochSeconds,
): Promise<ScheduleFacts> {
  const [rows, asserted] = await Promise.all([
    readDays(db, range, providerId),
    readTaken(db, range, providerId, now),
  ]);
  return { rows, ...asserted };
}

/** The expanded days of listed providers, by date and provider. */
export async function readDays(
  db: Db,
  { from, to }: DateSpan,
  providerId: string | null,
): Promise<ProviderDayRow[]> {
  const rows = await run<{ date: ClinicDate; provider_id: string; codes: string }>(db, days, [
    from,
    to,
    providerId,
  ]);
  return rows.map((row) => ({ date: row.date, providerId: row.provider_id, codes: row.codes }));
}

/** What appointments take of a range, and the standing holds among them. */
export async function readTaken(
  db: Db,
  range: DateSpan,
  providerId: string | null,
  now: EpochSeconds,
): Promise<TakenFacts> {
  const bounds = boundsOf(range);
  const [steps, held] = await Promise.all([
    run<{ provider_id: string; starts: string }>(db, taken, [...bounds, providerId, now]),
    run<HoldRow>(db, holds, [...bounds, now]),
  ]);
  return {
    taken: steps.map(({ provider_id, starts }): TakenSteps => ({
      providerId: provider_id,
      starts: starts.split(',').map(Number),
    })),
    holds: held.flatMap(holdOf),
  };
}

interface HoldRow {
  readonly patient_id: string | null;
  readonly provider_id: string;
  readonly start_s: number;
  readonly end_s: number;
  readonly hold_expires_at_s: number;
  readonly kept: boolean;
}

function holdOf(row: HoldRow): StandingHold[] {
  if (row.patient_id === null) return [];
  return [
    {
      patientId: row.patient_id,
      providerId: row.provider_id,
      start: row.start_s,
      end: row.end_s,
      expiresAt: row.kept ? Number.POSITIVE_INFINITY : row.hold_expires_at_s,
    },
  ];
}

export async function changesSince(db: Db, snapshot: string | null): Promise<ScheduleChanges> {
  if (snapshot === null) {
    const [row] = await run<{ snapshot: string }>(db, firstSnapshot, []);
    return { snapshot: row?.snapshot ?? '', days: [], everything: true };
  }
  const [row] = await run<ScheduleChanges>(db, changes, [snapshot]);
  if (!row) throw new Error('The database has no snapshot');
  return row;
}

interface SlotChangeRow {
  readonly snapshot: string;
  readonly provider_id: string | null;
  readonly start_s: number;
  readonly end_s: number;
  readonly taken: boolean;
}

/** Times that were taken or freed since a snapshot, as they are now; none without a snapshot. */
export async function slotChangesSince(
  db: Db,
  snapshot: string | null,
  now: EpochSeconds,
): Promise<SlotChanges> {
  if (snapshot === null) {
    const [row] = await run<{ snapshot: string }>(db, firstSnapshot, []);
    return { snapshot: row?.snapshot ?? '', slots: [] };
  }
  const rows = await run<SlotChangeRow>(db, slotChanges, [snapshot, now]);
  return {
    snapshot: rows[0]?.snapshot ?? snapshot,
    slots: rows.flatMap(({ provider_id: doctor, start_s: start, end_s: end, taken: isTaken }) =>
      doctor === null ? [] : [{ doctor, start, end, state: isTaken ? 'taken' : 'freed' }],
    ),
  };
}

export interface ListedProvider extends Doctor {
  readonly status: DoctorStatus;
}

/** Active providers with what the clinic says of them; hidden ones too. */
export async function listProviders(db: Db): Promise<ListedProvider[]> {
  const rows = await run<{
    id: string;
    first_name: string;
    last_name: string;
    disabled: boolean;
    comment: string;
    hidden: boolean;
    family_only: boolean;
    no_pcp: boolean;
  }>(db, providers, []);
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    status: {
      active: true,
      disabled: row.disabled,
      comment: row.comment,
      hidden: row.hidden,
      familyOnly: row.family_only,
      noPcp: row.no_pcp,
    },
  }));
}

/** What a type costs this patient on a day, in cents; null when it is not open to them. */
export async function chargeFor(
  db: Db,
  patientId: string,
  type: string,
  day: ClinicDate,
): Promise<number | null> {
  const [row] = await run<{ charge_cents: number }>(db, charge, [patientId, type, day]);
  return row?.charge_cents ?? null;
}
