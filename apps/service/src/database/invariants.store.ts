import { type Db, type Part, part, sql } from './db.ts';

/**
 * What must be true of the appointments in every snapshot of the database, as SQL: each statement returns one
 * row per violation, with a message in `says`. Run after every fault test and by `npm run check:invariants`
 * (docs/booking-and-payment.md, R-50, R-54).
 */
interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly sql: Part;
}

/** Identifies a person: by their account, or by their record when they have none. */
const WHOSE = part`coalesce(patient_id::text, 'of record ' || record_id)`;
/** Booked by a patient, or at the desk for a record: others, of a seed or an EMR, have no limits. */
const BOOKED_HERE = part`(patient_id is not null or booked_by is not null)`;
const ACTIVE = part`state in ('held', 'booked', 'registered')`;
const STANDS = part`state in ('booked', 'registered')`;
const SECURED = part`pay.state in ('capturing', 'captured')`;
const PAID_FOR = part`appointment.state in ('booked', 'registered', 'no-show', 'completed')`;
const LIVE = part`pay.state in ('created', 'requires_action', 'declined', 'cancelling')`;
/** How many seconds money may be without its appointment before that is a violation. */
const PATIENCE = 600;

const ofAppointments = (now: number): readonly Invariant[] => [
  {
    id: 'I1',
    title: 'No overlapping active appointments, but for those that staff put there',
    sql: part`
      select 'appointments ' || one.id || ' and ' || other.id || ' overlap' as says
        from appointment one
        join appointment other
          on other.provider_id = one.provider_id
         and other.id > one.id
         and other.start_s < one.end_s
         and one.start_s < other.end_s
       where one.${ACTIVE} and other.${ACTIVE}
         and not one.placed_by_staff and not other.placed_by_staff`,
  },
  {
    id: 'I6',
    title:
      'Steps are exactly those of active appointments, of ones moved away and of what the EMR has',
    sql: part`
      with wanted as (
        select provider_id, id as appointment_id, placed_by_staff as may_lack,
               generate_series(start_s - start_s % 300, end_s - 1, 300) as step_start_s
          from appointment
         where ${ACTIVE} or (state = 'rescheduled' and cancel_asked_at_s is not null)
         union all
        select provider_id, id, lacks_steps, generate_series(start_s, end_s - 1, 300)
          from busy_span
         where stands
      )
      select case
               when wanted.appointment_id is null
                 then 'step ' || step.provider_id || ' ' || step.step_start_s || ' belongs to nothing that stands'
               else 'appointment or busy span ' || wanted.appointment_id || ' lacks its step ' || wanted.step_start_s
             end as says
        from wanted
        full join appointment_step step using (provider_id, step_start_s, appointment_id)
       where wanted.appointment_id is null or (step.appointment_id is null and not wanted.may_lack)`,
  },
  {
    id: 'I7',
    title:
      'Nobody has more than two upcoming appointments and holds, but for what staff booked beyond',
    sql: part`
      select 'patient ' || ${WHOSE} || ' has ' || count(*) || ' upcoming' as says
        from appointment
       where ${BOOKED_HERE}
         and start_s > ${now}
         and not beyond_limits
         and (state = 'booked' or (state = 'held' and rescheduled_from is null))
       group by ${WHOSE}
      having count(*) > 2`,
  },
  {
    id: 'I7',
    title: 'Nobody has two appointments a day where the policy allows one, moved ones aside',
    sql: part`
      select 'patient ' || ${WHOSE} || ' has ' || count(*) || ' on ' || clinic_date as says
        from appointment
       where ${BOOKED_HERE} and once_a_day and rescheduled_from is null and ${STANDS}
       group by ${WHOSE}, clinic_date
      having count(*) > 1`,
  },
  {
    id: 'R-50',
    title: 'A moved appointment arrived exactly once, and what was not moved has no successor',
    sql: part`
      select 'appointment ' || old.id || ' is ' || old.state || ' and has ' || count(new.id) || ' successors' as says
        from appointment old
        left join appointment new
          on new.rescheduled_from = old.id and new.state not in ('held', 'released')
       group by old.id, old.state
      having count(new.id) <> case when old.state = 'rescheduled' then 1 else 0 end`,
  },
  {
    id: 'R-50',
    title: 'An appointment that moved keeps neither what was paid nor its ticklers',
    sql: part`
      select 'appointment ' || id || ' has ' || paid_cents || ' cents and ' || cardinality(ticklers) || ' ticklers' as says
        from appointment
       where state = 'rescheduled' and (paid_cents > 0 or cardinality(ticklers) > 0)`,
  },
];

