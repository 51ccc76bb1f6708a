import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

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
    /** What the clinic made of a health card or picture ID; null while nobody has looked. */
    decision: text(),
    decidedAt: seconds('decided_at_s'),
    decidedBy: text('decided_by'),
    /** Why it was refused, as the patient reads it. */
    reasonSealed: bytes('reason_sealed'),
  },
  (t) => [
    index('stored_file_patient').on(t.patientId, t.purpose),
    check('stored_file_purpose', sql`purpose in ('healthCard', 'pictureId', 'message')`),
  ],
);
