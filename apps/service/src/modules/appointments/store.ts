import { STEP_SECONDS, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds, Hold, SlotRequest, Span } from '@clinic/domain';

import { type Db, type Part, type Tx, part, sql } from '../../database/db.ts';
import type { RateRule } from '../../server/rates.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { StoredAppointment, Offer, AppointmentDetails } from './appointment.ts';
import { READ_COLUMNS, offered, offerOf } from './listed.store.ts';
import type { OfferRow } from './listed.store.ts';
import { DERIVED } from './ports.ts';

export interface NewAppointment extends SlotRequest {
  readonly id: string;
  readonly patientId: PatientId;
  readonly recordId: string;
}

/** From when until when a slot is held, and the appointment that the hold is to move. */
export interface HoldTerms extends Hold {
  readonly rescheduledFrom: string | null;
}

/** A hold that lapsed; whose it was, for the audit. */
export interface LapsedHold {
  readonly id: string;
  readonly patientId: string | null;
}

/** A hold, and the type that it is to have. */
type Held = Pick<SlotRequest, 'type'> & { readonly id: string };
type KeptAnswers = Pick<AppointmentDetails, 'answersSealed' | 'contactPreference'>;

/** Appointments that began this long ago may still stand on today's clinic date. */
const LOOK_BACK_SECONDS = 2 * 86_400;

/**
 * The steps of an appointment come first, in ascending order: rivals queue here, on their primary
 * key. The appointment's own row follows only when all of them were free.
 */
const takeSteps = ({ id, providerId, start, end }: NewAppointment) => part`
  steps as (
    insert into appointment_step (provider_id, step_start_s, appointment_id)
    select ${providerId}::text, step, ${id}::uuid
      from generate_series(${start}::bigint, ${end}::bigint - 1, 300) as step
    on conflict do nothing returning 1),
  free as (
    select (select count(*) from steps) = (${end}::bigint - ${start}::bigint + 299) / 300 as is_free)`;

/** A hold that ended keeps nothing of what the patient wrote. */
const LAPSED = part`state = 'released', confirming = false, paying = false, request_key = null,
                    answers_sealed = null, contact_preference = null`;
/**
 * One that was given up, or replaced by another, also loses its end: that tells it from one that
 * lapsed.
 */
const GIVEN_UP = part`${LAPSED}, hold_expires_at_s = null`;
/** Whatever the sweeper did meanwhile. */
const MAY_BE_GIVEN_UP = part`state in ('held', 'released') and hold_expires_at_s is not null and not paying`;
const FREED = part`freed as (delete from appointment_step where appointment_id in (select id from gone))`;
const IS_HELD = part`state = 'held' and not confirming and not paying`;
const BOOKED = part`state = 'booked', confirming = false, paying = false, hold_expires_at_s = null`;

/** Counting the freed hold makes it let go of 'one hold per patient' before the new row comes. */
const replace = (holdId: string | null, now: EpochSeconds) => part`
  gone as (
    update appointment set ${GIVEN_UP}, changed_at_s = ${now}
     where id = ${holdId}::uuid and ${MAY_BE_GIVEN_UP} and (select is_free from free)
    returning id),
  ${FREED}`;

const INTO = part`id, provider_id, start_s, end_s, patient_id, record_id, clinic_date, type`;
const valuesOf = ({ id, providerId, start, end, patientId, recordId, type }: NewAppointment) =>
  part`${id}::uuid, ${providerId}::text, ${start}::bigint, ${end}::bigint, ${patientId}::uuid,
       ${recordId}::text, ${toClinic(start).date}::date, ${type}::text`;

const detailsSet = (type: string, details: AppointmentDetails, now: EpochSeconds) => part`
  type = ${type}, once_a_day = ${details.onceADay}, request_key = ${details.requestKey},
  booking_number = ${details.bookingNumber}, answers_sealed = ${details.answersSealed},
  is_cancellable = ${details.isCancellable}, rescheduled_from = ${details.rescheduledFrom}::uuid,
  paid_cents = ${details.paidCents}, ticklers = ${details.ticklers}::text[],
  checkin = ${details.checkin}, sequence = ${details.sequence}, changed_at_s = ${now},
  contact_preference = ${details.contactPreference}`;

