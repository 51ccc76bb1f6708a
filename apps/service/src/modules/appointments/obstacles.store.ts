import { INACTIVE_PROVIDER_COMMENT, NOT_WORKING } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';

import { type Db, sql } from '../../database/db.ts';

/** What the clinic's own tables lack, so that nobody can book, whoever it is. */
export interface BookingFacts {
  /** Types, other than the refill that another site takes, that have a fee today. */
  readonly types: boolean;
  readonly fees: boolean;
  /** Providers who are active and offered to patients. */
  readonly providers: boolean;
  /** A day from today on, on which one of them works. */
  readonly schedule: boolean;
  /** Some type costs something today. */
  readonly charges: boolean;
}

export async function bookingFacts(db: Db, today: ClinicDate): Promise<BookingFacts> {
  const [row] = await sql<BookingFacts>(db)`
    with fee as (
      select distinct on (f.type, f.eligibility) f.charge_cents
        from fee_policy f join appointment_type t on t.code = f.type
       where f.valid_from <= ${today}::date and f.type <> 'F'
       order by f.type, f.eligibility, f.valid_from desc),
    offered as (
      select p.id from records_provider p left join provider_policy o on o.provider_id = p.id
       where p.status = '1' and not coalesce(o.hidden, false)
         and (not coalesce(o.disabled, false) or o.comment = ${INACTIVE_PROVIDER_COMMENT}))
    select exists (select from appointment_type where code <> 'F') as types,
           exists (select from fee) as fees,
           exists (select from offered) as providers,
           exists (select from schedule_day d join offered on offered.id = d.provider_id
                    where d.clinic_date >= ${today}::date
                      and replace(d.codes, ${NOT_WORKING}, '') <> '') as schedule,
           exists (select from fee where charge_cents > 0) as charges`;
  if (row === undefined) throw new Error('A query without a from always has a row');
  return row;
}
