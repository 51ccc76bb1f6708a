import type { FeeAtClinic, UndoableAct } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, day, seconds, transactionId } from '../../database/column-types.ts';

/**
 * An appointment on a provider's time. Only `state-columns.store.ts` reads and writes the columns of its state
 * (docs/booking-and-payment.md). Its public id is random. An appointment of a record without an account has no `patient_id`: the lock on the record
 * then stands in for the unique indexes on the patient.
 */
export const appointment = pgTable(
  'appointment',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id'),
    recordId: text('record_id').notNull(),
    providerId: text('provider_id').notNull(),
    start: seconds('start_s').notNull(),
    end: seconds('end_s').notNull(),
    clinicDate: day('clinic_date').notNull(),
    type: text().notNull(),
    state: text().notNull(),
    /** Set where the policy allows one appointment a clinic day. */
    onceADay: boolean('once_a_day').notNull().default(false),
    holdExpiresAt: seconds('hold_expires_at_s'),
    holdPlacedAt: seconds('hold_placed_at_s'),
    /** The EMR was asked to book it and has not answered: such a hold does not lapse. */
    confirming: boolean().notNull().default(false),
    /**
     * While it is confirming and nothing was sent to the EMR: until when the process that asks has it to
     * itself. Null from just before the write on, and for what version 0.2.0 asks for, which does not say.
     */
    unsentUntil: seconds('emr_unsent_until_s'),
    /** A payment is under way: only the payment books it or releases it. */
    paying: boolean().notNull().default(false),
    /** The appointment that this one moves; unique while neither is given up. */
    rescheduledFrom: uuid('rescheduled_from'),
    requestKey: text('request_key'),
    bookingNumber: text('booking_number'),
    answersSealed: bytes('answers_sealed'),
    /** The instant until which saved drafts have used up their rate limit; see `saveDraft`. */
    draftsUntil: doublePrecision('drafts_until_s'),
    paidCents: integer('paid_cents').notNull().default(0),
    /** the fee to pay at the clinic and, once it was taken or given back, how and by whom. */
    feeAtClinic: jsonb('fee_at_clinic').$type<FeeAtClinic>(),
    /** The staff member who booked it, holds it or moved it here; null when the patient did. */
    bookedBy: uuid('booked_by'),
    /** Staff booked it beyond the limits of how many a patient may have. */
    beyondLimits: boolean('beyond_limits').notNull().default(false),
    /** the clinic moved it here, and its patient had not asked for that. */
    movedByClinic: boolean('moved_by_clinic').notNull().default(false),
    isReschedulable: boolean('is_reschedulable').notNull().default(true),
    isCancellable: boolean('is_cancellable').notNull().default(true),
    checkin: text(),
    /** When the front desk saw the patient come, and go into the room; null where it did not. */
    arrivedAt: seconds('arrived_at_s'),
    inRoomAt: seconds('in_room_at_s'),
    /** How the patient of a type I appointment asked to be seen: 'IN-PERSON' or 'PHONE'. */
    contactPreference: text('contact_preference'),
    ticklers: text()
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** Staff moved it here in the EMR, so that it may overlap others or be off the five-minute grid. */
    placedByStaff: boolean('placed_by_staff').notNull().default(false),
    /**
     * Since when the EMR is to cancel it, as its patient has cancelled it or it was moved; null once the
     * EMR has confirmed. Until then its time stays taken.
     */
    cancelAskedAt: seconds('cancel_asked_at_s'),
    /**
     * When the EMR no longer had what it had booked for a hold that was given up: what is there under
     * its key later was put there by staff.
     */
    emrEndedAt: seconds('emr_ended_at_s'),
    /** Counts the calendar file's SEQUENCE. */
    sequence: integer().notNull().default(0),
    createdAt: seconds('created_at_s').notNull(),
    changedAt: seconds('changed_at_s').notNull(),
    /** The transaction that last changed the schedule through this appointment, set by a trigger. */
    changedXid: transactionId('changed_xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (t) => [
    uniqueIndex('appointment_one_hold')
      .on(t.patientId)
      .where(sql`state = 'held'`),
    uniqueIndex('appointment_once_a_day')
      .on(t.patientId, t.clinicDate)
      .where(sql`once_a_day and state in ('booked', 'registered') and rescheduled_from is null`),
    uniqueIndex('appointment_moved_once')
      .on(t.rescheduledFrom)
      .where(sql`state in ('held', 'booked', 'registered')`),
    uniqueIndex('appointment_request').on(t.patientId, t.requestKey),
    index('appointment_patient').on(t.patientId, t.start),
    index('appointment_changed').on(t.changedXid),
    /** The sheet of a day, and reports over days. */
    index('appointment_day').on(t.clinicDate, t.providerId),
    index('appointment_record').on(t.recordId),
    /** Cancelled appointments, whose payments the sweeper looks for. */
    index('appointment_cancelled')
      .on(t.changedAt)
      .where(sql`state = 'cancelled'`),
    /** What the sweeper of version 0.2.0 looks for. */
    index('appointment_paid_ended')
      .on(t.changedAt)
      .where(sql`state in ('released', 'cancelled') and paid_cents > 0`),
    index('appointment_cancel_asked')
      .on(t.cancelAskedAt)
      .where(sql`cancel_asked_at_s is not null`),
    index('appointment_hold_expiry')
      .on(t.holdExpiresAt)
      .where(sql`state = 'held'`),
    /** Appointments that may lack steps, which the sync with an EMR looks for. */
    index('appointment_placed_by_staff')
      .on(t.end)
      .where(sql`placed_by_staff`),
    check(
      'appointment_state',
      sql`state in ('held', 'booked', 'registered', 'released', 'cancelled', 'rescheduled', 'no-show', 'completed')`,
    ),
    check(
      'appointment_span',
      sql`end_s > start_s and (placed_by_staff or (start_s % 300 = 0 and end_s % 300 = 0))`,
    ),
    check('appointment_hold_ends', sql`state <> 'held' or hold_expires_at_s is not null`),
    check('appointment_paid', sql`paid_cents >= 0`),
  ],
);

