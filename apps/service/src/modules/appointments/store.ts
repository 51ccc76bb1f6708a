import { STEP_SECONDS, isHold, nextAppointment, toClinic } from '@clinic/domain';
import type { EpochSeconds, HoldPeriod, SlotRequest, Span } from '@clinic/domain';

import { type Db, type Part, type Tx, firstOf, hasRows, part, sql } from '../../database/db.ts';
import type { LaterParts } from '../../platform.ts';
import type { RateRule } from '../../server/rates.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { ASKING_SECONDS } from '../records/index.ts';
import type { AppointmentDetails, AccountRef, StoredAppointment, Owner } from './appointment.ts';
import { DERIVED_PREFIX, isAccount } from './appointment.ts';
import { lockBookingContext, lockPatient, retryAfter } from './booking-context.store.ts';
import { PAID_CENTS_COPY, STATE_COLUMNS, change, own, stateValues } from './state-columns.store.ts';

/** A hold: its type, how long it lasts, and the id of the appointment that it is to move. */
export interface HoldDetails extends HoldPeriod, Pick<SlotRequest, 'type'> {
  readonly id: string;
  readonly rescheduledFrom: string | null;
}

/** A slot to be held. */
export interface NewHold extends HoldDetails, Span, AccountRef {
  readonly recordId: string;
}

/** An appointment that ends. */
interface Ending extends AccountRef {
  readonly id: string;
  readonly byClinic?: boolean;
  /** The appointment that it moves to; null when it is cancelled. */
  readonly movedTo: string | null;
  /** The EMR still has it: its time stays taken until the EMR has cancelled it too. */
  readonly inEmr?: boolean;
}

/** A hold that lapsed. */
export interface LapsedHold {
  readonly id: string;
  /** Whether staff held it for a patient who was to pay by a payment link. */
  readonly hadPaymentLink: boolean;
}

/** A hold that is confirming, and the `unsentUntil` that the caller has read. */
export type Confirming = Pick<StoredAppointment, 'id' | 'unsentUntil'>;

/** The columns of an appointment `c` by themselves. */
export const READ_COLUMNS = part`
  c.id, c.record_id as "recordId", c.provider_id as "providerId", c.start_s as start, c.end_s as "end",
  c.clinic_date::text as "clinicDate", c.type, ${own.word} as state,
  c.hold_placed_at_s as "holdPlacedAt", c.hold_expires_at_s as "holdExpiresAt", c.emr_unsent_until_s as "unsentUntil",
  c.rescheduled_from as "rescheduledFrom", c.request_key as "requestKey",
  c.booking_number as "bookingNumber", c.is_reschedulable as "isReschedulable", c.is_cancellable as "isCancellable", c.checkin,
  c.ticklers, c.sequence, c.changed_at_s as "changedAt", c.cancel_asked_at_s as "cancelAskedAt",
  c.contact_preference as "contactPreference", c.fee_at_clinic as "feeAtClinic",
  c.booked_by as "bookedBy", c.beyond_limits as "beyondLimits", c.moved_by_clinic as "movedByClinic"`;

/** The columns of a `StoredAppointment`, from an appointment `c`. */
export const storedColumns = ({ paidNow }: LaterParts): Part =>
  part`${READ_COLUMNS}, ${paidNow} as "paidNow"`;

/**
 * Matches the appointments `c` of an account, or without an account all of the record, including those
 * of an account that was closed.
 */
export const ownedBy = (owner: Owner): Part =>
  isAccount(owner) ? part`c.patient_id = ${owner}` : part`c.record_id = ${owner.recordId}`;

/** The name of a statement with `ofWhom` in it. */
export const statementName = (name: string, owner: Owner): string =>
  isAccount(owner) ? name : `${name}-of-record`;

/** Appointments that began this long ago may still be on today's clinic date. */
const LOOK_BACK_SECONDS = 2 * 86_400;

/** A hold that ended keeps nothing of what the patient wrote. */
const EMPTIED = part`, request_key = null, answers_sealed = null, contact_preference = null`;
export const FREED = part`freed as (delete from appointment_step where appointment_id in (select id from gone))`;

