import { type Doctor, type EpochSeconds, doctorName, toClinic } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS, FEE_DUE } from '../../appointments/index.ts';
import { PROVIDERS } from '../../records/index.ts';
import { PROVIDER_POLICIES, typesNamedTo } from '../../schedule/index.ts';

/** The appointment types that a record had, the most frequent first. */
export async function usualTypes(db: Db, recordId: string): Promise<string[]> {
  const rows = await sql<{ type: string }>(db, 'desk-usual-types')`
    select c.type from ${DESK_APPOINTMENTS} c
     where c.record_id = ${recordId}
       and c.kept_its_time
     group by c.type order by count(*) desc, max(c.start_s) desc`;
  return rows.map(({ type }) => type);
}

/** What a record has booked ahead, and of today also what has begun and has a fee due; with `whose`, or with all when it is null. */
export async function upcomingOf(
  db: Db,
  recordId: string,
  whose: string | null,
  now: EpochSeconds,
  reader: Locale,
) {
  type Row = Doctor & {
    readonly start: EpochSeconds;
    readonly type: string;
    readonly description: string;
    readonly feeDue: number | null;
  };
  const rows = await sql<Row>(db, 'desk-upcoming')`
    select c.id, c.start_s as start, c.type, coalesce(t.description, c.type) as description,
           ${FEE_DUE} as "feeDue",
           coalesce(r.first_name, '') as "firstName", coalesce(r.last_name, '') as "lastName"
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
      left join ${PROVIDERS} r on r.id = c.provider_id
     where c.record_id = ${recordId} and c.is_booked
       and (c.start_s > ${now} or (c.clinic_date = ${toClinic(now).date}::date and ${FEE_DUE} is not null))
       and (${whose}::text is null or c.provider_id = ${whose}::text)
     order by c.start_s`;
  return rows.map((row) => ({ ...row, provider: doctorName(row) }));
}

/** All providers who work at the clinic, including those hidden from patients. */
export const providersAtDesk = async (db: Db) =>
  named(
    await sql<Doctor>(db, 'desk-active-providers')`
      select r.id, r.first_name as "firstName", r.last_name as "lastName" from ${PROVIDERS} r
       where r.active order by r.last_name, r.first_name, r.id`,
  );

/** Those of them whom staff can book; only the one of `whose` unless it is null. */
export const providersToBook = async (db: Db, whose: string | null) =>
  named(
    await sql<Doctor>(db, 'desk-bookable-providers')`
      select r.id, r.first_name as "firstName", r.last_name as "lastName" from ${PROVIDERS} r
        join ${PROVIDER_POLICIES} pp on pp.provider_id = r.id
       where pp.bookable and (${whose}::text is null or r.id = ${whose}::text) order by r.last_name, r.first_name, r.id`,
  );

const named = (providers: readonly Doctor[]) =>
  providers.map((provider) => ({ id: provider.id, name: doctorName(provider) }));
