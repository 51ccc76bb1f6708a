import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { bytes, seconds } from '../database/column-types.ts';

/** the token itself is never stored. */
export const session = pgTable(
  'session',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    patientId: uuid('patient_id').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    lastActiveAt: seconds('last_active_at_s').notNull(),
    revokedAt: seconds('revoked_at_s'),
    /** 'Chrome, Android', as far as the browser says. */
    device: text().notNull().default(''),
  },
  (t) => [index('session_patient').on(t.patientId)],
);

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
    /** The row's number in the chain in eight bytes, then a MAC over it, the link before and the row. */
    chain: bytes(),
  },
  (t) => [
    uniqueIndex('audit_chain').on(t.chain),
    index('audit_at').on(t.at, t.id),
    index('audit_subject').on(t.subject),
    index('audit_actor').on(t.actor, t.at, t.id),
    // Only some rows, such as those of searches and merges, name patients in their details.
    index('audit_looks')
      .using('gin', t.details.op('jsonb_path_ops'))
      .where(sql`details ?| '{patient,patients,record,found}'::text[]`),
  ],
);

/** S-5: browsers that a patient or a member of staff signed in from; the token of their cookie is never stored. */
export const knownDevice = pgTable(
  'known_device',
  {
    personId: uuid('patient_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    signedInAt: seconds('signed_in_at_s').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.personId, t.tokenHash] }),
    index('known_device_signed_in').on(t.signedInAt),
  ],
);

/** S-6: proofs of work that were spent, until they would have expired anyway. */
export const spentProof = pgTable('spent_proof', {
  proofHash: bytes('proof_hash').primaryKey(),
  expiresAt: seconds('expires_at_s').notNull(),
});
