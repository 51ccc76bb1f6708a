import type { ClinicDate, EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';

/** Somebody's appointment on a doctor's day. */
export interface DayAppointment {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: string | null;
  readonly recordId: string;
  readonly start: EpochSeconds;
  readonly state: 'held' | 'booked' | 'registered';
  readonly paidCents: number;
  /** Being paid for, or being booked in the records: only that ends it. */
  readonly underWay: boolean;
}

const onDay: Statement = {
  name: 'appointments-on-day',
  text: `select id, patient_id as "patientId", record_id as "recordId", start_s as start, state,
                paid_cents as "paidCents", (confirming or paying) as "underWay"
           from appointment
          where provider_id = $1 and clinic_date = $2::date and start_s > $3
            and state in ('held', 'booked', 'registered')
          order by start_s`,
};

/** What still stands on a doctor's day after an instant. */
export const appointmentsOnDay = (
  db: Db,
  providerId: string,
  day: ClinicDate,
  after: EpochSeconds,
): Promise<DayAppointment[]> => run<DayAppointment>(db, onDay, [providerId, day, after]);

const endOne: Statement = {
  name: 'appointments-end-without-account',
  text: `with ended as (
           update appointment set state = 'cancelled', sequence = sequence + 1, changed_at_s = $2
            where id = $1 and patient_id is null and state in ('booked', 'registered') returning id),
         freed as (delete from appointment_step where appointment_id in (select id from ended))
         select id from ended`,
};

/** Ends the appointment of a record without an account; false when it stood no more. */
export async function endWithoutAccount(tx: Tx, id: string, now: EpochSeconds): Promise<boolean> {
  return (await run(tx, endOne, [id, now])).length > 0;
}
