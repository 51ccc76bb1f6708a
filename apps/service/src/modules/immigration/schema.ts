import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** What an immigration exam needs to know of a patient, sealed. */
export const medicalProfile = pgTable('medical_profile', {
  patientId: uuid('patient_id').primaryKey(),
  profileSealed: bytes('profile_sealed').notNull(),
  changedAt: seconds('changed_at_s').notNull(),
});
