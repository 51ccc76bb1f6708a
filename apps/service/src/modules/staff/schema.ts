import type { StaffRole } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** Accounts of the front desk; never of patients. */
export const staff = pgTable(
  'staff',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    roles: text().$type<StaffRole>().array().notNull(),
    /** The provider that a clinician is; null for other roles. */
    providerId: text('provider_id'),
    /** Null until an invitation is accepted, as is the sealed key of the one-time codes. */
    passwordHash: text('password_hash'),
    totpSealed: bytes('totp_sealed'),
    /** The 30-second step of the last accepted code; codes of that step or earlier are refused. */
    totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
    createdAt: seconds('created_at_s').notNull(),
    closedAt: seconds('closed_at_s'),
    /** In which they read the front desk; null until they have chosen one. */
    language: text(),
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

/** Passkeys, in place of one-time codes. No attestation is asked for, so a device's maker is unknown. */
export const staffPasskey = pgTable(
  'staff_passkey',
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id').notNull(),
    /** The name that its owner gave it. */
    name: text().notNull(),
    /** The WebAuthn credential id. */
    credentialId: bytes('credential_id').notNull(),
    /** In COSE format, as the device sent it. */
    publicKey: bytes('public_key').notNull(),
    /** The device's use counter; always 0 for a device that does not count. */
    signCount: bigint('sign_count', { mode: 'number' }).notNull(),
    createdAt: seconds('created_at_s').notNull(),
    lastUsedAt: seconds('last_used_at_s'),
  },
  (t) => [
    uniqueIndex('staff_passkey_credential').on(t.credentialId),
    index('staff_passkey_staff').on(t.staffId),
  ],
);

/** Challenges for passkeys to sign, once each, at a sign-in or within a session; stored only as hashes. */
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

/** Sessions of staff; the token in the cookie is stored only as a hash. */
export const staffSession = pgTable(
  'staff_session',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    /** By which its owner and managers name it. */
    id: uuid().notNull().defaultRandom(),
    staffId: uuid('staff_id').notNull(),
    /** 'Chrome, Windows', as far as the browser said; '' for an unknown one. */
    device: text().notNull().default(''),
    createdAt: seconds('created_at_s').notNull(),
    lastActiveAt: seconds('last_active_at_s').notNull(),
    /** When the person last showed a second factor. */
    factorAt: seconds('factor_at_s').notNull(),
    lockedAt: seconds('locked_at_s'),
    revokedAt: seconds('revoked_at_s'),
  },
  (t) => [index('staff_session_staff').on(t.staffId)],
);

/** Links with which new staff set a password and a second factor, once each. */
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

/** What harms many and waits, so that everybody at the desk can stop it; closings wait in their own table. */
export const waitingAct = pgTable(
  'waiting_act',
  {
    id: uuid().primaryKey(),
    act: text().$type<'export' | 'invite'>().notNull(),
    /** The member of staff who asked. */
    askedBy: uuid('asked_by').notNull(),
    askedAt: seconds('asked_at_s').notNull(),
    waitsUntil: seconds('waits_until_s').notNull(),
    /** The search of an export, or who is invited. */
    asked: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** How many people an export shows. */
    people: bigint({ mode: 'number' }).notNull().default(0),
    /** Null while it waits, and of an export that can be fetched. */
    outcome: text().$type<'done' | 'stopped' | 'failed'>(),
    overAt: seconds('over_at_s'),
    stoppedBy: uuid('stopped_by'),
  },
  (t) => [
    index('waiting_act_until').on(t.waitsUntil),
    check('waiting_act_act', sql`act in ('export', 'invite')`),
    check('waiting_act_outcome', sql`outcome in ('done', 'stopped', 'failed')`),
  ],
);

/** Recovery codes, each good once in place of a one-time code; stored only as hashes. */
export const staffRecoveryCode = pgTable(
  'staff_recovery_code',
  {
    staffId: uuid('staff_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    usedAt: seconds('used_at_s'),
  },
  (t) => [primaryKey({ columns: [t.staffId, t.codeHash] })],
);
