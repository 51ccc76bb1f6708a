import { doctorName } from '@clinic/domain';
import { type Db, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { undecidedMissing } from '../../emr/index.ts';
import { PROVIDERS } from '../../records/index.ts';

/** Appointments ahead that are gone from the EMR until staff decide, the first to begin first. */
export async function missingAtDesk(db: Db, now: number) {
  type Row = Record<'firstName' | 'lastName', string> &
    Record<'id' | 'providerId', string> & { readonly start: number; readonly until: number | null };
  const rows = await sql<Row>(db, 'acts-gone')`
    select g.id, a.provider_id as "providerId", a.start_s as start, g.until_s as until,
           coalesce(p.first_name, '') as "firstName", coalesce(p.last_name, '') as "lastName"
      from ${undecidedMissing(now)} g join ${DESK_APPOINTMENTS} a on a.id = g.id
      left join ${PROVIDERS} p on p.id = a.provider_id
     order by a.start_s, a.provider_id, g.id`;
  return rows.map(({ id, start, until, providerId, firstName, lastName }) => ({
    id,
    start,
    until,
    provider: lastName === '' ? providerId : doctorName({ firstName, lastName }),
  }));
}
