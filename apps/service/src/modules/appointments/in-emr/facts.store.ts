import type { EpochSeconds } from '@clinic/domain';

import { type Db, firstOf, hasRows, sql } from '../../../database/db.ts';
import { PROVIDERS } from '../../records/index.ts';
import type { StoredAppointment } from '../appointment.ts';
import { own, stateIn } from '../state-columns.store.ts';

/** What the EMR was asked to do and has not confirmed, and for how many seconds the oldest has waited. */
export const unconfirmedInEmr = (db: Db, now: EpochSeconds) =>
  sql<{
    readonly what: 'booking' | 'cancellation';
    readonly appointments: number;
    readonly oldestSeconds: number;
  }>(db, 'unconfirmed-in-emr')`
    select what, count(since)::int as appointments,
           coalesce(greatest(0, ${now}::bigint - min(since)), 0)::int as "oldestSeconds"
      from (values ('booking'), ('cancellation')) as kinds (what)
      left join (
             select 'booking' as asked, coalesce(hold_placed_at_s, created_at_s) as since
               from appointment c where ${own.isConfirming}
             union all
             select 'cancellation', cancel_asked_at_s
               from appointment where cancel_asked_at_s is not null) waiting on asked = what
     group by what order by what`;

/** The record that an appointment is for; null when the appointment is not known. */
export async function recordOfAppointment(db: Db, id: string): Promise<string | null> {
  const [row] = await sql<{ recordId: string }>(db, 'appointments-record')`
    select record_id as "recordId" from appointment where id = ${id}::uuid`;
  return row?.recordId ?? null;
}

/** What a tickler about an appointment is written from. */
export interface TicklerFacts extends Pick<
  StoredAppointment,
  'id' | 'recordId' | 'providerId' | 'start'
> {
  /** The start of the appointment that this one replaced; null when it replaced none. */
  readonly movedFrom: EpochSeconds | null;
  /** The name of whom it is with. */
  readonly doctor: string;
  readonly answersSealed: Uint8Array | null;
}

/** Facts of the appointment or the one that it was moved to; null once that has begun or been ended. */
export const ticklerFacts = (db: Db, id: string, now: EpochSeconds): Promise<TicklerFacts | null> =>
  firstOf(sql<TicklerFacts>(db, 'appointments-tickler')`
    with recursive moves as (
      select id from appointment where id = ${id}::uuid
      union all
      select later.id from appointment later join moves on later.rescheduled_from = moves.id)
    select a.id, a.record_id as "recordId", a.provider_id as "providerId", a.start_s as start,
           a.answers_sealed as "answersSealed", old.start_s as "movedFrom",
           p.first_name || ' ' || p.last_name as doctor
      from moves join appointment a using (id)
      join ${PROVIDERS} p on p.id = a.provider_id
      left join appointment old on old.id = a.rescheduled_from
     where ${stateIn('a').isBooked} and a.start_s > ${now}`);

/** What a record has ahead, or is just booking: all that may stand in an EMR and has not begun. */
export const aheadInEmr = (db: Db, recordId: string, now: EpochSeconds) =>
  sql<{ id: string }>(db, 'appointments-ahead-in-emr')`
    select id from appointment c
     where record_id = ${recordId} and start_s > ${now} and (${own.isBooked} or ${own.isUnderWay})
     order by start_s, id`;

/** Whether the EMR may still be asked to book an appointment. */
export const isBeingBooked = (db: Db, id: string): Promise<boolean> =>
  hasRows(sql(db, 'appointments-being-booked')`
    select 1 from appointment c where id = ${id}::uuid and ${own.isUnderWay}`);