/** Frees the lapsed holds that are `which`. */
const lapse = (which: Part, now: EpochSeconds) => part`
  gone as (${change('lapse', part`c.hold_expires_at_s <= ${now} and ${which}`, now, EMPTIED)}
           returning c.id, ${own.hadPaymentLink} as "hadPaymentLink"), ${FREED}
  select * from gone`;

/** What is written of a booking; `event` says whether it is booked now or held until the EMR or the payment has answered. */
export interface BookingWrite {
  readonly event: 'book' | 'askEmr' | 'pay' | 'link';
  readonly details: AppointmentDetails;
}

const DETAILS = part`once_a_day, request_key, booking_number, answers_sealed, is_cancellable,
                     ${PAID_CENTS_COPY}, ticklers, checkin, sequence, contact_preference, booked_by,
                     beyond_limits, moved_by_clinic, fee_at_clinic`;
const valuesOf = (details: AppointmentDetails) => part`
  ${details.onceADay}::boolean, ${details.requestKey}::text, ${details.bookingNumber}::text,
  ${details.answersSealed}::bytea, ${details.isCancellable}::boolean, ${details.paidCents}::integer,
  ${details.ticklers}::text[], ${details.checkin}::text, ${details.sequence}::integer,
  ${details.contactPreference}::text, ${details.bookedBy}::uuid, ${details.beyondLimits}::boolean,
  ${details.movedByClinic}::boolean, ${details.feeAtClinic && JSON.stringify(details.feeAtClinic)}::text::jsonb`;

interface HoldConversion extends BookingWrite, Pick<HoldDetails, 'id' | 'type'> {
  /** How long it is held while its fee is to be paid. */
  readonly period: HoldPeriod;
}

/** What a hold waits for. */
const AWAITS = {
  paying: own.isPaying,
  confirming: part`(${own.isConfirming} and not ${own.isPaying})`,
};

/** Until when the process that asks the EMR from now on may begin the write; after that others free the hold. */
export const unsentUntil = (now: EpochSeconds): EpochSeconds => now + ASKING_SECONDS;
const unsent = (now: EpochSeconds) => part`, emr_unsent_until_s = ${unsentUntil(now)}::bigint`;

/**
 * The appointments on the providers' time, and the only way to change them. Every write takes the
 * transaction. Order of locks: patient, old appointment, steps ascending, appointment, payment.
 */