/** What must be true of money and appointments (docs/booking-and-payment.md, R-40, R-44). */
const ofMoney = (now: number): readonly Invariant[] => [
  {
    id: 'I2',
    title: 'An appointment that was paid for has its money, and no more',
    sql: part`
      select 'appointment ' || appointment.id || ' of ' || appointment.paid_cents || ' cents has ' ||
             coalesce(sum(pay.amount_cents), 0) || ' cents in ' || count(pay.id) || ' payments' as says
        from appointment
        left join payment pay on pay.appointment_id = appointment.id and ${SECURED} and pay.refund_reason is null
       where ${PAID_FOR} and (appointment.paid_cents > 0 or pay.id is not null)
       group by appointment.id, appointment.paid_cents
      having count(pay.id) <> 1 or sum(pay.amount_cents) <> appointment.paid_cents`,
  },
  {
    id: 'I3',
    title: 'No money is held or taken without its appointment, unless it is kept',
    sql: part`
      select 'payment ' || pay.id || ' is ' || pay.state || ' and its appointment ' ||
             coalesce(appointment.state, 'missing') as says
        from payment pay
        left join appointment on appointment.id = pay.appointment_id
       where ${SECURED} and (appointment.id is null or not ${PAID_FOR})
         and greatest(pay.changed_at_s, coalesce(appointment.changed_at_s, 0)) < ${now - PATIENCE}`,
  },
  {
    id: 'I3',
    title: 'A fee that staff give back does not rest with the clinic',
    sql: part`
      select 'payment ' || id || ' is ' || state || ', and nobody looks at it' as says
        from payment
       where refund_reason is not null and state in ('captured', 'kept') and due_at_s is null`,
  },
  {
    id: 'I4',
    title: 'What we say is taken is what the practice ledger says is taken',
    sql: part`
      select 'payment ' || coalesce(pay.id::text, ledger.payment) || ' is ' ||
             coalesce(pay.state, 'missing') || ', the ledger says ' ||
             coalesce(ledger.status, 'nothing') as says
        from payment pay
        full join practice_intent ledger on ledger.payment = pay.id::text
       where exists (select 1 from practice_intent)
         and (case when pay.state in ('captured', 'kept') then pay.amount_cents else 0 end)
             <> (case when ledger.status = 'succeeded' and ledger.refund is null
                      then ledger.captured_cents else 0 end)
         and coalesce(pay.due_at_s, 0) = 0`,
  },
  {
    id: 'I5',
    title: 'Nobody has more than one payment under way',
    sql: part`
      select 'patient ' || pay.patient_id || ' has ' || count(*) || ' payments under way' as says
        from payment pay
       where ${LIVE}
       group by pay.patient_id
      having count(*) > 1`,
  },
  {
    id: 'I5',
    title: 'A hold is being paid for exactly while its payment is under way',
    sql: part`
      select 'appointment ' || appointment.id || ' is ' || appointment.state ||
             case when appointment.paying then ', being paid for' else '' end || ', with ' ||
             count(pay.id) || ' payments under way' as says
        from appointment
        left join payment pay on pay.appointment_id = appointment.id and ${LIVE}
       where appointment.paying or appointment.state = 'held'
       group by appointment.id, appointment.state, appointment.paying
      having appointment.paying <> (count(pay.id) > 0) or (appointment.paying and appointment.state <> 'held')`,
  },
];

/**
 * Every violation, each with its invariant's name; empty for a healthy database. `now` is in epoch seconds.
 */
export async function violations(on: Pick<Db, '$client'>, now: number): Promise<string[]> {
  const found: string[] = [];
  for (const { id, title, sql: statement } of [...ofAppointments(now), ...ofMoney(now)])
    for (const { says } of await sql<{ says: string }>(on)`${statement}`)
      found.push(`${id} (${title}): ${says}`);
  return found;
}
