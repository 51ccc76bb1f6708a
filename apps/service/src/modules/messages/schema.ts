import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** A message of a patient to the clinic; its texts and the clinic's answers are entries. */
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
    /** The staff member who looks after the message. */
    assignedTo: uuid('assigned_to'),
    /** When the clinic closed the message; null again after a new or edited text. */
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
    /** The order of the texts: two can come in one second. */
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The staff member who answered at the front desk, and the key of the request. */
    staffId: uuid('staff_id'),
    requestKey: text('request_key'),
  },
  (t) => [
    index('message_entry_message').on(t.messageId, t.position),
    check('message_entry_author', sql`author in ('patient', 'clinic')`),
  ],
);

/** Earlier versions of an edited text: kept, never shown to the patient. */
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

/** A note of staff for each other beside a message. Patients see it only in the copy of their data. */
export const messageNote = pgTable(
  'message_note',
  {
    id: uuid().primaryKey(),
    messageId: uuid('message_id').notNull(),
    staffId: uuid('staff_id').notNull(),
    at: seconds('at_s').notNull(),
    textSealed: bytes('text_sealed').notNull(),
    /** The order of the notes: two can come in one second. */
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [index('message_note_message').on(t.messageId, t.position)],
);

/** A ready text that staff put into answers; it is about no patient. */
export const savedReply = pgTable('saved_reply', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  text: text().notNull(),
});
