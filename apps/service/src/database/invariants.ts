import { paymentInvariants } from './invariants-payments.ts';

/**
 * What must be true of the appointments in every snapshot of the database, as SQL: each statement gives
 * one row per violation, `says` being its words. Run after every fault test and by
 * `npm run check:invariants` (docs/booking-and-payment.md, R-50, R-54).
 */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly sql: string;
  /** $1 is now in epoch seconds; the others take no parameter. */
  readonly takesNow?: true;
}

const ACTIVE = `state in ('held', 'booked', 'registered')`;
const STANDS = `state in ('booked', 'registered')`;

const appointmentInvariants: readonly Invariant[] = [
  {
    id: 'I1',
    title: 'No overlapping active appointments',
    sql: `
      select 'appointments ' || one.id || ' and ' || other.id || ' overlap' as says
        from appointment one
        join appointment other
          on other.provider_id = one.provider_id
         and other.id > one.id
         and other.start_s < one.end_s
         and one.start_s < other.end_s
       where one.${ACTIVE} and other.${ACTIVE}`,
  },
  {
    id: 'I6',
    title: 'Steps are exactly the steps of active appointments',
    sql: `
      with wanted as (
        select provider_id, id as appointment_id,
               generate_series(start_s - start_s % 300, end_s - 1, 300) as step_start_s
          from appointment
         where ${ACTIVE}
      )
      select case
               when wanted.appointment_id is null
                 then 'step ' || step.provider_id || ' ' || step.step_start_s || ' belongs to no active appointment'
               else 'appointment ' || wanted.appointment_id || ' lacks its step ' || wanted.step_start_s
             end as says
        from wanted
        full join appointment_step step using (provider_id, step_start_s, appointment_id)
       where (wanted.appointment_id is null or step.appointment_id is null)`,
  },
  {
    id: 'I7',
    title: 'Nobody has more than two upcoming visits and holds',
    takesNow: true,
    sql: `
      select 'patient ' || patient_id || ' has ' || count(*) || ' upcoming' as says
        from appointment
       where patient_id is not null
         and start_s > $1
         and (state = 'booked' or (state = 'held' and rescheduled_from is null))
       group by patient_id
      having count(*) > 2`,
  },
  {
    id: 'I7',
    title: 'Nobody has two visits a day where the policy allows one, moved visits aside',
    sql: `
      select 'patient ' || patient_id || ' has ' || count(*) || ' on ' || clinic_date as says
        from appointment
       where once_a_day and rescheduled_from is null and ${STANDS}
       group by patient_id, clinic_date
      having count(*) > 1`,
  },
  {
    id: 'R-50',
    title: 'A moved visit arrived exactly once, and what was not moved has no successor',
    sql: `
      select 'appointment ' || old.id || ' is ' || old.state || ' and has ' || count(new.id) || ' successors' as says
        from appointment old
        left join appointment new
          on new.rescheduled_from = old.id and new.state not in ('held', 'released')
       group by old.id, old.state
      having count(new.id) <> case when old.state = 'rescheduled' then 1 else 0 end`,
  },
  {
    id: 'R-50',
    title: 'A visit that moved keeps neither what was paid nor its ticklers',
    sql: `
      select 'appointment ' || id || ' has ' || paid_cents || ' cents and ' || cardinality(ticklers) || ' ticklers' as says
        from appointment
       where state = 'rescheduled' and (paid_cents > 0 or cardinality(ticklers) > 0)`,
  },
];

export const invariants: readonly Invariant[] = [...appointmentInvariants, ...paymentInvariants];

/** Runs one statement and gives its rows. */
export type Ask = (
  sql: string,
  parameters: readonly number[],
) => Promise<readonly { readonly says: string }[]>;

/** Every violation, each with its invariant's name; none is what a healthy database answers. */
export async function violations(ask: Ask, now: number): Promise<string[]> {
  const found: string[] = [];
  for (const { id, title, sql, takesNow } of invariants) {
    for (const { says } of await ask(sql, takesNow ? [now] : []))
      found.push(`${id} (${title}): ${says}`);
  }
  return found;
}
