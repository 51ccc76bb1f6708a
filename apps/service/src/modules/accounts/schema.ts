import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, day, seconds } from '../../database/column-types.ts';

/** The details that somebody signs up with, and the hash of their password. */
const personal = () => ({
  email: text().notNull(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  sex: text().notNull(),
  birthDate: day('birth_date').notNull(),
  address: text().notNull(),
  city: text().notNull(),
  province: text().notNull(),
  postal: text().notNull(),
  country: text().notNull(),
  phone: text().notNull().default(''),
  mobilePhone: text('mobile_phone').notNull().default(''),
  internationalPhone: text('international_phone').notNull().default(''),
  /** Each number in E.164; null, or stale, where it was saved without (see `e164Of`). */
  phoneE164: text('phone_e164'),
  mobilePhoneE164: text('mobile_phone_e164'),
  internationalPhoneE164: text('international_phone_e164'),
  cardProvince: text('card_province').notNull(),
  cardSealed: bytes('card_sealed'),
  cardIndex: bytes('card_index'),
  preferredPharmacyId: text('preferred_pharmacy_id'),
  /** the language of emails to them. */
  language: text().notNull().default('en'),
  createdAt: seconds('created_at_s').notNull(),
});

/**
 * sign-up forms whose links nobody has confirmed yet. A form is no account and takes no address,
 * card or record from anybody. Its id becomes the account's.
 */
export const pendingSignUp = pgTable(
  'pending_sign_up',
  {
    id: uuid().primaryKey(),
    ...personal(),
    /** The consent that came with the form: version and hash of its text, or neither. */
    consentVersion: text('consent_version'),
    consentHash: text('consent_hash'),
    /** The hash of the text as it was shown. */
    consentShownHash: text('consent_shown_hash'),
    /** How many passwords were tried with the link since one fitted. */
    tries: integer().notNull().default(0),
    /** Null never expires. */
    expiresAt: seconds('expires_at_s'),
  },
  (t) => [
    index('pending_sign_up_email').on(t.email),
    index('pending_sign_up_expiry').on(t.expiresAt),
  ],
);

/**
 * Sign-up forms that were confirmed and got no account, as only the clinic can tell whose card or record it is.
 * The form is kept until staff have seen to it, for 30 days at most.
 */
export const refusedSignUp = pgTable('refused_sign_up', {
  /** The form's id, which its account would have. */
  patientId: uuid('patient_id').primaryKey(),
  at: seconds('at_s').notNull(),
  /** When staff saw to it; null while it waits for them. */
  seenAt: seconds('seen_at_s'),
});

/** Accounts; the email address of each was confirmed. */
export const patient = pgTable(
  'patient',
  {
    id: uuid().primaryKey(),
    ...personal(),
    role: text().notNull().default('patient'),
    recordId: text('record_id').notNull(),
    eligibility: text().notNull(),
    familyDoctor: boolean('family_doctor').notNull().default(false),
    shouldUpdate: boolean('should_update').notNull().default(false),
    isChanged: boolean('is_changed').notNull().default(false),
    /** sign-in refused. */
    blocked: boolean().notNull().default(false),
    /** may sign in, see and cancel, not book. */
    bookingBlocked: boolean('booking_blocked').notNull().default(false),
    /** why the clinic blocked; the patient is never shown it. */
    blockedReason: text('blocked_reason'),
    /** S-15: accounts are closed, never erased before their time. */
    closedAt: seconds('closed_at_s'),
    visibility: text()
      .array()
      .notNull()
      .default(sql`'{appointment}'::text[]`),
    blockedProviders: text('blocked_providers')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    disabledTypes: text('disabled_types')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    healthCardUploaded: boolean('health_card_uploaded').notNull().default(false),
    pictureIdUploaded: boolean('picture_id_uploaded').notNull().default(false),
    /** The address from which an email came back; counts only while the account has it. */
    bouncedEmail: text('bounced_email'),
    bouncedAt: seconds('bounced_at_s'),
    /** RFC 3463: why, such as 5.1.1. */
    bounceStatus: text('bounce_status'),
    /** When the password was last set by a mailed code. Null also where version 0.2.0 did it. */
    passwordResetAt: seconds('password_reset_at_s'),
  },
  (t) => [
    // unique among open accounts only, so that a closed one frees its address, card and record.
    uniqueIndex('patient_email')
      .on(t.email)
      .where(sql`closed_at_s is null`),
    /** Covers closed accounts, too: a sign-in to one gets an answer of its own. */
    index('patient_address').on(t.email),
    uniqueIndex('patient_card')
      .on(t.cardProvince, t.cardIndex)
      .where(sql`closed_at_s is null`),
    uniqueIndex('patient_record_number')
      .on(t.recordId)
      .where(sql`closed_at_s is null`),
    /** Who may be the same person has the same birth date. */
    index('patient_birth_date').on(t.birthDate),
    /** Staff look for a person by either number, and by how an email begins. */
    index('patient_person').on(sql`(id::text)`),
    index('patient_email_beginning').on(sql`email collate "C"`),
    check('patient_role', sql`role in ('patient', 'staff')`),
    check('patient_eligibility', sql`eligibility in ('E', 'NR', 'R', 'NE')`),
  ],
);

/**
 * Links that the clinic had mailed: to the new address of an account, which takes effect once the link
 * is opened, or as an invitation, whose id becomes the account's.
 */
export const accountLink = pgTable(
  'account_link',
  {
    id: uuid().primaryKey(),
    kind: text().$type<'email' | 'invitation'>().notNull(),
    /** The account that gets the address; null for an invitation. */
    patientId: uuid('patient_id'),
    recordId: text('record_id').notNull(),
    email: text().notNull(),
    /** The address that is replaced, and is sent a notice; null for an invitation. */
    emailBefore: text('email_before'),
    /** The hash of the token in the link; null until the link is mailed. */
    tokenHash: bytes('token_hash'),
    /** How often a birth date and card were tried since the details fitted. */
    tries: integer().notNull().default(0),
    createdAt: seconds('created_at_s').notNull(),
    expiresAt: seconds('expires_at_s').notNull(),
    usedAt: seconds('used_at_s'),
  },
  (t) => [
    index('account_link_token').on(t.tokenHash),
    index('account_link_record').on(t.recordId),
    check('account_link_kind', sql`kind in ('email', 'invitation')`),
    check('account_link_patient', sql`(kind = 'email') = (patient_id is not null)`),
  ],
);

/**
 * Email addresses that staff corrected, by the id of the link that was mailed to the new one. What a row
 * means for its account is decided by `addressStanding` of the domain.
 */
export const emailChange = pgTable(
  'email_change',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    email: text().notNull(),
    emailBefore: text('email_before').notNull(),
    /** Staff said that the mailbox before is not the patient's. */
    isMailboxLost: boolean('is_mailbox_lost').notNull(),
    /** The hash of the token with which the mailbox before confirms or stops; null until it is mailed. */
    tokenHash: bytes('token_hash'),
    begunAt: seconds('begun_at_s').notNull(),
    /** When the link to the new address was opened. */
    provenAt: seconds('proven_at_s'),
    /** When the mailbox before, or a manager, said that it need not wait. */
    releasedAt: seconds('released_at_s'),
    /** When the mailbox before was told again. */
    remindedAt: seconds('reminded_at_s'),
    doneAt: seconds('done_at_s'),
    /** When it was replaced, given up, or ran out without being opened. */
    overAt: seconds('over_at_s'),
    stoppedAt: seconds('stopped_at_s'),
    /** When a manager decided on what was stopped. */
    decidedAt: seconds('decided_at_s'),
  },
  (t) => [
    index('email_change_patient').on(t.patientId, t.begunAt),
    index('email_change_token').on(t.tokenHash),
    /** Those for the job, and those that silence an address. */
    index('email_change_waiting')
      .on(t.begunAt)
      .where(sql`done_at_s is null and over_at_s is null`),
  ],
);

