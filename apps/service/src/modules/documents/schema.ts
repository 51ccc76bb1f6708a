import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/**
 * S-4: the stored form of an upload, sealed under its own key, which the keyring seals. Its id is ours; the
 * name that the patient gave the file is sealed too.
 */
export const storedFile = pgTable(
  'stored_file',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    purpose: text().notNull(),
    mediaType: text('media_type').notNull(),
    /** The size of the plain content, in bytes. */
    size: integer().notNull(),
    nameSealed: bytes('name_sealed').notNull(),
    keySealed: bytes('key_sealed').notNull(),
    contentSealed: bytes('content_sealed').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    /** The clinic's decision on a health card or picture ID; null while nobody has decided. */
    decision: text().$type<'accepted' | 'refused'>(),
    decidedAt: seconds('decided_at_s'),
    decidedBy: text('decided_by'),
    /** Why the document was refused, as shown to the patient. */
    reasonSealed: bytes('reason_sealed'),
  },
  (t) => [
    index('stored_file_patient').on(t.patientId, t.purpose),
    check('stored_file_purpose', sql`purpose in ('healthCard', 'pictureId', 'message')`),
  ],
);