/** All steps or none: what a slot of several steps got before the first rival's goes back. */
async function allOrNone(tx: Tx, { id, start, end }: NewAppointment, taking: Promise<unknown[]>) {
  if ((await taking).length > 0) return true;
  if (end - start > STEP_SECONDS)
    await sql(
      tx,
      'appointments-drop-steps',
    )`delete from appointment_step where appointment_id = ${id}`;
  return false;
}

const any = async (rows: Promise<unknown[]>) => (await rows).length > 0;
const first = async <Row>(rows: Promise<Row[]>) => (await rows)[0] ?? null;

/** What is counted from a patient's appointments, and when each of them was made. */
export type Counted = 'holds' | 'bookings' | 'cancellations';
const made: Record<Counted, { readonly at: Part; readonly which: Part }> = {
  holds: { at: part`created_at_s`, which: part`hold_placed_at_s is not null` },
  bookings: { at: part`created_at_s`, which: part`state not in ('held', 'released')` },
  cancellations: { at: part`changed_at_s`, which: part`state = 'cancelled'` },
};

/**
 * The appointments on the providers' time, and the only way to change them. Every write takes the
 * transaction. Order of locks: patient, old appointment, steps ascending, appointment, payment.
 */
export const appointments = {
  /** Locks the patient's row and reads what the clinic offers; null without such a patient. */
  async lockPatient(
    tx: Tx,
    patientId: PatientId,
    slot: SlotRequest,
    today: ClinicDate,
  ): Promise<Offer | null> {
    const [row] = await sql<OfferRow>(tx, 'appointments-lock-offer')`
      ${offered(patientId, slot, today)} for no key update of p`;
    return row ? offerOf(row) : null;
  },

  /** Locks the patient's row alone. */
  async lockPatientOnly(tx: Tx, patientId: PatientId): Promise<void> {
    await sql(tx, 'appointments-lock-patient-only')`
      select 1 from patient where id = ${patientId} for no key update`;
  },

  /**
   * The patient's hold, what stands from two days ago on, what this request has made, and those named.
   * A statement of its own after the lock: only then does it see what the lock waited for.
   */
  standing: (
    tx: Tx,
    patientId: PatientId,
    named: { readonly requestKey: string | null; readonly ids: readonly (string | null)[] },
    now: EpochSeconds,
  ): Promise<StoredAppointment[]> =>
    sql<StoredAppointment>(tx, 'appointments-standing')`
      select ${READ_COLUMNS} from appointment c
       where c.patient_id = ${patientId}
         and (c.state = 'held'
              or (c.state in ('booked', 'registered') and c.start_s > ${now - LOOK_BACK_SECONDS})
              or c.request_key = ${named.requestKey} or c.id = any(${named.ids}::uuid[]))`,

  /**
   * Seconds until the patient may do this again; null while they have not done it as often as the
   * rule allows. Made is: a hold placed, an appointment taken or its hold placed, an appointment
   * cancelled.
   */
  async retryAfter(
    tx: Tx,
    patientId: PatientId,
    { what, rule }: { readonly what: Counted; readonly rule: RateRule },
    now: EpochSeconds,
  ): Promise<number | null> {
    const { at, which } = made[what];
    const [row] = await sql<{ madeAt: number }>(tx, `appointments-made-${what}`)`
      select ${at} as "madeAt" from appointment
       where patient_id = ${patientId} and ${at} > ${now - rule.seconds} and ${which}
       order by ${at} desc offset ${rule.count - 1} limit 1`;
    return row ? row.madeAt + rule.seconds - now : null;
  },

  /** Locks the steps of several spans in their order, so that patients who swap never deadlock. */
  async lockSteps(tx: Tx, spans: readonly Span[]): Promise<void> {
    const column = (of: (span: Span) => string | number) => spans.map(of);
    await sql(tx, 'appointments-lock-steps')`
      select 1 from appointment_step step
        join unnest(${column((span) => span.providerId)}::text[], ${column((span) => span.start)}::bigint[],
                    ${column((span) => span.end)}::bigint[]) as span (provider, from_s, to_s)
          on step.provider_id = span.provider
         and step.step_start_s >= span.from_s and step.step_start_s < span.to_s
       order by step.provider_id, step.step_start_s
         for update of step`;
  },

  /**
   * Takes all steps and holds the slot in place of another hold, or takes none and answers false.
   */
  takeHold: (
    tx: Tx,
    appointment: NewAppointment,
    terms: HoldTerms,
    replaced: string | null = null,
  ) =>
    allOrNone(
      tx,
      appointment,
      sql(tx, 'appointments-take-hold')`
        with ${takeSteps(appointment)}, ${replace(replaced, terms.heldAt)}
        insert into appointment (${INTO}, state, hold_placed_at_s, hold_expires_at_s, rescheduled_from,
                           created_at_s, changed_at_s)
        select ${valuesOf(appointment)}, 'held', ${terms.heldAt}::bigint, ${terms.until}::bigint,
               ${terms.rescheduledFrom}::uuid, ${terms.heldAt}::bigint, ${terms.heldAt}::bigint
          from free where is_free and (select count(*) from gone) >= 0
        returning id`,
    ),

  /** Takes all steps and books the slot at once, or takes none and answers false. */
  takeBooked: (
    tx: Tx,
    appointment: NewAppointment,
    {
      details,
      replaced,
    }: { readonly details: AppointmentDetails; readonly replaced: string | null },
    now: EpochSeconds,
  ) =>
    allOrNone(
      tx,
      appointment,
      sql(tx, 'appointments-take-appointment')`
        with ${takeSteps(appointment)}, ${replace(replaced, now)}
        insert into appointment (${INTO}, state, once_a_day, request_key, booking_number, answers_sealed,
                           is_cancellable, rescheduled_from, paid_cents, ticklers, checkin, sequence,
                           created_at_s, changed_at_s, contact_preference)
        select ${valuesOf(appointment)}, 'booked', ${details.onceADay}::boolean, ${details.requestKey},
               ${details.bookingNumber}, ${details.answersSealed}::bytea,
               ${details.isCancellable}::boolean, ${details.rescheduledFrom}::uuid,
               ${details.paidCents}::integer, ${details.ticklers}::text[], ${details.checkin},
               ${details.sequence}::integer, ${now}::bigint, ${now}::bigint,
               ${details.contactPreference}
          from free where is_free and (select count(*) from gone) >= 0
        returning id`,
    ),

  /** Prolongs a hold where it stands; false when it is gone. */
  renewHold: (tx: Tx, { id, type }: Held, terms: HoldTerms, now: EpochSeconds) =>
    any(sql(tx, 'appointments-renew-hold')`
      update appointment set type = ${type}, hold_placed_at_s = ${terms.heldAt},
             hold_expires_at_s = ${terms.until}, rescheduled_from = ${terms.rescheduledFrom}::uuid,
             changed_at_s = ${now}
       where id = ${id} and ${IS_HELD} returning id`),

  /**
   * Frees the slot of other patients' holds that lapsed by the clock, swept or not. Waits for an
   * owner who is just confirming, then sees that it is booked and leaves it.
   */
  releaseLapsed: (tx: Tx, { providerId, start, end }: Span, now: EpochSeconds) =>
    sql<LapsedHold>(tx, 'appointments-release-lapsed')`
      with gone as (
        update appointment set ${LAPSED}, changed_at_s = ${now}
         where ${IS_HELD} and hold_expires_at_s <= ${now}
           and id in (select appointment_id from appointment_step
                       where provider_id = ${providerId} and step_start_s >= ${start}
                         and step_start_s < ${end})
        returning id, patient_id), ${FREED}
      select id, patient_id as "patientId" from gone`,

  /** Frees up to `most` lapsed holds that nobody else is freeing. */
  sweepLapsed: (tx: Tx, now: EpochSeconds, most: number) =>
    sql<LapsedHold>(tx, 'appointments-sweep-lapsed')`
      with lapsed as (
        select id from appointment where ${IS_HELD} and hold_expires_at_s <= ${now}
         order by hold_expires_at_s limit ${most} for update skip locked),
      gone as (
        update appointment set ${LAPSED}, changed_at_s = ${now}
         where id in (select id from lapsed) and state = 'held' returning id, patient_id), ${FREED}
      select id, patient_id as "patientId" from gone`,

  /**
   * Gives a hold up and its steps back; false when it was given up before. One that lapsed is given
   * up too: a request that comes late must not find its time free.
   */
  release: (tx: Tx, id: string, now: EpochSeconds) =>
    any(sql(tx, 'appointments-release')`
      with gone as (
        update appointment set ${GIVEN_UP}, changed_at_s = ${now}
         where id = ${id} and ${MAY_BE_GIVEN_UP} returning id), ${FREED}
      select id from gone`),

  /** Books a hold; false when the hold is gone. */
  confirm: (tx: Tx, { id, type }: Held, details: AppointmentDetails, now: EpochSeconds) =>
    any(sql(tx, 'appointments-confirm')`
      update appointment set ${BOOKED}, ${detailsSet(type, details, now)}
       where id = ${id} and ${IS_HELD} returning id`),

  /**
   * Keeps a hold, with all that its appointment will carry, while the EMR is asked to book it.
   */
  awaitEmr: (tx: Tx, { id, type }: Held, details: AppointmentDetails, now: EpochSeconds) =>
    any(sql(tx, 'appointments-await-records')`
      update appointment set confirming = true, ${detailsSet(type, details, now)}
       where id = ${id} and ${IS_HELD} returning id`),

  /** Books a hold that awaited the EMR; null when it is booked already or gone. */
  settle: (tx: Tx, id: string, now: EpochSeconds): Promise<StoredAppointment | null> =>
    first(sql<StoredAppointment>(tx, 'appointments-settle')`
      update appointment c set ${BOOKED}, changed_at_s = ${now}
       where c.id = ${id} and c.state = 'held' and c.confirming returning ${READ_COLUMNS}`),

  /** Holds that have awaited the records' answer since before then, and whose they are. */
  unsettled: (db: Db, since: EpochSeconds, most: number) =>
    sql<StoredAppointment & { readonly patientId: PatientId }>(db, 'appointments-unsettled')`
      select ${READ_COLUMNS}, c.patient_id as "patientId" from appointment c
       where c.state = 'held' and c.confirming and c.changed_at_s <= ${since}
       order by c.changed_at_s limit ${most}`,

  /**
   * Keeps a hold, with all that its appointment will carry, while the patient pays: from now on
   * only its payment books it or lets it go. False when the hold is gone or paid for already.
   */
  awaitPayment: (
    tx: Tx,
    { id, type }: Held,
    { details, terms }: { readonly details: AppointmentDetails; readonly terms: Hold },
    now: EpochSeconds,
  ) =>
    any(sql(tx, 'appointments-await-payment')`
      update appointment set paying = true, ${detailsSet(type, details, now)},
             hold_placed_at_s = ${terms.heldAt}, hold_expires_at_s = ${terms.until}
       where id = ${id} and ${IS_HELD} returning id`),

  /** Moves the end of a hold that is being paid for; answers that were edited replace the first. */
  prolongPaying: (
    tx: Tx,
    id: string,
    { until, answers }: { readonly until: EpochSeconds; readonly answers?: KeptAnswers },
    now: EpochSeconds,
  ) =>
    any(sql(tx, 'appointments-prolong-paying')`
      update appointment set hold_expires_at_s = ${until}, changed_at_s = ${now},
             answers_sealed = coalesce(${answers?.answersSealed ?? null}::bytea, answers_sealed),
             contact_preference = case when ${answers === undefined}::boolean
                                       then contact_preference
                                       else ${answers?.contactPreference ?? null} end
       where id = ${id} and state = 'held' and paying returning id`),

  /** Books a hold that is being paid for; null when it is none any more. */
  settlePaid: (tx: Tx, id: string, now: EpochSeconds): Promise<StoredAppointment | null> =>
    first(sql<StoredAppointment>(tx, 'appointments-settle-paid')`
      update appointment c set ${BOOKED}, changed_at_s = ${now}
       where c.id = ${id} and c.state = 'held' and c.paying returning ${READ_COLUMNS}`),

  /** Makes it an ordinary hold again, which may lapse or be let go. */
  stopPaying: (tx: Tx, id: string, now: EpochSeconds) =>
    any(sql(tx, 'appointments-stop-paying')`
      update appointment set paying = false, request_key = null, paid_cents = 0, changed_at_s = ${now}
       where id = ${id} and state = 'held' and paying returning id`),

  /** Locks one appointment and reads it, whatever its state; null without it. */
  lockAppointment: (tx: Tx, id: string): Promise<StoredAppointment | null> =>
    first(sql<StoredAppointment>(tx, 'appointments-lock-appointment')`
      select ${READ_COLUMNS} from appointment c where c.id = ${id} for update`),

  /**
   * Ends a standing appointment and frees its steps; of one that moves, what was paid and the
   * ticklers are the new one's. Gives the change's number in calendars, or null when the
   * appointment stood no more.
   */
  async endAppointment(
    tx: Tx,
    { id, patientId }: { readonly id: string; readonly patientId: PatientId | null },
    end: 'cancelled' | 'rescheduled',
    now: EpochSeconds,
  ): Promise<number | null> {
    const [row] = await sql<{ sequence: number }>(tx, 'appointments-end-appointment')`
      with gone as (
        update appointment set state = ${end}, sequence = sequence + 1, changed_at_s = ${now},
               request_key = case when request_key like ${`${DERIVED}%`} then null else request_key end,
               paid_cents = case when ${end} = 'rescheduled' then 0 else paid_cents end,
               ticklers = case when ${end} = 'rescheduled' then '{}' else ticklers end
         where id = ${id} and patient_id is not distinct from ${patientId}::uuid
           and state in ('booked', 'registered')
        returning id, sequence), ${FREED}
      select sequence from gone`;
    return row?.sequence ?? null;
  },

  /**
   * Keeps the answers given so far beside the hold. Each time uses up `seconds / count` of the
   * rule's time, which comes back as it passes. Answers the seconds to wait for, 0 when they were
   * kept; null without a standing hold.
   */
  async saveDraft(
    tx: Tx,
    { id, patientId, sealed }: Pick<NewAppointment, 'id' | 'patientId'> & { sealed: Uint8Array },
    { count, seconds }: RateRule,
    now: EpochSeconds,
  ): Promise<number | null> {
    const [row] = await sql<{ overSeconds: number }>(tx, 'appointments-save-draft')`
      with hold as (
        select id, greatest(coalesce(drafts_until_s, 0), ${now}::bigint) + ${seconds / count}::float8 as until_s
          from appointment
         where id = ${id}::uuid and patient_id = ${patientId} and ${IS_HELD}
           and hold_expires_at_s > ${now}::bigint
           for update),
      kept as (
        update appointment set answers_sealed = ${sealed}, changed_at_s = ${now}::bigint,
               drafts_until_s = hold.until_s
          from hold where appointment.id = hold.id and hold.until_s <= ${now}::bigint + ${seconds}::float8)
      select until_s - ${now}::bigint - ${seconds}::float8 as "overSeconds" from hold`;
    return row ? Math.max(0, Math.ceil(row.overSeconds)) : null;
  },
};

export type Appointments = typeof appointments;
