import { ELIGIBILITIES, INACTIVE_PROVIDER_COMMENT, NOT_WORKING } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';

import { type Db, part, sql } from '../../database/db.ts';
import { PROVIDERS, TEMPLATES } from '../records/index.ts';
import { APPOINTMENT_TYPES, PROVIDER_POLICIES, feeOn } from '../schedule/index.ts';

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
  const fee = feeOn(part`type.code`, part`eligible.as`, part`${today}::date`);
  const [facts] = await sql<BookingFacts>(db, 'booking-facts')`
    with type as (select code from ${APPOINTMENT_TYPES} each where code <> 'F'),
    fee as (
      select charged.charge_cents
        from type cross join unnest(${ELIGIBILITIES}::text[]) as eligible ("as")
             cross join lateral ${fee} charged),
    offered as (
      select r.id from ${PROVIDERS} r left join ${PROVIDER_POLICIES} o on o.provider_id = r.id
       where r.active and not coalesce(o.hidden, false)
         and (not coalesce(o.disabled, false) or o.comment = ${INACTIVE_PROVIDER_COMMENT}))
    select exists (select from type) as types,
           exists (select from fee) as fees,
           exists (select from offered) as providers,
           exists (select from ${TEMPLATES} d join offered on offered.id = d.provider_id
                    where d.clinic_date >= ${today}::date
                      and replace(d.codes, ${NOT_WORKING}, '') <> '') as schedule,
           exists (select from fee where charge_cents > 0) as charges`;
  if (facts === undefined) throw new Error('A query without a from always has a row');
  return facts;
}
