import { type ClinicDate, addDays, startOfDay } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import { installation } from '../../schema.ts';

/** Maintenance that somebody announced: since when, and a sentence to patients if there is one. */
export interface Announcement {
  readonly since: number;
  readonly message: string | null;
}

const KEY = 'maintenance';

export async function readAnnouncement(db: Db): Promise<Announcement | null> {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, KEY));
  return row ? (JSON.parse(row.value) as Announcement) : null;
}

export async function writeAnnouncement(tx: Tx, announcement: Announcement): Promise<void> {
  const value = JSON.stringify(announcement);
  await tx
    .insert(installation)
    .values({ key: KEY, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
}

/** Whether there was one. */
export async function removeAnnouncement(tx: Tx): Promise<boolean> {
  const removed = await tx
    .delete(installation)
    .where(eq(installation.key, KEY))
    .returning({ key: installation.key });
  return removed.length > 0;
}

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
 * cancelled, the trail says. `offered` are the minutes of work in each doctor's schedule.
 */
export async function statistics(
  db: Db,
  from: ClinicDate,
  to: ClinicDate,
  offered: readonly { month: string; providerId: string; minutes: number }[],
): Promise<StatisticsRow[]> {
  const appointments = await run<Omit<StatisticsRow, 'offeredMinutes'>>(
    db,
    { name: '', text: BY_MONTH },
    [startOfDay(from), startOfDay(addDays(to, 1))],
  );
  const rows = new Map<string, StatisticsRow>();
  const keyOf = ({ month, provider }: { month: string; provider: string }) =>
    `${month} ${provider}`;
  for (const row of appointments) rows.set(keyOf(row), { ...row, offeredMinutes: 0 });
  for (const { month, providerId, minutes } of offered)
    for (const provider of [providerId, 'all']) {
      const row = rows.get(keyOf({ month, provider })) ?? { ...NOTHING, month, provider };
      rows.set(keyOf(row), { ...row, offeredMinutes: row.offeredMinutes + minutes });
    }
  return [...rows.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const BY_MONTH = `
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
