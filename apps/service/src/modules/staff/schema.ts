import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** Who works at the clinic and comes in by the front desk; never a patient's row. */
export const staff = pgTable(
  'staff',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    roles: text().array().notNull(),
    /** Which provider a clinician is. */
    providerId: text('provider_id'),
    /** Null until an invitation is accepted, and so is the key of the one-time codes. */
    passwordHash: text('password_hash'),
    totpSealed: bytes('totp_sealed'),
    /** The 30 seconds of the last code that was taken: no code of then or before counts again. */
    totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
    createdAt: seconds('created_at_s').notNull(),
    closedAt: seconds('closed_at_s'),
  },
  (t) => [
    uniqueIndex('staff_email').on(t.email),
    check(
      'staff_roles',
      sql`cardinality(roles) > 0 and roles <@ '{receptionist,clinician,manager,auditor}'::text[]`,
    ),
    check('staff_clinician', sql`not ('clinician' = any(roles)) or provider_id is not null`),
  ],
);

/** What somebody shows in place of a one-time code. What made it is not kept: no attestation is asked for. */
export const staffPasskey = pgTable(
  'staff_passkey',
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id').notNull(),
    /** As its owner calls it. */
    name: text().notNull(),
    /** What browsers call it. */
    credentialId: bytes('credential_id').notNull(),
    /** COSE, as the device gave it. */
    publicKey: bytes('public_key').notNull(),
    /** How often the device says it was used; 0 for ever where it does not count. */
    signCount: bigint('sign_count', { mode: 'number' }).notNull(),
    createdAt: seconds('created_at_s').notNull(),
    lastUsedAt: seconds('last_used_at_s'),
  },
  (t) => [
    uniqueIndex('staff_passkey_credential').on(t.credentialId),
    index('staff_passkey_staff').on(t.staffId),
  ],
);

/** What a passkey is to sign, once: for the sign-in of an address, or within a session. It is never stored itself. */
export const staffChallenge = pgTable(
  'staff_challenge',
  {
    challengeHash: bytes('challenge_hash').primaryKey(),
    purpose: text().notNull(),
    /** A blind index of the address, or the hash of the session's token. */
    boundTo: bytes('bound_to').notNull(),
    expiresAt: seconds('expires_at_s').notNull(),
  },
  (t) => [
    index('staff_challenge_bound').on(t.boundTo, t.purpose),
    index('staff_challenge_expires').on(t.expiresAt),
    check('staff_challenge_purpose', sql`purpose in ('sign-in', 'unlock', 'add')`),
  ],
);

/** The token of the cookie is never stored. */
export const staffSession = pgTable(
  'staff_session',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    staffId: uuid('staff_id').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    lastActiveAt: seconds('last_active_at_s').notNull(),
    /** When a second factor was shown last. */
    factorAt: seconds('factor_at_s').notNull(),
    lockedAt: seconds('locked_at_s'),
    revokedAt: seconds('revoked_at_s'),
  },
  (t) => [index('staff_session_staff').on(t.staffId)],
);

/** A link by which somebody sets a password and a second factor, once. */
export const staffInvitation = pgTable(
  'staff_invitation',
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    createdAt: seconds('created_at_s').notNull(),
    expiresAt: seconds('expires_at_s').notNull(),
    usedAt: seconds('used_at_s'),
  },
  (t) => [
    index('staff_invitation_token').on(t.tokenHash),
    index('staff_invitation_staff').on(t.staffId),
  ],
);

/** What opens in place of a one-time code, once each; the code itself is never stored. */
export const staffRecoveryCode = pgTable(
  'staff_recovery_code',
  {
    staffId: uuid('staff_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    usedAt: seconds('used_at_s'),
  },
  (t) => [primaryKey({ columns: [t.staffId, t.codeHash] })],
);
