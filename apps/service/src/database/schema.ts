import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
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
import { bytes, seconds } from './column-types.ts';

/**
 * One schema for both engines. Instants are epoch seconds in `bigint` columns named `…_s`, clinic
 * dates are `date` columns read as 'YYYY-MM-DD', money is integer cents. SQL does no zone
 * arithmetic and never asks for the time. Sealed columns (`…_sealed`) hold ciphertext (S-13).
 * The exclusion constraint and the append-only triggers stand in the first migration's SQL.
 */
/** The number of a database transaction. */
const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });
const day = (name: string) => date(name, { mode: 'string' });

// --- the clinic's records (built-in implementation of the clinic-records port) -----------------

export const recordsProvider = pgTable('records_provider', {
  id: text().primaryKey(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** '1' is active, as the EMR says it. */
  status: text().notNull(),
});

/** One code character per 5-minute step, 288 a day, `_` for not working; weekday 0 is Sunday. */
export const recordsTemplate = pgTable(
  'records_template',
  {
    providerId: text('provider_id').notNull(),
    weekday: integer().notNull(),
    validFrom: day('valid_from').notNull(),
    codes: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.weekday, t.validFrom] })],
);

export const recordsException = pgTable(
  'records_exception',
  {
    providerId: text('provider_id').notNull(),
    clinicDate: day('clinic_date').notNull(),
    codes: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.clinicDate] })],
);

/** The template expanded, 91 days ahead: what search and 'earliest' read. */
export const scheduleDay = pgTable(
  'schedule_day',
  {
    clinicDate: day('clinic_date').notNull(),
    providerId: text('provider_id').notNull(),
    codes: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.clinicDate, t.providerId] }),
    check('schedule_day_steps', sql`length(codes) = 288`),
  ],
);

/** A record. Patients without an account have one too. */
export const patientRecord = pgTable(
  'patient_record',
  {
    id: text().primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    birthDate: day('birth_date').notNull(),
    /** Most responsible provider; a family-doctor id of the clinic's configuration, or none. */
    providerId: text('provider_id'),
    cardProvince: text('card_province').notNull(),
    cardSealed: bytes('card_sealed'),
    cardIndex: bytes('card_index'),
  },
  (t) => [index('patient_record_card').on(t.cardIndex)],
);

// --- ours about doctors and fees ----------------------------------------------------------------

export const providerPolicy = pgTable('provider_policy', {
  providerId: text('provider_id').primaryKey(),
  disabled: boolean().notNull().default(false),
  comment: text().notNull().default(''),
  hidden: boolean().notNull().default(false),
  familyOnly: boolean('family_only').notNull().default(false),
  noPcp: boolean('no_pcp').notNull().default(false),
});

export const appointmentType = pgTable('appointment_type', {
  code: text().primaryKey(),
  description: text().notNull(),
  position: integer().notNull(),
  enforceMrp: boolean('enforce_mrp').notNull(),
  enforceNoPcp: boolean('enforce_no_pcp').notNull(),
  requiresDocuments: boolean('requires_documents').notNull(),
});

/** Versioned by `valid_from`; the newest row not after the clinic day holds. */
export const feePolicy = pgTable(
  'fee_policy',
  {
    type: text().notNull(),
    eligibility: text().notNull(),
    validFrom: day('valid_from').notNull(),
    chargeCents: integer('charge_cents').notNull(),
    notice: text(),
  },
  (t) => [
    primaryKey({ columns: [t.type, t.eligibility, t.validFrom] }),
    check('fee_policy_charge', sql`charge_cents >= 0`),
    check('fee_policy_eligibility', sql`eligibility in ('E', 'NR', 'R', 'NE')`),
  ],
);

// --- accounts and sessions ----------------------------------------------------------------------