/** What a patient agreed to, by kind, version and hash of the text. Append-only. */
export const agreement = pgTable(
  'agreement',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    kind: text().notNull(),
    version: text().notNull(),
    /** The hash of the English text, which is the binding one. */
    textHash: text('text_hash').notNull(),
    /** the language in which the text was shown. */
    locale: text().notNull().default('en'),
    /** The hash of the text as it was shown; null in rows older than the translations. */
    shownHash: text('shown_hash'),
    at: seconds('at_s').notNull(),
    /** the member of staff who read the text out; null when the patient read it themselves. */
    readOutBy: uuid('read_out_by'),
  },
  (t) => [
    index('agreement_patient').on(t.patientId, t.at),
    check('agreement_kind', sql`kind in ('feeWarning', 'icbc', 'general', 'signUp')`),
  ],
);

/** texts that the clinic published in place of the product's agreements. Append-only. */
export const agreementText = pgTable(
  'agreement_text',
  {
    kind: text().notNull(),
    version: integer().notNull(),
    locale: text().notNull(),
    title: text().notNull(),
    paragraphs: text().array().notNull(),
    /** The hash of the text, with its placeholders not filled in. */
    hash: text().notNull(),
    publishedAt: seconds('published_at_s').notNull(),
    /** The audit actor who published it. */
    publishedBy: text('published_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.version, t.locale] }),
    check('agreement_text_kind', sql`kind in ('feeWarning', 'icbc', 'general', 'signUp')`),
    // The product's own versions are 1.x.
    check('agreement_text_version', sql`version >= 2`),
  ],
);
