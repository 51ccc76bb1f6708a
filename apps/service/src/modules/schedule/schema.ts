import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { day, transactionId } from '../../database/column-types.ts';

/** One row: which transaction last changed templates, providers or their policy; by triggers. */
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
});

export const appointmentType = pgTable('appointment_type', {
  code: text().primaryKey(),
  description: text().notNull(),
  position: integer().notNull(),
  enforceMrp: boolean('enforce_mrp').notNull(),
  enforceNoPcp: boolean('enforce_no_pcp').notNull(),
  requiresDocuments: boolean('requires_documents').notNull(),
});

/** Versioned by `valid_from`; the newest row not after the clinic day holds. */
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
