import type { Invariant } from './invariants.ts';

const SECURED = `pay.state in ('capturing', 'captured')`;
const STANDS = `appointment.state in ('booked', 'registered', 'no-show', 'completed')`;
const LIVE = `pay.state in ('created', 'requires_action', 'declined', 'cancelling')`;
/** How long money may be without its appointment, in seconds, until somebody has looked. */
const PATIENCE = 600;

/** What must be true of money and appointments (docs/booking-and-payment.md, R-40, R-44). */
export const paymentInvariants: readonly Invariant[] = [
  {
    id: 'I2',
    title: 'A visit that was paid for has its money, and no more',
    sql: `
      select 'appointment ' || appointment.id || ' of ' || appointment.paid_cents || ' cents has ' ||
             coalesce(sum(pay.amount_cents), 0) || ' cents in ' || count(pay.id) || ' payments' as says
        from appointment
        left join payment pay on pay.appointment_id = appointment.id and ${SECURED}
       where ${STANDS} and (appointment.paid_cents > 0 or pay.id is not null)
       group by appointment.id, appointment.paid_cents
      having count(pay.id) <> 1 or sum(pay.amount_cents) <> appointment.paid_cents`,
  },
  {
    id: 'I3',
    title: 'No money is held or taken without its visit, unless it is kept',
    takesNow: true,
    sql: `
      select 'payment ' || pay.id || ' is ' || pay.state || ' and its appointment ' ||
             coalesce(appointment.state, 'missing') as says
        from payment pay
        left join appointment on appointment.id = pay.appointment_id
       where ${SECURED} and (appointment.id is null or not ${STANDS})
         and greatest(pay.changed_at_s, coalesce(appointment.changed_at_s, 0)) < $1 - ${PATIENCE}`,
  },
  {
    id: 'I4',
    title: 'What we say is taken is what the practice ledger says is taken',
    sql: `
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
    sql: `
      select 'patient ' || pay.patient_id || ' has ' || count(*) || ' payments under way' as says
        from payment pay
       where ${LIVE}
       group by pay.patient_id
      having count(*) > 1`,
  },
  {
    id: 'I5',
    title: 'A hold is being paid for exactly while its payment is under way',
    sql: `
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
