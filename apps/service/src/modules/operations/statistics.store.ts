import { addDays, startOfDay } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import { run } from '../../database/statement.ts';

/** One doctor's month, or the clinic's when `provider` is 'all'. */
export interface StatisticsRow {
  readonly month: string;
  readonly provider: string;
  readonly bookings: number;
  readonly patients: number;
  readonly offeredMinutes: number;
  readonly bookedMinutes: number;
  readonly cancelledByPatient: number;
  readonly cancelledByClinic: number;
  readonly rescheduled: number;
}

/** Minutes of work that a doctor's schedule offered in a month. */
export interface Offered {
  readonly month: string;
  readonly providerId: string;
  readonly minutes: number;
}

/** Stands for the clinic among the providers. */
const ALL = 'all';

export const STATISTICS_COLUMNS = [
  'month',
  'provider',
  'bookings',
  'patients',
  'offeredMinutes',
  'bookedMinutes',
  'cancelledByPatient',
  'cancelledByClinic',
  'rescheduled',
] as const satisfies readonly (keyof StatisticsRow)[];

/**
 * Appointments by the month in which they were to be: a booking is an appointment that stood or was given up, a
 * moved one counts where it arrived, and `rescheduled` where it came from. Who cancelled, the trail
 * says.
 */
export async function statistics(
  db: Db,
  from: ClinicDate,
  to: ClinicDate,
  offered: readonly Offered[],
): Promise<StatisticsRow[]> {
  const appointments = await run<Omit<StatisticsRow, 'offeredMinutes'>>(
    db,
    { name: '', text: LISTED },
    [startOfDay(from), startOfDay(addDays(to, 1))],
  );
  const rows = new Map<string, StatisticsRow>();
  const keyOf = ({ month, provider }: Pick<StatisticsRow, 'month' | 'provider'>) =>
    `${month} ${provider}`;
  for (const row of appointments) rows.set(keyOf(row), { ...row, offeredMinutes: 0 });
  for (const { month, providerId, minutes } of offered)
    for (const provider of [providerId, ALL]) {
      const row = rows.get(keyOf({ month, provider })) ?? { ...NOTHING, month, provider };
      rows.set(keyOf(row), { ...row, offeredMinutes: row.offeredMinutes + minutes });
    }
  return [...rows.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const NOTHING = {
  offeredMinutes: 0,
  bookings: 0,
  patients: 0,
  bookedMinutes: 0,
  cancelledByPatient: 0,
  cancelledByClinic: 0,
  rescheduled: 0,
};

const LISTED = `
  with ended as (
    select split_part(subject, ':', 2) as id, bool_or(actor like 'clinic:%') as by_clinic
      from audit where action = 'appointment cancelled' group by 1),
  appointment as (
    select to_char(c.clinic_date, 'YYYY-MM') as month, c.provider_id, c.state,
           coalesce(c.patient_id::text, c.record_id) as who, (c.end_s - c.start_s) / 60 as minutes,
           coalesce(e.by_clinic, false) as by_clinic
      from appointment c left join ended e on e.id = c.id::text
     where c.start_s >= $1 and c.start_s < $2 and c.state not in ('held', 'released'))
  select month, coalesce(provider_id, 'all') as provider,
         count(*) filter (where state <> 'rescheduled')::int as bookings,
         count(distinct who)::int as patients,
         coalesce(sum(minutes) filter (where state not in ('cancelled', 'rescheduled')), 0)::int as "bookedMinutes",
         count(*) filter (where state = 'cancelled' and not by_clinic)::int as "cancelledByPatient",
         count(*) filter (where state = 'cancelled' and by_clinic)::int as "cancelledByClinic",
         count(*) filter (where state = 'rescheduled')::int as rescheduled
    from appointment group by grouping sets ((month, provider_id), (month))`;