export const appointments = {
  lockBookingContext,
  lockPatient,
  retryAfter,

  /**
   * The patient's own appointments that a decision needs: their hold, those booked from two days ago on, what
   * this request has made, and the named ones. A separate statement after the lock, so that it sees what the lock waited for.
   */
  listOwn: (
    tx: Tx,
    parts: LaterParts,
    owner: Owner,
    named: { readonly requestKey: string | null; readonly ids: readonly (string | null)[] },
    now: EpochSeconds,
  ): Promise<StoredAppointment[]> =>
    sql<StoredAppointment>(tx, statementName('appointments-standing', owner))`
      select ${storedColumns(parts)} from appointment c
       where ${ownedBy(owner)}
         and (${own.isHold} or (${own.isBooked} and c.start_s > ${now - LOOK_BACK_SECONDS})
              or c.request_key = ${named.requestKey} or c.id = any(${named.ids}::uuid[]))`,

  /** Locks the 5-minute steps of several spans in order, so that patients who swap slots never deadlock. */
  async lockTimeSteps(tx: Tx, spans: readonly Span[]): Promise<void> {
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
   * Inserts the steps of the slot and the hold, or the appointment with all its details; false, and nothing
   * inserted, where somebody else has a step. The steps come first, in ascending order: others wait on their
   * primary key.
   */
  async insertIfFree(tx: Tx, hold: NewHold, booking: BookingWrite | null = null): Promise<boolean> {
    const { id, patientId, recordId, providerId, start, end, type } = hold;
    const { placedAt, expiresAt, rescheduledFrom } = hold;
    const event = booking?.event ?? 'hold';
    const state = nextAppointment(null, event);
    const isHeld = isHold({ state });
    const [columns, values] = booking
      ? [
          part`, emr_unsent_until_s, ${DETAILS}`,
          part`, ${event === 'askEmr' ? unsentUntil(placedAt) : null}::bigint, ${valuesOf(booking.details)}`,
        ]
      : [part``, part``];
    // With generate_series the planner would estimate the length from the values and plan anew each time.
    const steps: number[] = [];
    for (let step = start; step < end; step += STEP_SECONDS) steps.push(step);
    const taken = sql(tx, `appointments-take-${booking === null ? 'hold' : 'carried'}`)`
      with steps as (
        insert into appointment_step (provider_id, step_start_s, appointment_id)
        select ${providerId}::text, step, ${id}::uuid from unnest(${steps}::bigint[]) as step
        on conflict do nothing returning 1)
      insert into appointment (id, provider_id, start_s, end_s, patient_id, record_id, clinic_date,
                               type, ${STATE_COLUMNS}, hold_placed_at_s, hold_expires_at_s,
                               rescheduled_from, created_at_s, changed_at_s${columns})
      select ${id}::uuid, ${providerId}::text, ${start}::bigint, ${end}::bigint,
             ${patientId}::uuid, ${recordId}::text, ${toClinic(start).date}::date, ${type}::text,
             ${stateValues(state)}, ${isHeld ? placedAt : null}::bigint, ${isHeld ? expiresAt : null}::bigint,
             ${rescheduledFrom}::uuid, ${placedAt}::bigint, ${placedAt}::bigint${values}
       where (select count(*) from steps) = ${steps.length}::bigint returning id`;
    if (await hasRows(taken)) return true;
    // A slot of several steps may have got some of them: gives those back.
    if (steps.length > 1)
      await sql(tx, 'appointments-drop-steps')`
        delete from appointment_step where appointment_id = ${id}`;
    return false;
  },

  /** Extends a hold; false when it has been released. */
  extendHold: (tx: Tx, hold: HoldDetails, now: EpochSeconds) =>
    hasRows(sql(tx, 'appointments-renew-hold')`
      ${change(
        'hold',
        part`c.id = ${hold.id}`,
        now,
        part`, type = ${hold.type}, hold_placed_at_s = ${hold.placedAt}, hold_expires_at_s = ${hold.expiresAt},
             rescheduled_from = ${hold.rescheduledFrom}::uuid`,
      )} returning c.id`),

  /**
   * Frees the slot of other patients' holds that lapsed by the clock, swept or not. Waits for a
   * transaction that is booking such a hold, then sees that it is booked and leaves it.
   */
  releaseLapsed(tx: Tx, { providerId, start, end }: Span, now: EpochSeconds) {
    const inSlot = part`c.id in (
      select appointment_id from appointment_step
       where provider_id = ${providerId} and step_start_s >= ${start} and step_start_s < ${end})`;
    return sql<LapsedHold>(tx, 'appointments-release-lapsed')`with ${lapse(inSlot, now)}`;
  },

  /** Frees up to `most` lapsed holds that no one else is freeing. */
  sweepLapsed: (tx: Tx, now: EpochSeconds, most: number) =>
    sql<LapsedHold>(tx, 'appointments-sweep-lapsed')`
      with lapsed as (
        select c.id from appointment c where ${own.mayLapse} and c.hold_expires_at_s <= ${now}
         order by c.hold_expires_at_s limit ${most} for update skip locked),
      ${lapse(part`c.id in (select id from lapsed)`, now)}`,

  /**
   * Gives up a hold and frees its steps; false when it was given up before. A lapsed hold is given up
   * too, so that a late request for it books nothing.
   */
  release: (tx: Tx, id: string, now: EpochSeconds) =>
    hasRows(sql(tx, 'appointments-release')`
      with gone as (${change('giveUp', part`c.id = ${id}`, now, EMPTIED)} returning c.id), ${FREED}
      select id from gone`),

  /**
   * Gives a hold the details of its appointment: books it, or holds it while the EMR is asked or the fee is
   * paid. False when it has been released, or waits for them already.
   */
  convertHold(tx: Tx, { id, type, details, event, period }: HoldConversion, now: EpochSeconds) {
    const lasts = part`, hold_placed_at_s = ${period.placedAt}, hold_expires_at_s = ${period.expiresAt}`;
    const expiresAt = { book: part``, askEmr: unsent(now), pay: lasts, link: lasts }[event];
    return hasRows(sql(tx, `appointments-carry-${event}`)`
      ${change(
        event,
        part`c.id = ${id} and ${own.mayLapse}`,
        now,
        part`${expiresAt}, type = ${type}, (${DETAILS}) = (${valuesOf(details)}),
             rescheduled_from = ${details.rescheduledFrom}::uuid`,
      )} returning c.id`);
  },

  /** Books a hold that waited for the EMR or the payment; null when it is booked already or released. */
  bookHeld(
    tx: Tx,
    parts: LaterParts,
    id: string,
    awaited: keyof typeof AWAITS,
    now: EpochSeconds,
  ): Promise<StoredAppointment | null> {
    const paid = awaited === 'paying' ? part`` : part`, ${PAID_CENTS_COPY} = ${parts.paidNow}`;
    return firstOf(sql<StoredAppointment>(tx, `appointments-book-held-${awaited}`)`
      ${change('book', part`c.id = ${id} and ${AWAITS[awaited]}`, now, paid)}
      returning ${storedColumns(parts)}`);
  },

  /** Notes that the EMR may be written to from now on; false where another process has freed the hold. */
  noteWrite: (tx: Tx, { id, unsentUntil: expiresAt }: Confirming) =>
    hasRows(sql(tx, 'appointments-note-write')`
      update appointment c set emr_unsent_until_s = null
       where c.id = ${id} and ${own.isConfirming} and c.emr_unsent_until_s = ${expiresAt}::bigint returning c.id`),

  /**
   * Ends the confirming of a hold, as the EMR was sent nothing of it or wrote nothing: an ordinary hold, or
   * one that is still paid for. False where another process has done so, and may ask again.
   */
  unconfirm: (tx: Tx, { id, unsentUntil: expiresAt }: Confirming, now: EpochSeconds) =>
    hasRows(sql(tx, 'appointments-unconfirm')`
      ${change(
        'unwritten',
        part`c.id = ${id} and c.emr_unsent_until_s is not distinct from ${expiresAt}::bigint`,
        now,
        part`, request_key = case when ${own.isPaying} then request_key end,
             ${PAID_CENTS_COPY} = case when ${own.isPaying} then ${PAID_CENTS_COPY} else 0 end`,
      )} returning c.id`),

  /** Holds of which the EMR was sent nothing, and for which no process asks any more. */
  unsent: (db: Db, now: EpochSeconds, most: number) =>
    sql<Confirming>(db, 'appointments-unsent')`
      select c.id, c.emr_unsent_until_s as "unsentUntil" from appointment c
       where ${own.isConfirming} and c.emr_unsent_until_s <= ${now} limit ${most}`,

  /** Holds that have awaited the EMR's answer since `since` or earlier, with their patients. */
  awaitingEmr: (db: Db, parts: LaterParts, since: EpochSeconds, most: number) =>
    sql<StoredAppointment & AccountRef>(db, 'appointments-awaiting-emr')`
      select ${storedColumns(parts)}, c.patient_id as "patientId" from appointment c
       where ${AWAITS.confirming} and c.emr_unsent_until_s is null
         and c.changed_at_s <= ${since}
       order by c.changed_at_s limit ${most}`,

  /** Extends a hold that is being paid for; new answers replace the old. */
  extendPayingHold: (
    tx: Tx,
    { id, expiresAt }: Pick<HoldDetails, 'id' | 'expiresAt'>,
    now: EpochSeconds,
    answers?: Pick<AppointmentDetails, 'answersSealed' | 'contactPreference'>,
  ) =>
    hasRows(sql(tx, `appointments-prolong-${answers ? 'answered' : 'paying'}`)`
      update appointment c set hold_expires_at_s = ${expiresAt}, changed_at_s = ${now}
             ${answers ? part`, answers_sealed = ${answers.answersSealed}, contact_preference = ${answers.contactPreference}` : part``}
       where c.id = ${id} and ${own.isPaying} returning c.id`),

  /** Marks a hold that is being paid for as confirming. */
  confirmPaying: (tx: Tx, id: string, now: EpochSeconds) =>
    sql(tx, 'appointments-confirm-paying')`
      ${change('askEmr', part`c.id = ${id} and ${own.isPaying}`, now, unsent(now))}`,

  /** Makes a hold ordinary again, as its payment is over: it may lapse or be released. */
  makeOrdinary: (tx: Tx, id: string, now: EpochSeconds) =>
    hasRows(sql(tx, 'appointments-make-ordinary')`
      ${change('unpaid', part`c.id = ${id}`, now, part`, request_key = null, ${PAID_CENTS_COPY} = 0`)}
      returning c.id`),

  /** Locks one appointment and reads it, whatever its state; null when there is none. */
  lockAppointment: (tx: Tx, parts: LaterParts, id: string): Promise<StoredAppointment | null> =>
    firstOf(sql<StoredAppointment>(tx, 'appointments-lock-appointment')`
      select ${storedColumns(parts)} from appointment c where c.id = ${id} for update`),

  /**
   * Ends a booked appointment and frees its steps. When it moves, its payment and ticklers go to the
   * new appointment. When the patient cancels, the payment is kept; when the clinic cancels or had moved
   * the appointment, the payment is left to be refunded. Returns the change's calendar sequence, or null
   * when the appointment had ended before.
   */
  async endAppointment(
    tx: Tx,
    { moneyMoved, moneyKept }: LaterParts,
    { id, patientId, byClinic = false, movedTo, inEmr = false }: Ending,
    now: EpochSeconds,
  ): Promise<number | null> {
    const [event, money] =
      movedTo === null ? (['cancel', moneyKept] as const) : (['move', moneyMoved] as const);
    await waitForTimeSteps(tx, id);
    const name = `appointments-end-${event}${byClinic ? '-by-clinic' : ''}${inEmr ? '-in-emr' : ''}`;
    const gone = change(
      event,
      part`c.id = ${id} and c.patient_id is not distinct from ${patientId}::uuid`,
      now,
      part`, sequence = sequence + 1, cancel_asked_at_s = ${inEmr ? now : null}::bigint,
           request_key = case when request_key like ${`${DERIVED_PREFIX}%`} then null else request_key end
           ${event === 'move' ? part`, ${PAID_CENTS_COPY} = 0, ticklers = '{}'` : part``}`,
    );
    const [row] = await sql<{ sequence: number }>(tx, name)`
      with ended as (select ${id}::uuid as id, ${movedTo}::uuid as moved_to, ${now}::bigint as at_s),
      gone as (${gone} returning c.id, c.sequence, c.moved_by_clinic)
      ${inEmr ? part`` : part`, ${FREED}`}${byClinic ? part`` : part`, money as (${money})`}
      select sequence from gone`;
    return row?.sequence ?? null;
  },

  /**
   * Stores the answers given so far with the hold. Each save uses up `seconds / count` of the rule's
   * time, which comes back as time passes. Returns the seconds to wait, 0 when the answers were stored;
   * null when the hold is gone.
   */
  async saveDraft(
    tx: Tx,
    {
      id,
      patientId,
      sealed,
    }: Pick<NewHold, 'id'> & { readonly patientId: PatientId; readonly sealed: Uint8Array },
    { count, seconds }: RateRule,
    now: EpochSeconds,
  ): Promise<number | null> {
    const [row] = await sql<{ overSeconds: number }>(tx, 'appointments-save-draft')`
      with hold as (
        select c.id, greatest(coalesce(c.drafts_until_s, 0), ${now}::bigint) + ${seconds / count}::float8 as until_s
          from appointment c
         where c.id = ${id}::uuid and c.patient_id = ${patientId} and ${own.mayLapse}
           and c.hold_expires_at_s > ${now}::bigint for update),
      kept as (
        update appointment set answers_sealed = ${sealed}, changed_at_s = ${now}::bigint,
               drafts_until_s = hold.until_s
          from hold where appointment.id = hold.id and hold.until_s <= ${now}::bigint + ${seconds}::float8)
      select until_s - ${now}::bigint - ${seconds}::float8 as "overSeconds" from hold`;
    return row ? Math.max(0, Math.ceil(row.overSeconds)) : null;
  },
};

/**
 * Call before freeing the steps of an appointment: a separate statement waits for a transaction that is
 * giving it steps, so that the next statement sees them.
 */
export const waitForTimeSteps = (tx: Tx, id: string) =>
  sql(tx, 'appointments-wait-for-steps')`
    select 1 from appointment where id = ${id}::uuid and placed_by_staff for update`;

export type Appointments = typeof appointments;
