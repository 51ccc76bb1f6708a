import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { seconds, transactionId } from './column-types.ts';

/** Work that must happen once after a commit: emails, and requests to the EMR. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    /** Grows with each row, so it also orders rows of the same second. */
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    kind: text().notNull(),
    /** Rows of one subject are done in their order; set by a trigger. Null for a row that stands alone. */
    subject: text(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    dueAt: seconds('due_at_s').notNull(),
    /** Until when a process has it to itself; set by a trigger where version 0.2.0 takes the row. */
    leaseUntil: seconds('lease_until_s'),
    attempts: integer().notNull().default(0),
    /** How often the mail server refused the email for good; after the third time it has failed. */
    refusals: integer().notNull().default(0),
    failed: boolean().notNull().default(false),
    /** When the work was done, or given up as failed. */
    doneAt: seconds('done_at_s'),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`done_at_s is null`),
    index('outbox_subject')
      .on(sql`coalesce(subject, id::text)`)
      .where(sql`done_at_s is null`),
  ],
);

/** Small facts about the installation itself, each under a key. */
export const installation = pgTable('installation', {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** Words between processes that cannot LISTEN, kept for half a minute. */
export const said = pgTable('said', {
  id: uuid().primaryKey(),
  /** The process that sent the words. */
  saidBy: uuid('said_by').notNull(),
  words: text().notNull(),
  saidAt: seconds('said_at_s').notNull(),
});

/**
 * What was changed of a patient, for their open pages: written by triggers on the tables that patients are
 * shown, so that no process and no statement can leave it out. Kept for an hour.
 */
export const patientChange = pgTable(
  'patient_change',
  {
    patientId: uuid('patient_id').notNull(),
    /** The private live event that tells of it: 'appointments', 'messages' or 'account'. */
    event: text().notNull(),
    changedXid: transactionId('changed_xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    changedAt: seconds('changed_at_s')
      .notNull()
      .default(sql`extract(epoch from clock_timestamp())::bigint`),
  },
  (t) => [index('patient_change_xid').on(t.changedXid)],
);
