import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/** What a patient agreed to, by kind, version and hash of the text. Append-only. */
export const agreement = pgTable(
  'agreement',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    kind: text().notNull(),
    version: text().notNull(),
    textHash: text('text_hash').notNull(),
    at: seconds('at_s').notNull(),
  },
  (t) => [
    index('agreement_patient').on(t.patientId, t.at),
    check('agreement_kind', sql`kind in ('feeWarning', 'icbc', 'general', 'signUp')`),
  ],
);
