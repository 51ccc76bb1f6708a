import { toClinic } from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds, Span } from '@clinic/domain';

import { type Db, type Tx, sql } from '../../../database/db.ts';
import { PROVIDERS } from '../../records/index.ts';
import type { StoredAppointment } from '../appointment.ts';
import { own } from '../state-columns.store.ts';

/** Time taken by something that only the EMR knows of, rounded to our five-minute steps. */
export interface BusySpan extends Span {
  /** The EMR's id of the entry, or our own name for a span that we added. */
  readonly sourceId: string;
  readonly clinicDate: ClinicDate;
}

interface IdentifiedSpan extends BusySpan {
  readonly id: string;
}

const nameOf = ({ sourceId, start, end }: BusySpan) => `${sourceId} ${start} ${end}`;

/**
 * Makes a provider's busy spans on some days equal to those in the EMR, writing only differences.
 * Returns how many spans were added or ended. Spans take their steps as appointments do: the primary
 * key makes them wait for a booking of the same steps that is under way. Steps that an appointment
 * has stay with it; see `assignFreedTimeSteps`.
 */
export async function replaceBusySpans(
  tx: Tx,
  { providerId, from, to }: DateSpan & { readonly providerId: string },
  spans: readonly BusySpan[],
  newId: () => string,
): Promise<number> {
  const stored = await sql<IdentifiedSpan>(tx, 'busy-kept')`
    select id, source_id as "sourceId", provider_id as "providerId", clinic_date::text as "clinicDate",
           start_s as start, end_s as "end"
      from busy_span
     where stands and provider_id = ${providerId}
       and clinic_date between ${from}::date and ${to}::date`;
  const [inEmr, known] = [new Set(spans.map(nameOf)), new Set(stored.map(nameOf))];
  const ended = stored.filter((each) => !inEmr.has(nameOf(each)));
  const added = spans
    .filter((each) => !known.has(nameOf(each)))
    .map((each) => ({ ...each, id: newId() }));
  if (ended.length > 0 || added.length > 0) {
    await endSpans(tx, ended, added);
    await insertSpans(tx, added);
  }
  return ended.length + added.length;
}

/** The provider days on which the EMR had these entries when the days were last read. */
export const daysOfEntries = (db: Db, entries: readonly string[]) =>
  sql<{ readonly providerId: string; readonly date: ClinicDate }>(db, 'busy-days-before')`
    select distinct provider_id as "providerId", clinic_date::text as date from busy_span
     where stands and source_id = any(${entries}::text[])`;

/** Adds one span, which remains until the EMR's own list of that day is kept. */
export const addBusySpan = (tx: Tx, span: IdentifiedSpan): Promise<void> => insertSpans(tx, [span]);

/**
 * Records the time that an appointment was moved away from as an ended span. The appointment's row
 * names only its new time; this row makes schedules and open grids refresh the old one.
 */
export async function notePlaceLeft(
  tx: Tx,
  { id, sourceId, providerId, start, end }: Span & Pick<IdentifiedSpan, 'id' | 'sourceId'>,
): Promise<void> {
  await sql(tx, 'busy-place-left')`
    insert into busy_span (id, source_id, provider_id, clinic_date, start_s, end_s, stands)
    values (${id}::uuid, ${sourceId}, ${providerId}, ${toClinic(start).date}::date,
            ${start - (start % 300)}, ${end + ((300 - (end % 300)) % 300)}, false)`;
}

/** Ends these spans, and the spans whose EMR entry now has another time. */
async function endSpans(tx: Tx, spans: readonly IdentifiedSpan[], moved: readonly BusySpan[]) {
  // A separate statement waits for transactions that are giving these spans steps: the next sees them.
  const ending = await sql<{ id: string }>(tx, 'busy-lock')`
    select id from busy_span
     where stands and (id = any(${spans.map(({ id }) => id)}::uuid[])
                       or source_id = any(${moved.map(({ sourceId }) => sourceId)}::text[]))
     order by id for update`;
  await sql(tx, 'busy-end')`
    with ended as (
      update busy_span set stands = false
       where stands and id = any(${ending.map(({ id }) => id)}::uuid[]) returning id)
    delete from appointment_step where appointment_id in (select id from ended)`;
}

async function insertSpans(tx: Tx, spans: readonly IdentifiedSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const column = <Value>(of: (span: IdentifiedSpan) => Value) => spans.map(of);
  await sql(tx, 'busy-insert')`
    insert into busy_span (id, source_id, provider_id, clinic_date, start_s, end_s)
    select * from unnest(${column(({ id }) => id)}::uuid[], ${column(({ sourceId }) => sourceId)}::text[],
                         ${column(({ providerId }) => providerId)}::text[],
                         ${column(({ clinicDate }) => clinicDate)}::date[],
                         ${column(({ start }) => start)}::bigint[], ${column(({ end }) => end)}::bigint[])`;
  await takeSteps(tx, spans);
}

