import type { ClinicDate, FeeRow } from '@clinic/domain';

import { type Db, type Part, part, sql } from '../../database/db.ts';

/** The fee on a day, for a type and an eligibility given as expressions of the surrounding statement. */
export const feeOn = (type: Part, eligibility: Part, day: Part) => part`(
  select charge_cents from fee_policy
   where type = ${type} and eligibility = ${eligibility} and valid_from <= ${day}
   order by valid_from desc limit 1)`;

/** What each type costs each eligibility on a day: the newest row of each pair that is valid by then. */
export function feesOn(db: Db, day: ClinicDate) {
  return sql<FeeRow>(db, 'fees-on')`
    select distinct on (type, eligibility) type, eligibility, charge_cents as "chargeCents"
      from fee_policy where valid_from <= ${day}::date
     order by type, eligibility, valid_from desc`;
}

export interface Fee extends Pick<FeeRow, 'type' | 'eligibility'> {
  readonly validFrom: ClinicDate;
  /** In cents. */
  readonly charge: number;
}

/** The fees that apply on a day or begin to apply after it. */
export const standingFees = (db: Db, day: ClinicDate) =>
  sql<Fee>(db, 'standing-fees')`
    select type, eligibility, valid_from::text as "validFrom", charge_cents as charge
      from fee_policy f
     where not exists (select from fee_policy newer
                        where newer.type = f.type and newer.eligibility = f.eligibility
                          and newer.valid_from > f.valid_from and newer.valid_from <= ${day}::date)`;
