import type { Statement } from '../../database/statement.ts';
import { READ_COLUMNS } from './appointment-rows.ts';
import { DERIVED } from './request-key.ts';

/**
 * The statements that take, move and free steps. Each is one round trip: the steps come first, in
 * ascending order, and the appointment's row follows only when all of them were free.
 */

/** $1 appointment, $2 provider, $3 start, $4 end. Rivals queue here, on the primary key of the steps. */
const TAKE_STEPS = `
  steps as (
    insert into appointment_step (provider_id, step_start_s, appointment_id)
    select $2, step, $1::uuid from generate_series($3::bigint, $4::bigint - 1, 300) as step
    on conflict do nothing returning 1)`;
const ALL_TAKEN = `(select count(*) from steps) = (($4::bigint - $3::bigint) + 299) / 300`;

/** A hold that ended keeps nothing of what the patient wrote. */
const LAPSED = `state = 'released', confirming = false, paying = false, request_key = null,
                answers_sealed = null, contact_preference = null`;
/** One that was given up, or replaced by another, also loses its end: that tells it from one that lapsed. */
const RELEASED = `${LAPSED}, hold_expires_at_s = null`;

const APPOINTMENT_COLUMNS = `id, provider_id, start_s, end_s, patient_id, record_id, clinic_date, type`;
const APPOINTMENT_VALUES = `$1::uuid, $2, $3::bigint, $4::bigint, $5::uuid, $6, $7::date, $8`;

export const takeHold: Statement = {
  name: 'appointments-take-hold',
  text: `with ${TAKE_STEPS}
    insert into appointment (${APPOINTMENT_COLUMNS}, state, hold_placed_at_s, hold_expires_at_s,
                       rescheduled_from, created_at_s, changed_at_s)
    select ${APPOINTMENT_VALUES}, 'held', $9::bigint, $10::bigint, $11::uuid, $9::bigint, $9::bigint
     where ${ALL_TAKEN}
    returning id`,
};

export const takeBooked: Statement = {
  name: 'appointments-take-appointment',
  text: `with ${TAKE_STEPS}
    insert into appointment (${APPOINTMENT_COLUMNS}, state, once_a_day, request_key, booking_number,
                       answers_sealed, is_cancellable, rescheduled_from, paid_cents, ticklers,
                       checkin, sequence, created_at_s, changed_at_s, contact_preference)
    select ${APPOINTMENT_VALUES}, 'booked', $9::boolean, $10, $11, $12::bytea, $13::boolean, $14::uuid,
           $15::integer, $16::text[], $17, $18::integer, $19::bigint, $19::bigint, $20
     where ${ALL_TAKEN}
    returning id`,
};

/**
 * A hold on another slot in place of $12. The old steps go only when the new ones were all free;
 * counting the freed appointment makes it let go of 'one hold per patient' before the new row comes.
 */
export const moveHold: Statement = {
  name: 'appointments-move-hold',
  text: `with ${TAKE_STEPS},
    gone as (
      update appointment set ${RELEASED}, changed_at_s = $9
       where id = $12::uuid and state = 'held' and not paying and ${ALL_TAKEN} returning id),
    freed as (delete from appointment_step where appointment_id in (select id from gone))
    insert into appointment (${APPOINTMENT_COLUMNS}, state, hold_placed_at_s, hold_expires_at_s,
                       rescheduled_from, created_at_s, changed_at_s)
    select ${APPOINTMENT_VALUES}, 'held', $9::bigint, $10::bigint, $11::uuid, $9::bigint, $9::bigint
     where ${ALL_TAKEN} and (select count(*) from gone) >= 0
    returning id`,
};

export const renewHold: Statement = {
  name: 'appointments-renew-hold',
  text: `update appointment set type = $2, hold_placed_at_s = $3, hold_expires_at_s = $4,
                rescheduled_from = $5::uuid, changed_at_s = $6
          where id = $1 and state = 'held' and not confirming and not paying
         returning id`,
};

const DETAILS = `
  type = $2, once_a_day = $3, request_key = $4, booking_number = $5, answers_sealed = $6,
  is_cancellable = $7, rescheduled_from = $8::uuid, paid_cents = $9, ticklers = $10::text[],
  checkin = $11, sequence = $12, changed_at_s = $13, contact_preference = $14`;
const BOOKED = `state = 'booked', confirming = false, paying = false, hold_expires_at_s = null`;

export const confirm: Statement = {
  name: 'appointments-confirm',
  text: `update appointment set ${BOOKED}, ${DETAILS}
          where id = $1 and state = 'held' and not confirming and not paying returning id`,
};

export const awaitEmr: Statement = {
  name: 'appointments-await-records',
  text: `update appointment set confirming = true, ${DETAILS}
          where id = $1 and state = 'held' and not confirming and not paying returning id`,
};

/** $15 and $16: from when and until when it is held. */
export const awaitPayment: Statement = {
  name: 'appointments-await-payment',
  text: `update appointment set paying = true, ${DETAILS}, hold_placed_at_s = $15, hold_expires_at_s = $16
          where id = $1 and state = 'held' and not confirming and not paying returning id`,
};

export const prolongPaying: Statement = {
  name: 'appointments-prolong-paying',
  text: `update appointment set hold_expires_at_s = $2, changed_at_s = $3,
                answers_sealed = coalesce($4::bytea, answers_sealed),
                contact_preference = case when $4::bytea is null then contact_preference else $5 end
          where id = $1 and state = 'held' and paying returning id`,
};

