import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** A message of a patient to the clinic, and what was answered. */
export const message = pgTable(
  'message',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    /** 'replied' once the clinic answered the last text. */
    state: text().notNull(),
    startedAt: seconds('started_at_s').notNull(),
    changedAt: seconds('changed_at_s').notNull(),
    /** An answer of the clinic that the patient has not opened. */
    unread: boolean().notNull().default(false),
    /** A text of the patient that the clinic has not opened. */
    unreadByClinic: boolean('unread_by_clinic').notNull().default(true),
    /** Who of the staff looks after it. */
    assignedTo: uuid('assigned_to'),
    /** When the clinic was done with it; null again once the patient writes on. */
    closedAt: seconds('closed_at_s'),
  },
  (t) => [
    index('message_patient').on(t.patientId, t.changedAt),
    index('message_waiting').on(t.state, t.changedAt),
    index('message_changed').on(t.changedAt, t.id),
    check('message_state', sql`state in ('sent', 'replied')`),
  ],
);

export const messageEntry = pgTable(
  'message_entry',
  {
    id: uuid().primaryKey(),
    messageId: uuid('message_id').notNull(),
    author: text().notNull(),
    at: seconds('at_s').notNull(),
    textSealed: bytes('text_sealed').notNull(),
    editedAt: seconds('edited_at_s'),
    /** Two texts can come in one second. */
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** Who of the staff answered at the front desk, and under which key. */
    staffId: uuid('staff_id'),
    requestKey: text('request_key'),
  },
  (t) => [
    index('message_entry_message').on(t.messageId, t.position),
    check('message_entry_author', sql`author in ('patient', 'clinic')`),
  ],
);

/** What an edited text said before: kept, never shown to the patient. */
export const messageVersion = pgTable(
  'message_version',
  {
    id: uuid().primaryKey(),
    entryId: uuid('entry_id').notNull(),
    version: integer().notNull(),
    textSealed: bytes('text_sealed').notNull(),
    at: seconds('at_s').notNull(),
  },
  (t) => [index('message_version_entry').on(t.entryId, t.version)],
);

export const messageFile = pgTable(
  'message_file',
  {
    fileId: uuid('file_id').primaryKey(),
    entryId: uuid('entry_id').notNull(),
    /** 1 to 3. */
    slot: integer().notNull(),
  },
  (t) => [index('message_file_entry').on(t.entryId, t.slot)],
);

/** What staff note for each other beside a message. No page shows it to the patient; a copy of their data does. */
export const messageNote = pgTable(
  'message_note',
  {
    id: uuid().primaryKey(),
    messageId: uuid('message_id').notNull(),
    staffId: uuid('staff_id').notNull(),
    at: seconds('at_s').notNull(),
    textSealed: bytes('text_sealed').notNull(),
    /** Two notes can come in one second. */
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [index('message_note_message').on(t.messageId, t.position)],
);

/** A text of the clinic's that staff put into an answer; it is about no patient. */
export const savedReply = pgTable('saved_reply', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  text: text().notNull(),
});
