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
