import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, day, seconds } from '../../database/column-types.ts';

export const provider = pgTable('provider', {
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

/** What the clinic says of a single day; a `.` leaves its step to the template, or to the EMR. */
export const recordsException = pgTable(
  'records_exception',
  {
    providerId: text('provider_id').notNull(),
    clinicDate: day('clinic_date').notNull(),
    codes: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.clinicDate] })],
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
    /** The record of the same person that stands in place of this one; null when this one stands. */
    mergedInto: text('merged_into'),
    /** When this database first had the row, also where version 0.2.0 or a statement by hand wrote it. */
    writtenAt: seconds('written_at_s')
      .notNull()
      .default(sql`extract(epoch from now())::bigint`),
  },
  (t) => [
    index('patient_record_card').on(t.cardIndex),
    index('patient_record_birth_date').on(t.birthDate),
    index('patient_record_merged')
      .on(t.mergedInto)
      .where(sql`merged_into is not null`),
  ],
);

/** Two records of one person that became one, with what undoing that needs. */
export const recordMerge = pgTable(
  'record_merge',
  {
    id: uuid().primaryKey(),
    /** The record that went into the other. */
    recordId: text('record_id').notNull(),
    intoRecordId: text('into_record_id').notNull(),
    /** The appointments that moved along, as they were before. */
    appointments: jsonb().$type<readonly MovedAppointment[]>().notNull(),
    at: seconds('at_s').notNull(),
    undoneAt: seconds('undone_at_s'),
  },
  (t) => [
    uniqueIndex('record_merge_once')
      .on(t.recordId)
      .where(sql`undone_at_s is null`),
    index('record_merge_into').on(t.intoRecordId),
  ],
);

/** The values of an appointment, before a merge, that the merge changes besides its record. */
export interface MovedAppointment {
  readonly id: string;
  readonly onceADay: boolean;
  readonly beyondLimits: boolean;
}

/** The days from expanded templates or from an EMR, 91 days ahead: what schedule searches read. */
export const scheduleDay = pgTable(
  'schedule_day',
  {
    clinicDate: day('clinic_date').notNull(),
    providerId: text('provider_id').notNull(),
    codes: text().notNull(),
    /** When an EMR last said so; null when no EMR keeps the schedule. */
    fetchedAt: seconds('fetched_at_s'),
  },
  (t) => [
    primaryKey({ columns: [t.clinicDate, t.providerId] }),
    check('schedule_day_steps', sql`length(codes) = 288`),
  ],
);

/** What the characters of the templates stand for.. */
export const slotCode = pgTable(
  'slot_code',
  {
    code: text().primaryKey(),
    description: text().notNull(),
    /** The types that it serves. */
    types: text().array().notNull(),
    /** Whether a person has said so. Where an EMR keeps the schedule, a code that nobody bound serves nothing. */
    bound: boolean().notNull().default(false),
    /** How long an appointment on it lasts; null leaves that to the type. */
    minutes: integer(),
    release: text().notNull().default('always'),
    /** The wall time from which on it is released. */
    releaseAt: text('release_at').notNull().default('00:00'),
  },
  () => [
    check('slot_code_character', sql`length(code) = 1 and code <> '_'`),
    check('slot_code_minutes', sql`minutes > 0 and minutes % 5 = 0`),
    check('slot_code_release', sql`release in ('always', 'sameWeek', 'sameDay')`),
    check('slot_code_release_at', sql`release_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
);

/** Names that the EMR has, for the clinic to choose from. */
export const emrName = pgTable(
  'emr_name',
  {
    kind: text().$type<'type' | 'location'>().notNull(),
    /** Whose location it is; empty for a type. */
    providerId: text('provider_id').notNull(),
    name: text().notNull(),
    /** On how many of the provider's entries it stands; 0 for a type. */
    entries: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.providerId, t.name] }),
    check('emr_name_kind', sql`kind in ('type', 'location')`),
  ],
);

/** Which EMR record was opened for which of our record numbers. */
export const emrRecord = pgTable('emr_record', {
  recordId: text('record_id').primaryKey(),
  /** The EMR's id of the record; null while it is not known whether the EMR has opened it. */
  emrId: text('emr_id'),
  /** When the EMR was asked to open it. */
  askedAt: seconds('asked_at_s').notNull(),
  /** The EMR's records that were the patient's before staff chose another: some appointments may be there. */
  earlier: text().array().notNull().default([]),
});

/** Records that the EMR was not asked to open, as it has some that may be of the same person. */
export const emrUnclearRecord = pgTable('emr_unclear_record', {
  recordId: text('record_id').primaryKey(),
  at: seconds('at_s').notNull(),
  /** The EMR's numbers of records that staff say to be of somebody else. */
  apart: text().array().notNull().default([]),
  /** When staff decided; null while it waits for them. */
  decidedAt: seconds('decided_at_s'),
  /** Why it waits, as the EMR was when it began; null where that is not known. */
  why: text(),
});

/** What the EMR was asked to add to a patient's record, where it cannot be found again. */
export const emrAddition = pgTable(
  'emr_addition',
  {
    /** Identifies the addition for ever, such as 'document:<id>'. */
    key: text().primaryKey(),
    askedAt: seconds('asked_at_s').notNull(),
    /**
     * 'added'; 'unknown' when it may have been added; 'refused' when the EMR has refused it for a day. The
     * clinic has to see to the last two. Null while the EMR is asked.
     */
    outcome: text(),
  },
  () => [check('emr_addition_outcome', sql`outcome in ('added', 'unknown', 'refused')`)],
);

/** The credentials for the EMR, as `clinic emr connect` wrote them. */
export const emrConnection = pgTable('emr_connection', {
  /** Which EMR it is, such as 'oscar'. */
  id: text().primaryKey(),
  credentials: bytes('credentials_sealed').notNull(),
  connectedAt: seconds('connected_at_s').notNull(),
});
