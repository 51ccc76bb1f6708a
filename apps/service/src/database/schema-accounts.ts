import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from './column-types.ts';

/** Confirmation links, reset codes and dashboard links: the secret itself is never stored. */
export const oneTimeCode = pgTable(
  'one_time_code',
  {
    id: uuid().primaryKey(),
    purpose: text().notNull(),
    patientId: uuid('patient_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    expiresAt: seconds('expires_at_s').notNull(),
    tries: integer().notNull().default(0),
    usedAt: seconds('used_at_s'),
    /** the session that a dashboard link was exchanged for. */
    sessionHash: bytes('session_hash'),
  },
  (t) => [
    index('one_time_code_hash').on(t.codeHash),
    index('one_time_code_patient').on(t.patientId, t.purpose),
    index('one_time_code_expiry').on(t.expiresAt),
    check('one_time_code_purpose', sql`purpose in ('confirm', 'recovery', 'reset', 'dashboard')`),
  ],
);

/** S-5: browsers that signed in to an account; the token of their cookie is never stored. */
export const knownDevice = pgTable(
  'known_device',
  {
    patientId: uuid('patient_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    signedInAt: seconds('signed_in_at_s').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.patientId, t.tokenHash] }),
    index('known_device_signed_in').on(t.signedInAt),
  ],
);

/** what a patient agreed to, by kind, version and hash of the text. Append-only. */
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

export const pharmacy = pgTable('pharmacy', {
  id: text().primaryKey(),
  name: text().notNull(),
  address: text().notNull(),
  fax: text().notNull(),
  phone: text().notNull(),
});

/** §3 Immigration medical profile, sealed. */
export const medicalProfile = pgTable('medical_profile', {
  patientId: uuid('patient_id').primaryKey(),
  profileSealed: bytes('profile_sealed').notNull(),
  changedAt: seconds('changed_at_s').notNull(),
});
