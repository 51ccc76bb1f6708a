import type { Translations, TypeHue, TypeShape } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { boolean, check, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { day, transactionId } from '../../database/column-types.ts';

/** One row: the transaction that last changed what holds for every day, fees included; set by triggers. */
export const scheduleVersion = pgTable(
  'schedule_version',
  {
    id: integer().primaryKey(),
    changedXid: transactionId('changed_xid').notNull(),
  },
  () => [check('schedule_version_one', sql`id = 1`)],
);

export const providerPolicy = pgTable('provider_policy', {
  providerId: text('provider_id').primaryKey(),
  disabled: boolean().notNull().default(false),
  comment: text().notNull().default(''),
  hidden: boolean().notNull().default(false),
  familyOnly: boolean('family_only').notNull().default(false),
  noPcp: boolean('no_pcp').notNull().default(false),
  /** The site of an EMR that has some, as our appointments name it there; null where nobody has said it. */
  location: text(),
});

export const appointmentType = pgTable(
  'appointment_type',
  {
    code: text().primaryKey(),
    description: text().notNull(),
    /**
     * The description in other languages, by language, and under `of` the description that they translate:
     * they hold for that one alone, since version 0.2.0 changes it without them.
     */
    translations: jsonb().$type<Translations>(),
    position: integer().notNull(),
    enforceMrp: boolean('enforce_mrp').notNull(),
    enforceNoPcp: boolean('enforce_no_pcp').notNull(),
    requiresDocuments: boolean('requires_documents').notNull(),
    minutes: integer().notNull().default(5),
    /** Minutes between starts; null for the length. */
    startEvery: integer('start_every'),
    mode: text().notNull().default('inPerson'),
    form: text().notNull().default('standard'),
    instruction: text(),
    /** What the EMR calls it; null where it has our description, or nobody has said it. */
    emrName: text('emr_name'),
    /** The sign of the type at the front desk; null for what its place gives it. */
    hue: text().$type<TypeHue>(),
    shape: text().$type<TypeShape>(),
    insured: boolean().notNull().default(true),
    isPrivate: boolean('is_private').notNull().default(false),
    byNursePractitioners: boolean('by_nurse_practitioners').notNull().default(false),
    resetsDoctor: boolean('resets_doctor').notNull().default(false),
    /** An inactive type is no longer offered; what was booked keeps its name. */
    active: boolean().notNull().default(true),
  },
  () => [
    check('appointment_type_code', sql`code ~ '^[A-Z][A-Z0-9]{0,3}$' and code <> 'A'`),
    check('appointment_type_minutes', sql`minutes > 0 and minutes % 5 = 0`),
    check('appointment_type_start_every', sql`start_every > 0 and start_every % 5 = 0`),
    check('appointment_type_mode', sql`mode in ('inPerson', 'phone', 'video')`),
    check(
      'appointment_type_form',
      sql`form in ('standard', 'injuryClaim', 'driverMedical', 'immigration', 'refill')`,
    ),
    check('appointment_type_instruction', sql`instruction in ('comeToClinic', 'providerWillCall')`),
    check(
      'appointment_type_hue',
      sql`hue in ('blue', 'orange', 'violet', 'green', 'pink', 'teal', 'red', 'olive')`,
    ),
    check(
      'appointment_type_shape',
      sql`shape in ('circle', 'square', 'triangle', 'diamond', 'ring', 'star', 'plus', 'wedge')`,
    ),
  ],
);

/** Versioned by `valid_from`; the newest row not after the clinic day applies. */
export const feePolicy = pgTable(
  'fee_policy',
  {
    type: text().notNull(),
    eligibility: text().notNull(),
    validFrom: day('valid_from').notNull(),
    chargeCents: integer('charge_cents').notNull(),
    notice: text(),
  },
  (t) => [
    primaryKey({ columns: [t.type, t.eligibility, t.validFrom] }),
    check('fee_policy_charge', sql`charge_cents >= 0`),
    check('fee_policy_eligibility', sql`eligibility in ('E', 'NR', 'R', 'NE')`),
  ],
);

/** A provider's own pace: how long their appointments of a type last, or that they do not offer it. */
export const providerType = pgTable(
  'provider_type',
  {
    providerId: text('provider_id').notNull(),
    type: text().notNull(),
    offers: boolean().notNull().default(true),
    /** Null leaves the length to the slot code and the type. */
    minutes: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.providerId, t.type] }),
    check('provider_type_minutes', sql`minutes > 0 and minutes % 5 = 0`),
  ],
);
