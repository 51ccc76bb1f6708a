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

/** What somebody says of themselves when they sign up, and the password that they chose. */
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
  cardProvince: text('card_province').notNull(),
  cardSealed: bytes('card_sealed'),
  cardIndex: bytes('card_index'),
  preferredPharmacyId: text('preferred_pharmacy_id'),
  /** in which the emails are written. */
  language: text().notNull().default('en'),
  createdAt: seconds('created_at_s').notNull(),
});

/**
 * a sign-up form whose link nobody has confirmed yet: no account, and nothing of anybody's is
 * taken by it. Its id becomes the account's.
 */
export const pendingSignUp = pgTable(
  'pending_sign_up',
  {
    id: uuid().primaryKey(),
    ...personal(),
    /** The consent that came with the form: version and hash of its text, or neither. */
    consentVersion: text('consent_version'),
    consentHash: text('consent_hash'),
    /** Of the text in the form's language. */
    consentShownHash: text('consent_shown_hash'),
    /** Passwords that were tried behind the link since one fitted. */
    tries: integer().notNull().default(0),
    /** Null waits without end. */
    expiresAt: seconds('expires_at_s'),
  },
  (t) => [
    index('pending_sign_up_email').on(t.email),
    index('pending_sign_up_expiry').on(t.expiresAt),
  ],
);

/** An account: of an address that was confirmed. */
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
    /** The address from which an email came back; counts as long as it is the account's. */
    bouncedEmail: text('bounced_email'),
    bouncedAt: seconds('bounced_at_s'),
    /** RFC 3463: why, such as 5.1.1. */
    bounceStatus: text('bounce_status'),
  },
  (t) => [
    // a closed account takes neither its address nor its card nor its record from anybody.
    uniqueIndex('patient_email')
      .on(t.email)
      .where(sql`closed_at_s is null`),
    /** Who signs in to a closed account is told so. */
    index('patient_address').on(t.email),
    uniqueIndex('patient_card')
      .on(t.cardProvince, t.cardIndex)
      .where(sql`closed_at_s is null`),
    uniqueIndex('patient_record_number')
      .on(t.recordId)
      .where(sql`closed_at_s is null`),
    check('patient_role', sql`role in ('patient', 'staff')`),
    check('patient_eligibility', sql`eligibility in ('E', 'NR', 'R', 'NE')`),
  ],
);

/**
 * A link that the clinic had mailed: a new address of an account, which counts once the link is
 * opened, or an invitation, whose id becomes the account's.
 */
export const accountLink = pgTable(
  'account_link',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    /** Whose address it is to be; null of an invitation. */
    patientId: uuid('patient_id'),
    recordId: text('record_id').notNull(),
    email: text().notNull(),
    /** The address that it is to take the place of, which is told; null of an invitation. */
    emailBefore: text('email_before'),
    /** Of the token in the link; null until it is mailed. */
    tokenHash: bytes('token_hash'),
    /** Birth dates and cards that were tried behind it. */
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

/** What a patient agreed to, by kind, version and hash of the text. Append-only. */
export const agreement = pgTable(
  'agreement',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    kind: text().notNull(),
    version: text().notNull(),
    /** Of the English text, which holds. */
    textHash: text('text_hash').notNull(),
    /** in which it was shown. */
    locale: text().notNull().default('en'),
    /** Of the text as it was shown; null in rows from before other languages. */
    shownHash: text('shown_hash'),
    at: seconds('at_s').notNull(),
  },
  (t) => [
    index('agreement_patient').on(t.patientId, t.at),
    check('agreement_kind', sql`kind in ('feeWarning', 'icbc', 'general', 'signUp')`),
  ],
);

/** what the clinic published in place of a text that patients agree to. Append-only. */
export const agreementText = pgTable(
  'agreement_text',
  {
    kind: text().notNull(),
    version: integer().notNull(),
    locale: text().notNull(),
    title: text().notNull(),
    paragraphs: text().array().notNull(),
    /** Of the text, with its placeholders as they stand. */
    hash: text().notNull(),
    publishedAt: seconds('published_at_s').notNull(),
    /** Who published it, as the trail names them. */
    publishedBy: text('published_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.version, t.locale] }),
    check('agreement_text_kind', sql`kind in ('feeWarning', 'icbc', 'general', 'signUp')`),
    // The versions of the product's own are 1.x.
    check('agreement_text_version', sql`version >= 2`),
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