/**
 * Gives busy spans that lack steps, and appointments that staff placed over others, those of their
 * steps that have become free. Cached schedules and open grids notice the change.
 */
export async function assignFreedTimeSteps(tx: Tx, now: EpochSeconds): Promise<void> {
  // Skips spans that another transaction is ending: steps given to them now would never be freed.
  const lacking = await sql<{ id: string }>(tx, 'busy-lacking')`
    select id from busy_span where stands and lacks_steps order by id for update skip locked`;
  await takeSteps(tx, lacking);
  const placed = await sql<{ id: string }>(tx, 'busy-placed')`
    select id from appointment c
     where placed_by_staff and ${own.isBooked} and end_s > ${now}
     order by id for update skip locked`;
  await sql(tx, 'busy-placed-take-steps')`
    with taken as (
      insert into appointment_step (provider_id, step_start_s, appointment_id)
      select provider_id, step, id
        from appointment, generate_series(start_s - start_s % 300, end_s - 1, 300) as step
       where id = any(${placed.map(({ id }) => id)}::uuid[])
       order by provider_id, step
      on conflict do nothing returning appointment_id)
    update appointment set provider_id = provider_id
     where id in (select appointment_id from taken)`;
}

/** An upcoming appointment that overlaps something else because staff placed one of the two. */
export interface OverlappedAppointment extends Pick<
  StoredAppointment,
  'id' | 'recordId' | 'providerId' | 'type' | 'start' | 'end'
> {
  /** The name of whom it is with. */
  readonly doctor: string;
  /** When the first that it overlaps is. */
  readonly otherStart: EpochSeconds;
  readonly otherEnd: EpochSeconds;
}

/** Upcoming appointments that staff have booked over, or have placed over something else. */
export const overlappedAppointments = (
  db: Db,
  after: EpochSeconds,
): Promise<OverlappedAppointment[]> =>
  sql<OverlappedAppointment>(db, 'appointments-overlapped')`
    with ahead as (
      select id, record_id, provider_id, clinic_date, type, start_s, end_s, placed_by_staff from appointment c
       where ${own.isBooked} and start_s > ${after}),
    others as (
      select id, provider_id, clinic_date, start_s, end_s, lacks_steps as is_over from busy_span where stands
       union all
      select id, provider_id, clinic_date, start_s, end_s, placed_by_staff from ahead)
    select a.id, a.record_id as "recordId", a.provider_id as "providerId", a.type,
           a.start_s as start, a.end_s as "end",
           p.first_name || ' ' || p.last_name as doctor,
           over.start_s as "otherStart", over.end_s as "otherEnd"
      from ahead a join ${PROVIDERS} p on p.id = a.provider_id
      join lateral (
             select o.start_s, o.end_s from others o
              where o.provider_id = a.provider_id and o.clinic_date = a.clinic_date and o.id <> a.id
                and o.start_s < a.end_s and a.start_s < o.end_s and (o.is_over or a.placed_by_staff)
              order by o.start_s, o.end_s limit 1) over on true
     order by a.start_s, a.provider_id`;

/** Takes free steps in ascending order, as every writer does; records which spans still lack some. */
async function takeSteps(tx: Tx, spans: readonly Pick<IdentifiedSpan, 'id'>[]) {
  if (spans.length === 0) return;
  const ids = spans.map(({ id }) => id);
  const taken = await sql<{ id: string }>(tx, 'busy-take-steps')`
    insert into appointment_step (provider_id, step_start_s, appointment_id)
    select provider_id, step, id
      from busy_span, generate_series(start_s, end_s - 1, 300) as step
     where id = any(${ids}::uuid[])
     order by provider_id, step
    on conflict do nothing returning appointment_id as id`;
  await sql(tx, 'busy-note-lacking')`
    update busy_span b
       set lacks_steps = (select count(*) from appointment_step s where s.appointment_id = b.id)
                         < (end_s - start_s) / 300
     where id = any(${taken.map(({ id }) => id)}::uuid[]) or (id = any(${ids}::uuid[]) and not lacks_steps)`;
}

/** Deletes spans of days that are over. */
export async function deleteBusySpans(tx: Tx, before: ClinicDate): Promise<void> {
  await sql(tx, 'busy-forget')`
    with gone as (delete from busy_span where clinic_date < ${before}::date returning id)
    delete from appointment_step where appointment_id in (select id from gone)`;
}