export const settlePaid: Statement = {
  name: 'appointments-settle-paid',
  text: `update appointment c set ${BOOKED}, changed_at_s = $2
          where c.id = $1 and c.state = 'held' and c.paying returning ${READ_COLUMNS}`,
};

export const stopPaying: Statement = {
  name: 'appointments-stop-paying',
  text: `update appointment set paying = false, request_key = null, paid_cents = 0, changed_at_s = $2
          where id = $1 and state = 'held' and paying returning id`,
};

export const lockAppointment: Statement = {
  name: 'appointments-lock-appointment',
  text: `select ${READ_COLUMNS} from appointment c where c.id = $1 for update`,
};

export const sealedAnswers: Statement = {
  name: 'appointments-sealed-answers',
  text: `select answers_sealed from appointment where id = $1`,
};

export const settle: Statement = {
  name: 'appointments-settle',
  text: `update appointment c set ${BOOKED}, changed_at_s = $2
          where c.id = $1 and c.state = 'held' and c.confirming returning ${READ_COLUMNS}`,
};

export const unsettled: Statement = {
  name: 'appointments-unsettled',
  text: `select ${READ_COLUMNS}, c.patient_id from appointment c
          where c.state = 'held' and c.confirming and c.changed_at_s <= $1
          order by c.changed_at_s limit $2`,
};

/** One that lapsed is given up too: a request that comes late must not find its time free. */
export const release: Statement = {
  name: 'appointments-release',
  text: `with gone as (
      update appointment set ${RELEASED}, changed_at_s = $2
       where id = $1 and state in ('held', 'released') and hold_expires_at_s is not null and not paying
      returning id),
    freed as (delete from appointment_step where appointment_id in (select id from gone))
    select id from gone`,
};

/** Waits for an owner who is just confirming, then sees that the hold is an appointment and leaves it. */
export const releaseLapsed: Statement = {
  name: 'appointments-release-lapsed',
  text: `with gone as (
      update appointment set ${LAPSED}, changed_at_s = $4
       where state = 'held' and not confirming and not paying and hold_expires_at_s <= $4
         and id in (select appointment_id from appointment_step
                     where provider_id = $1 and step_start_s >= $2 and step_start_s < $3)
      returning id, patient_id),
    freed as (delete from appointment_step where appointment_id in (select id from gone))
    select id, patient_id from gone`,
};

export const sweepLapsed: Statement = {
  name: 'appointments-sweep-lapsed',
  text: `with lapsed as (
      select id from appointment where state = 'held' and not confirming and not paying and hold_expires_at_s <= $1
       order by hold_expires_at_s limit $2 for update skip locked),
    gone as (
      update appointment set ${LAPSED}, changed_at_s = $1
       where id in (select id from lapsed) and state = 'held' returning id, patient_id),
    freed as (delete from appointment_step where appointment_id in (select id from gone))
    select id, patient_id from gone`,
};

/** Of an appointment that moves, what was paid and the ticklers are the new one's. */
export const endAppointment: Statement = {
  name: 'appointments-end-appointment',
  text: `with ended as (
      update appointment set state = $3, sequence = sequence + 1, changed_at_s = $4,
             request_key = case when request_key like '${DERIVED}%' then null else request_key end,
             paid_cents = case when $3 = 'rescheduled' then 0 else paid_cents end,
             ticklers = case when $3 = 'rescheduled' then '{}' else ticklers end
       where id = $1 and patient_id = $2 and state in ('booked', 'registered')
      returning id, sequence),
    freed as (delete from appointment_step where appointment_id in (select id from ended))
    select sequence from ended`,
};

/** $5: what one time uses up, $6: how much may be used up at once, both in seconds. */
export const saveDraft: Statement = {
  name: 'appointments-save-draft',
  text: `with hold as (
      select id, greatest(coalesce(drafts_until_s, 0), $3::bigint) + $5::float8 as until_s
        from appointment
       where id = $4::uuid and patient_id = $1 and state = 'held' and not confirming and not paying
         and hold_expires_at_s > $3::bigint
         for update),
    kept as (
      update appointment set answers_sealed = $2, changed_at_s = $3::bigint, drafts_until_s = hold.until_s
        from hold where appointment.id = hold.id and hold.until_s <= $3::bigint + $6::float8)
    select until_s - $3::bigint - $6::float8 as over_s from hold`,
};

/** $1 patient, $2 since, $3 how many later ones are passed over. */
const made = (what: string, at: string, which: string): Statement => ({
  name: `appointments-made-${what}`,
  text: `select ${at} as made_at_s from appointment
          where patient_id = $1 and ${at} > $2 and ${which}
          order by ${at} desc offset $3 limit 1`,
});

/** What a patient did lately (S-5): a row when as many as that were made since then. */
export const counted = {
  holds: made('holds', 'created_at_s', 'hold_placed_at_s is not null'),
  bookings: made('bookings', 'created_at_s', `state not in ('held', 'released')`),
  cancellations: made('cancellations', 'changed_at_s', `state = 'cancelled'`),
};

export const lockSteps: Statement = {
  name: 'appointments-lock-steps',
  text: `select 1 from appointment_step step
           join unnest($1::text[], $2::bigint[], $3::bigint[]) as span (provider, from_s, to_s)
             on step.provider_id = span.provider
            and step.step_start_s >= span.from_s and step.step_start_s < span.to_s
          order by step.provider_id, step.step_start_s
            for update of step`,
};

/** What a slot of several steps leaves behind when only some of them were free. */
export const dropSteps: Statement = {
  name: 'appointments-drop-steps',
  text: `delete from appointment_step where appointment_id = $1`,
};
