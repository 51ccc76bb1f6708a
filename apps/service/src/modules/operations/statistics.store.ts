import { type DateSpan, addDays, startOfDay } from '@clinic/domain';
import { type Db, part, sql } from '../../database/db.ts';
import { CANCELLATIONS } from '../../security/audit.store.ts';
import { APPOINTMENTS } from '../appointments/index.ts';
import { csvOf } from '../../server/table-text.ts';
import { offeredMinutes } from '../records/index.ts';

const NOTHING = {
  bookings: 0,
  patients: 0,
  offeredMinutes: 0,
  bookedMinutes: 0,
  cancelledByPatient: 0,
  cancelledByClinic: 0,
  rescheduled: 0,
  rescheduledByClinic: 0,
  registered: 0,
  noShows: 0,
};

/** A month of one doctor, or of the clinic when `provider` is 'all'; the whole range when `month` is ''. */
export type StatisticsRow = { month: string; provider: string } & typeof NOTHING;

const STATISTICS_COLUMNS = [
  'month',
  'provider',
  ...Object.keys(NOTHING),
] as readonly (keyof StatisticsRow)[];

/**
 * Appointments by the month for which they were booked. `bookings` counts appointments that stood or were
 * cancelled; a moved one counts there at its new time, and in `rescheduled` at its old time. The trail says
 * who cancelled; what staff cancel or move because the patient asked for it counts as the patient's.
 * `registered` counts patients who came, `offeredMinutes` the work in each doctor's schedule.
 */
export async function statistics(
  db: Db,
  { from, to }: DateSpan,
  by: 'month' | 'range' = 'month',
): Promise<StatisticsRow[]> {
  const monthOf = by === 'month' ? part`to_char(c.clinic_date, 'YYYY-MM')` : part`''`;
  const booked = await sql<Omit<StatisticsRow, 'offeredMinutes'>>(db)`
    with counted as (
      select ${monthOf} as month, c.provider_id, c.state,
             coalesce(c.patient_id::text, c.record_id) as who,
             (c.end_s - c.start_s) / 60 as minutes, coalesce(e.by_clinic, false) as by_clinic,
             c.state = 'rescheduled' and exists (
               select 1 from ${APPOINTMENTS} n
                where n.rescheduled_from = c.id and n.booked_by is not null and n.moved_by_clinic
                  and n.was_booked) as moved_by_clinic
        from ${APPOINTMENTS} c left join ${CANCELLATIONS} e on e.id = c.id::text
       where c.start_s >= ${startOfDay(from)} and c.start_s < ${startOfDay(addDays(to, 1))}
         and c.was_booked)
    select month, coalesce(provider_id, 'all') as provider,
           count(*) filter (where state <> 'rescheduled')::int as bookings,
           count(distinct who)::int as patients,
           coalesce(sum(minutes) filter (where state not in ('cancelled', 'rescheduled')), 0)::int as "bookedMinutes",
           count(*) filter (where state = 'cancelled' and not by_clinic)::int as "cancelledByPatient",
           count(*) filter (where state = 'cancelled' and by_clinic)::int as "cancelledByClinic",
           count(*) filter (where state = 'rescheduled')::int as rescheduled,
           count(*) filter (where moved_by_clinic)::int as "rescheduledByClinic",
           count(*) filter (where state in ('registered', 'completed'))::int as registered,
           count(*) filter (where state = 'noShow')::int as "noShows"
      from counted group by grouping sets ((month, provider_id), (month))`;
  const rows = new Map(
    booked.map((row) => [`${row.month} ${row.provider}`, { ...row, offeredMinutes: 0 }]),
  );
  for (const { month: inMonth, providerId, minutes } of await offeredMinutes(db, from, to))
    for (const provider of [providerId, 'all']) {
      const month = by === 'month' ? inMonth : '';
      const key = `${month} ${provider}`;
      const row = rows.get(key) ?? { ...NOTHING, month, provider };
      rows.set(key, { ...row, offeredMinutes: row.offeredMinutes + minutes });
    }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** The statistics by month as a CSV file for a spreadsheet. */
export async function statisticsFile(db: Db, range: DateSpan) {
  const rows = await statistics(db, range);
  const lines = rows.map((row) => STATISTICS_COLUMNS.map((column) => row[column]));
  return {
    name: `statistics-${range.from}-${range.to}.csv`,
    rows: rows.length,
    csv: csvOf([STATISTICS_COLUMNS, ...lines]),
  };
}
