import type { ApiChangedFee } from '@clinic/contract';
import { type EpochSeconds, toClinic } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, part, sql } from '../../../database/db.ts';
import type { Person } from '../../accounts/index.ts';
import { DESK_APPOINTMENTS, firstMade } from '../../appointments/index.ts';
import { DESK_PAYMENTS, PAID_NOW } from '../../payments/index.ts';
import { eligibilityOfRecord } from '../../records/index.ts';
import { typesNamedTo, feesOn } from '../../schedule/index.ts';

interface Ahead {
  readonly id: string;
  readonly start: EpochSeconds;
  readonly type: string;
  readonly description: string;
  readonly madeAt: EpochSeconds;
  readonly paidCents: number;
  readonly atClinicCents: number;
  readonly isTaken: boolean;
}

/** What somebody has booked ahead whose fee is due, was taken at the clinic or paid by card, or was never asked. */
const feesAhead = (db: Db, recordId: string, now: EpochSeconds, reader: Locale) =>
  sql<Ahead>(db, 'desk-fees-ahead')`
    select c.id, c.start_s as start, c.type, coalesce(t.description, c.type) as description,
           ${firstMade(part`c.id`)} as "madeAt", ${PAID_NOW} as "paidCents",
           coalesce((c.fee_at_clinic ->> 'cents')::int, 0) as "atClinicCents",
           coalesce(c.fee_at_clinic ? 'taken', false) as "isTaken"
      from ${DESK_APPOINTMENTS} c
      left join ${typesNamedTo(reader)} t on t.code = c.type
     where c.record_id = ${recordId} and c.is_booked and c.start_s > ${now} and not c.is_cancelling
       and not coalesce(c.fee_at_clinic ?| '{waived,givenBack}', false)
       and (${PAID_NOW} > 0
            or not exists (select from ${DESK_PAYMENTS} m where m.appointment_id = c.id))
     order by c.start_s`;

/**
 * The fees ahead of a person that the fees of the day of booking say otherwise for the eligibility that they have
 * now (R-127).
 */
export async function changedFees(
  db: Db,
  { recordId, account, cardProvince }: Person,
  now: EpochSeconds,
  reader: Locale,
): Promise<ApiChangedFee[]> {
  const eligibility =
    account?.closedAt === null ? account.eligibility : eligibilityOfRecord(cardProvince);
  const ahead = await feesAhead(db, recordId, now, reader);
  const dayOf = ({ madeAt }: Ahead) => toClinic(madeAt).date;
  const days = [...new Set(ahead.map(dayOf))];
  const feesOf = new Map(
    await Promise.all(days.map(async (day) => [day, await feesOn(db, day)] as const)),
  );
  return ahead.flatMap((each) => {
    const { id, start, description, paidCents, atClinicCents, isTaken } = each;
    const fee = feesOf
      .get(dayOf(each))
      ?.find((row) => row.type === each.type && row.eligibility === eligibility);
    const oldCents = paidCents || atClinicCents;
    return fee === undefined || fee.chargeCents === oldCents
      ? []
      : [
          {
            appointmentId: id,
            start,
            type: description,
            oldCents,
            newCents: fee.chargeCents,
            paidBy: paidCents > 0 ? 'card' : isTaken ? 'clinic' : null,
          },
        ];
  });
}
