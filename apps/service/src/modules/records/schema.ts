import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, day } from '../../database/column-types.ts';

export const recordsProvider = pgTable('records_provider', {
  id: text().primaryKey(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** '1' is active, as the EMR says it. */
  status: text().notNull(),
});

/** One code character per 5-minute step, 288 a day, `_` for not working; weekday 0 is Sunday. */
export const recordsTemplate = pgTable(
  'records_template',
  {
    providerId: text('provider_id').notNull(),
    weekday: integer().notNull(),
    validFrom: day('valid_from').notNull(),
    codes: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.weekday, t.validFrom] })],
);

export const recordsException = pgTable(
  'records_exception',
  {
    providerId: text('provider_id').notNull(),
    clinicDate: day('clinic_date').notNull(),
    codes: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.clinicDate] })],
);

/** A record. Patients without an account have one too. */
export const patientRecord = pgTable(
  'patient_record',
  {
    id: text().primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    birthDate: day('birth_date').notNull(),
    /** Most responsible provider; a family-doctor id of the clinic's configuration, or none. */
    providerId: text('provider_id'),
    cardProvince: text('card_province').notNull(),
    cardSealed: bytes('card_sealed'),
    cardIndex: bytes('card_index'),
  },
  (t) => [index('patient_record_card').on(t.cardIndex)],
);

/** The template expanded, 91 days ahead: what search and 'earliest' read. */
export const scheduleDay = pgTable(
  'schedule_day',
  {
    clinicDate: day('clinic_date').notNull(),
    providerId: text('provider_id').notNull(),
    codes: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.clinicDate, t.providerId] }),
    check('schedule_day_steps', sql`length(codes) = 288`),
  ],
);
