import { boolean, index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../../database/column-types.ts';

/** A suggestion of a patient: nobody answers it; the clinic reads it. */
export const problemReport = pgTable(
  'problem_report',
  {
    id: uuid().primaryKey(),
    patientId: uuid('patient_id').notNull(),
    messageSealed: bytes('message_sealed').notNull(),
    screenshotSealed: bytes('screenshot_sealed'),
    isAppointment: boolean('is_appointment').notNull(),
    isRead: boolean('is_read').notNull().default(false),
    at: seconds('at_s').notNull(),
  },
  (t) => [
    index('problem_report_unread').on(t.isRead, t.at),
    index('problem_report_patient').on(t.patientId, t.at),
  ],
);