/** What somebody says of themselves when they sign up, and the password that they chose. */
const personal = () => ({
  email: text().notNull(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  sex: text().notNull(),
  birthDate: day('birth_date').notNull(),
  address: text().notNull(),
  city: text().notNull(),
  province: text().notNull(),
  postal: text().notNull(),
  country: text().notNull(),
  phone: text().notNull().default(''),
  mobilePhone: text('mobile_phone').notNull().default(''),
  internationalPhone: text('international_phone').notNull().default(''),
  cardProvince: text('card_province').notNull(),
  cardSealed: bytes('card_sealed'),
  cardIndex: bytes('card_index'),
  preferredPharmacyId: text('preferred_pharmacy_id'),
  createdAt: seconds('created_at_s').notNull(),
});

/**
 * a sign-up form whose link nobody has confirmed yet: no account, and nothing of anybody's is
 * taken by it. Its id becomes the account's.
 */
export const pendingSignUp = pgTable(
  'pending_sign_up',
  {
    id: uuid().primaryKey(),
    ...personal(),
    /** The consent that came with the form: version and hash of its text, or neither. */
    consentVersion: text('consent_version'),
    consentHash: text('consent_hash'),
    /** Passwords that were tried behind the link since one fitted. */
    tries: integer().notNull().default(0),
    /** Null waits without end. */
    expiresAt: seconds('expires_at_s'),
  },
  (t) => [
    index('pending_sign_up_email').on(t.email),
    index('pending_sign_up_expiry').on(t.expiresAt),
  ],
);

/** An account: of an address that was confirmed. */
export const patient = pgTable(
  'patient',
  {
    id: uuid().primaryKey(),
    ...personal(),
    role: text().notNull().default('patient'),
    recordId: text('record_id').notNull(),
    eligibility: text().notNull(),
    familyDoctor: boolean('family_doctor').notNull().default(false),
    shouldUpdate: boolean('should_update').notNull().default(false),
    isChanged: boolean('is_changed').notNull().default(false),
    /** sign-in refused. */
    blocked: boolean().notNull().default(false),
    /** may sign in, see and cancel, not book. */
    bookingBlocked: boolean('booking_blocked').notNull().default(false),
    /** why the clinic blocked; the patient is never shown it. */
    blockedReason: text('blocked_reason'),
    /** S-15: accounts are closed, never erased before their time. */
    closedAt: seconds('closed_at_s'),
    visibility: text()
      .array()
      .notNull()
      .default(sql`'{appointment}'::text[]`),
    blockedProviders: text('blocked_providers')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    disabledTypes: text('disabled_types')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    healthCardUploaded: boolean('health_card_uploaded').notNull().default(false),
    pictureIdUploaded: boolean('picture_id_uploaded').notNull().default(false),
  },
  (t) => [
    uniqueIndex('patient_email').on(t.email),
    // a closed account takes neither its card nor its record from anybody.
    uniqueIndex('patient_card')
      .on(t.cardProvince, t.cardIndex)
      .where(sql`closed_at_s is null`),
    uniqueIndex('patient_record_number')
      .on(t.recordId)
      .where(sql`closed_at_s is null`),
    check('patient_role', sql`role in ('patient', 'staff')`),
    check('patient_eligibility', sql`eligibility in ('E', 'NR', 'R', 'NE')`),
  ],
);

/** the token itself is never stored. */
export const session = pgTable(
  'session',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    patientId: uuid('patient_id').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    lastActiveAt: seconds('last_active_at_s').notNull(),
    revokedAt: seconds('revoked_at_s'),
    /** 'Chrome on Android', as far as the browser says. */
    device: text().notNull().default(''),
  },
  (t) => [index('session_patient').on(t.patientId)],
);

/** S-6: proofs of work that were spent, until they would have expired anyway. */
export const spentProof = pgTable('spent_proof', {
  proofHash: bytes('proof_hash').primaryKey(),
  expiresAt: seconds('expires_at_s').notNull(),
});

/** S-5: failures and uses per rule and subject, in one window each. */
export const rateWindow = pgTable(
  'rate_window',
  {
    rule: text().notNull(),
    /** A keyed hash of the account or address, never the value. */
    subject: bytes().notNull(),
    windowStart: seconds('window_start_s').notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.rule, t.subject, t.windowStart] }),
    index('rate_window_start').on(t.windowStart),
  ],
);

// --- appointments -------------------------------------------------------------------------------------

