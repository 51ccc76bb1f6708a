import type { SlotChange } from '@clinic/contract';
import { addDays, startOfDay } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import { type Db, part, sql } from '../../database/db.ts';
import type { StandingHold, TakenTime } from '../schedule/index.ts';

const changedSince = (snapshot: string) => part`
  changed_xid >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
  and changed_xid < pg_snapshot_xmax(pg_current_snapshot())
  and not pg_visible_in_snapshot(changed_xid, ${snapshot}::text::pg_snapshot)`;

/** What the schedule shows as taken. */
export const takenTime: TakenTime = {
  changedDays: (snapshot) =>
    part`select distinct clinic_date::text from appointment where ${changedSince(snapshot)}`,

  async readTaken(db, { from, to }: DateSpan, providerId, now) {
    const [first, end] = [startOfDay(from), startOfDay(addDays(to, 1))];
    const [steps, holds] = await Promise.all([
      // A row per provider, the starts as one text: thousands of steps are not thousands of rows.
      sql<{ providerId: string; starts: string }>(db, 'schedule-taken')`
        select c.provider_id as "providerId", string_agg(c.step_start_s::text, ',') as starts
          from appointment_step c
         where c.step_start_s >= ${first} and c.step_start_s < ${end}
           and (${providerId}::text is null or c.provider_id = ${providerId}::text)
           and c.appointment_id not in (
             select h.id from appointment h
              where h.state = 'held' and not h.confirming and not h.paying
                and h.hold_expires_at_s <= ${now})
         group by c.provider_id`,
      sql<StandingHold & { kept: boolean }>(db, 'schedule-holds')`
        select h.patient_id as "patientId", h.provider_id as "providerId", h.start_s as start,
               h.end_s as "end", h.hold_expires_at_s as "expiresAt", h.confirming or h.paying as kept
          from appointment h
         where h.state = 'held' and h.patient_id is not null
           and (h.confirming or h.paying or h.hold_expires_at_s > ${now})
           and h.start_s < ${end} and h.end_s > ${first}`,
    ]);
    return {
      taken: steps.map((each) => ({ ...each, starts: each.starts.split(',').map(Number) })),
      holds: holds.map(({ kept, ...hold }) =>
        kept ? { ...hold, expiresAt: Number.POSITIVE_INFINITY } : hold,
      ),
    };
  },
};

interface SlotRow {
  readonly snapshot: string;
  readonly doctor: string | null;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly isTaken: boolean;
}

/**
 * Times that were taken or freed since a snapshot, as they are now, and the snapshot to ask from
 * next; none without a snapshot.
 */
export async function slotChangesSince(
  db: Db,
  snapshot: string | null,
  now: EpochSeconds,
): Promise<{ readonly snapshot: string; readonly slots: readonly SlotChange[] }> {
  const changed = part`(
    select distinct provider_id, start_s, end_s from appointment
     where ${changedSince(snapshot ?? '')} and start_s > ${now})`;
  const rows =
    snapshot === null
      ? await sql<SlotRow>(db, 'slots-first-snapshot')`
          select pg_current_snapshot()::text as snapshot, null as doctor`
      : await sql<SlotRow>(db, 'schedule-slot-changes')`
          select pg_current_snapshot()::text as snapshot, c.provider_id as doctor,
                 c.start_s as start, c.end_s as "end",
                 exists (select 1 from appointment_step s where s.provider_id = c.provider_id
                            and s.step_start_s >= c.start_s and s.step_start_s < c.end_s) as "isTaken"
            from (select 1) as one left join ${changed} as c on true`;
  return {
    snapshot: rows[0]?.snapshot ?? snapshot ?? '',
    slots: rows.flatMap(({ doctor, start, end, isTaken }) =>
      doctor === null ? [] : [{ doctor, start, end, state: isTaken ? 'taken' : 'freed' }],
    ),
  };
}
