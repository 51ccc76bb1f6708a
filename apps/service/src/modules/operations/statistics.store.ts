import { type ClinicDate, addDays, startOfDay } from '@clinic/domain';
import { type Db, sql } from '../../database/db.ts';
import { CANCELLATIONS } from '../../security/audit.store.ts';
import { APPOINTMENTS } from '../appointments/index.ts';
import { offeredMinutes } from '../records/index.ts';

const NOTHING = {
  bookings: 0,
  patients: 0,
  offeredMinutes: 0,
  bookedMinutes: 0,
  cancelledByPatient: 0,
  cancelledByClinic: 0,
  rescheduled: 0,
};

/** One doctor's month, or the clinic's when `provider` is 'all'. */
export type StatisticsRow = { month: string; provider: string } & typeof NOTHING;

export const STATISTICS_COLUMNS = [
  'month',
  'provider',
  ...Object.keys(NOTHING),
] as readonly (keyof StatisticsRow)[];

/**
 * Appointments by the month in which they were to be: a booking is an appointment that stood or was
 * given up, a moved one counts where it arrived, and `rescheduled` where it came from. Who
 * cancelled, the trail says. Offered are the minutes of work in each doctor's schedule.
 */
export async function statistics(db: Db, from: ClinicDate, to: ClinicDate) {
  const booked = await sql<Omit<StatisticsRow, 'offeredMinutes'>>(db)`
    with counted as (
      select to_char(c.clinic_date, 'YYYY-MM') as month, c.provider_id, c.state,
             coalesce(c.patient_id::text, c.record_id) as who,
             (c.end_s - c.start_s) / 60 as minutes, coalesce(e.by_clinic, false) as by_clinic
        from ${APPOINTMENTS} c left join ${CANCELLATIONS} e on e.id = c.id::text
       where c.start_s >= ${startOfDay(from)} and c.start_s < ${startOfDay(addDays(to, 1))}
         and c.state not in ('held', 'released'))
    select month, coalesce(provider_id, 'all') as provider,
           count(*) filter (where state <> 'rescheduled')::int as bookings,
           count(distinct who)::int as patients,
           coalesce(sum(minutes) filter (where state not in ('cancelled', 'rescheduled')), 0)::int as "bookedMinutes",
           count(*) filter (where state = 'cancelled' and not by_clinic)::int as "cancelledByPatient",
           count(*) filter (where state = 'cancelled' and by_clinic)::int as "cancelledByClinic",
           count(*) filter (where state = 'rescheduled')::int as rescheduled
      from counted group by grouping sets ((month, provider_id), (month))`;
  const rows = new Map(
    booked.map((row) => [`${row.month} ${row.provider}`, { ...row, offeredMinutes: 0 }]),
  );
  for (const { month, providerId, minutes } of await offeredMinutes(db, from, to))
    for (const provider of [providerId, 'all']) {
      const key = `${month} ${provider}`;
      const row = rows.get(key) ?? { ...NOTHING, month, provider };
      rows.set(key, { ...row, offeredMinutes: row.offeredMinutes + minutes });
    }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
