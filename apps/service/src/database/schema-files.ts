import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from './column-types.ts';

/**
 * S-4: what was made of an upload, sealed under a key of its own that the keyring seals. The name is
 * ours; what the patient called the file is sealed too.
 */
export const storedFile = pgTable(
  'stored_file',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    purpose: text().notNull(),
    mediaType: text('media_type').notNull(),
    /** Bytes of the plain content. */
    size: integer().notNull(),
    nameSealed: bytes('name_sealed').notNull(),
    keySealed: bytes('key_sealed').notNull(),
    contentSealed: bytes('content_sealed').notNull(),
    createdAt: seconds('created_at_s').notNull(),
  },
  (t) => [
    index('stored_file_patient').on(t.patientId, t.purpose),
    check('stored_file_purpose', sql`purpose in ('healthCard', 'pictureId', 'message')`),
  ],
);

/** A message of a patient to the clinic, and what was answered. */
export const message = pgTable(
  'message',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    /** 'replied' once the clinic answered the last text (§3). */
    state: text().notNull(),
    startedAt: seconds('started_at_s').notNull(),
    changedAt: seconds('changed_at_s').notNull(),
    /** An answer of the clinic that the patient has not opened. */
    unread: boolean().notNull().default(false),
    /** A text of the patient that the clinic has not opened. */
    unreadByClinic: boolean('unread_by_clinic').notNull().default(true),
  },
  (t) => [
    index('message_patient').on(t.patientId, t.changedAt),
    index('message_waiting').on(t.state, t.changedAt),
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
    /** 1 to 3 (§3). */
    slot: integer().notNull(),
  },
  (t) => [index('message_file_entry').on(t.entryId, t.slot)],
);

/** nobody answers it; the clinic reads it. */
export const problemReport = pgTable(
  'problem_report',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    messageSealed: bytes('message_sealed').notNull(),
    screenshotSealed: bytes('screenshot_sealed'),
    isAppointment: boolean('is_appointment').notNull(),
    isRead: boolean('is_read').notNull().default(false),
    at: seconds('at_s').notNull(),
  },
  (t) => [
    index('problem_report_unread').on(t.isRead, t.at),
    index('problem_report_patient').on(t.patientId, t.at),
  ],
);
