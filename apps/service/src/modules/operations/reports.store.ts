import {
  type ClinicDate,
  type DateSpan,
  type EpochSeconds,
  addDays,
  datesOf,
  daysBetween,
  startOfDay,
  type Weekday,
  toClinic,
} from '@clinic/domain';
import { type Db, sql } from '../../database/db.ts';
import { APPOINTMENTS } from '../appointments/index.ts';

/** The numbers of bookings made in a period by patients themselves and by staff. */
interface BookingsOfPeriod {
  /** '2026-11-21', or '2026-11' when the range is longer than 31 days. */
  readonly period: string;
  readonly patient: number;
  readonly desk: number;
}

const MOST_DAYS_APART = 31;

/** The days of a range, or its months when it is long, each with its first day and the day after its last. */
export function periodsOf({ from, to }: DateSpan) {
  const dates = datesOf({ from, to });
  const byDay = daysBetween(from, to) < MOST_DAYS_APART;
  const grouped = Map.groupBy(dates, (date) => (byDay ? date : date.slice(0, 7)));
  return [...grouped].map(([period, [first = from, ...rest]]) => ({
    period,
    first,
    after: addDays(rest.at(-1) ?? first, 1),
  }));
}

/**
 * Bookings by when they were made and by whom. A booking that was moved later counts once, when it was
 * first made. A booking of a patient without an account counts as made by staff.
 */
export function bookingsByDoor(db: Db, range: DateSpan): Promise<BookingsOfPeriod[]> {
  const periods = periodsOf(range);
  const start = (of: (period: (typeof periods)[number]) => ClinicDate) =>
    periods.map((period) => startOfDay(of(period)));
  return sql<BookingsOfPeriod>(db)`
    select p.period,
           count(c.id) filter (where c.patient_id is not null and c.booked_by is null)::int as patient,
           count(c.id) filter (where c.patient_id is null or c.booked_by is not null)::int as desk
      from unnest(${periods.map(({ period }) => period)}::text[],
                  ${start(({ first }) => first)}::bigint[],
                  ${start(({ after }) => after)}::bigint[]) as p (period, from_s, to_s)
      left join ${APPOINTMENTS} c on c.created_at_s >= p.from_s and c.created_at_s < p.to_s
       and c.rescheduled_from is null and c.was_booked
     group by p.period order by p.period`;
}

/** How many appointments were wanted, cancelled ones too, by weekday and hour of their start. */
export async function demand(db: Db, { from, to }: DateSpan) {
  const starts = await sql<{ start: EpochSeconds; appointments: number }>(db)`
    select c.start_s as start, count(*)::int as appointments from ${APPOINTMENTS} c
     where c.clinic_date between ${from}::date and ${to}::date
       and c.was_booked and c.state <> 'rescheduled'
     group by c.start_s`;
  const sums = new Map<string, { weekday: Weekday; hour: number; appointments: number }>();
  for (const { start, appointments } of starts) {
    const { weekday, time } = toClinic(start);
    const hour = Number(time.slice(0, 2));
    const key = `${weekday} ${hour}`;
    const sum = sums.get(key)?.appointments ?? 0;
    sums.set(key, { weekday, hour, appointments: sum + appointments });
  }
  return [...sums.values()];
}

/** The groups of lead times in days: each begins at its number and ends before the next one. */
const LEAD_FROM = [0, 1, 2, 4, 8, 15, 31];

/** How far ahead the bookings of some days were made, in whole days of 24 hours. */
export async function leadTimes(db: Db, { from, to }: DateSpan) {
  const [row] = await sql<{ counts: number[]; median: number | null }>(db)`
    with lead as (
      select greatest(0, c.start_s - c.created_at_s) / 86400 as days
        from ${APPOINTMENTS} c
       where c.created_at_s >= ${startOfDay(from)} and c.created_at_s < ${startOfDay(addDays(to, 1))}
         and c.rescheduled_from is null and c.was_booked)
    select array(select (select count(*) from lead
                          where days >= bound and (days < next or next is null))::int
                   from (select bound, lead(bound) over (order by bound) as next
                           from unnest(${LEAD_FROM}::int[]) as bound) bounds
                  order by bound) as counts,
           (select percentile_cont(0.5) within group (order by days) from lead) as median`;
  return {
    leadTimes: LEAD_FROM.map((fromDays, at) => ({ fromDays, bookings: row?.counts[at] ?? 0 })),
    medianLeadDays: row?.median ?? null,
  };
}