/**
 * An appointment on a provider's time: held -> booked -> registered, held -> released, booked or
 * registered -> cancelled or rescheduled (and, in the past, no-show or completed). Its public id
 * is random. An appointment of a record without an account has no `patient_id`.
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
    /** The records were asked to book it and have not answered: such a hold does not lapse. */
    confirming: boolean().notNull().default(false),
    /** A payment is under way: only the payment books it or lets it go. */
    paying: boolean().notNull().default(false),
    /** The appointment that this one moves; unique while neither is given up. */
    rescheduledFrom: uuid('rescheduled_from'),
    requestKey: text('request_key'),
    bookingNumber: text('booking_number'),
    answersSealed: bytes('answers_sealed'),
    /** Until when keeping answers has used up the time for it (S-5); see `saveDraft`. */
    draftsUntil: doublePrecision('drafts_until_s'),
    paidCents: integer('paid_cents').notNull().default(0),
    isReschedulable: boolean('is_reschedulable').notNull().default(true),
    isCancellable: boolean('is_cancellable').notNull().default(true),
    checkin: text(),
    /** How the patient of a type I appointment asked to be seen: 'IN-PERSON' or 'PHONE'. */
    contactPreference: text('contact_preference'),
    ticklers: text()
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** Counts the calendar file's SEQUENCE. */
    sequence: integer().notNull().default(0),
    createdAt: seconds('created_at_s').notNull(),
    changedAt: seconds('changed_at_s').notNull(),
    /** Which transaction last moved the schedule by this appointment; a trigger keeps it. */
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
    /** Paid appointments that ended: what the payments sweeper looks for. */
    index('appointment_paid_ended')
      .on(t.changedAt)
      .where(sql`state in ('released', 'cancelled') and paid_cents > 0`),
    index('appointment_hold_expiry')
      .on(t.holdExpiresAt)
      .where(sql`state = 'held'`),
    check(
      'appointment_state',
      sql`state in ('held', 'booked', 'registered', 'released', 'cancelled', 'rescheduled', 'no-show', 'completed')`,
    ),
    check('appointment_span', sql`end_s > start_s and start_s % 300 = 0 and end_s % 300 = 0`),
    check('appointment_hold_ends', sql`state <> 'held' or hold_expires_at_s is not null`),
    check('appointment_paid', sql`paid_cents >= 0`),
  ],
);

/** One row: which transaction last changed templates, providers or their policy; by triggers. */
export const scheduleVersion = pgTable(
  'schedule_version',
  {
    id: integer().primaryKey(),
    changedXid: transactionId('changed_xid').notNull(),
  },
  () => [check('schedule_version_one', sql`id = 1`)],
);

/** The queue: whoever inserts a step first has it. One row per 5 minutes of an active appointment. */
export const appointmentStep = pgTable(
  'appointment_step',
  {
    providerId: text('provider_id').notNull(),
    stepStart: seconds('step_start_s').notNull(),
    appointmentId: uuid('appointment_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.providerId, t.stepStart] }),
    index('appointment_step_time').on(t.stepStart, t.providerId),
    index('appointment_step_appointment').on(t.appointmentId),
    check('appointment_step_grid', sql`step_start_s % 300 = 0`),
  ],
);

// --- outbox and audit ---------------------------------------------------------------------------

/** What must happen after a commit, once: mails now, events and captures later. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    dueAt: seconds('due_at_s').notNull(),
    attempts: integer().notNull().default(0),
    /** How often the mail server refused it for good; after the third time it has failed. */
    refusals: integer().notNull().default(0),
    failed: boolean().notNull().default(false),
    /** When it was done, or given up as failed. */
    doneAt: seconds('done_at_s'),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`done_at_s is null`),
  ],
);

/** S-14: append-only, each row under a MAC; chained later by one sealer. */
export const audit = pgTable(
  'audit',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: seconds('at_s').notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    mac: bytes().notNull(),
    /** Eight bytes of its number in the chain, then the MAC over it and what came before. */
    chain: bytes(),
  },
  (t) => [uniqueIndex('audit_chain').on(t.chain)],
);

/** Seeded once per data folder; small facts about the installation itself. */
export const installation = pgTable('installation', {
  key: text().primaryKey(),
  value: text().notNull(),
});