/**
 * Taken time, one row per 5 minutes of an active appointment or of a busy span. The transaction that inserts a step
 * first has it: rivals wait on the primary key.
 */
export const appointmentStep = pgTable(
  'appointment_step',
  {
    providerId: text('provider_id').notNull(),
    stepStart: seconds('step_start_s').notNull(),
    /** The id of the appointment or busy span that has the step. */
    appointmentId: uuid('appointment_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.providerId, t.stepStart] }),
    index('appointment_step_time').on(t.stepStart, t.providerId),
    index('appointment_step_appointment').on(t.appointmentId),
    check('appointment_step_grid', sql`step_start_s % 300 = 0`),
  ],
);

/** What undoing an act of staff needs beside its subject. */
export interface BeforeAct {
  /** The row of the outbox that tells of the act; null where nobody is told. */
  readonly email: string | null;
  /** The appointment that moved. */
  readonly movedFrom: string | null;
  /** What was paid for what was cancelled. */
  readonly paidCents: number;
}

/** what staff booked, moved or cancelled, and can undo for a moment. */
export const staffAct = pgTable(
  'staff_act',
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id').notNull(),
    kind: text().$type<UndoableAct>().notNull(),
    /** The appointment that was booked or cancelled, or to which one moved. */
    subject: uuid().notNull(),
    /** Null once it is undone, or its time is over. */
    before: jsonb().$type<BeforeAct>(),
    until: seconds('until_s').notNull(),
    undoneAt: seconds('undone_at_s'),
  },
  (t) => [index('staff_act_subject').on(t.subject), index('staff_act_until').on(t.until)],
);

/**
 * Time taken by something that only the EMR knows of. A span takes its steps as appointments do; steps
 * that one of our appointments has stay with it.
 */
export const busySpan = pgTable(
  'busy_span',
  {
    id: uuid().primaryKey(),
    /** The EMR's id of the entry, or our own name for a span that we added. */
    sourceId: text('source_id').notNull(),
    providerId: text('provider_id').notNull(),
    clinicDate: day('clinic_date').notNull(),
    start: seconds('start_s').notNull(),
    end: seconds('end_s').notNull(),
    /** False once the EMR no longer has it: the row stays for a while, so that open grids notice. */
    stands: boolean().notNull().default(true),
    /** True while others have some of its steps; it takes them once they are free. */
    lacksSteps: boolean('lacks_steps').notNull().default(false),
    changedXid: transactionId('changed_xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (t) => [
    uniqueIndex('busy_span_source')
      .on(t.sourceId)
      .where(sql`stands`),
    index('busy_span_changed').on(t.changedXid),
    check('busy_span_steps', sql`end_s > start_s and start_s % 300 = 0 and end_s % 300 = 0`),
  ],
);
