import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/**
 * A booked appointment of which the EMR has no entry any more (its stages stand in sync/missing.ts): since when,
 * and what staff decided. Holds for the place that it names; the row of an appointment that has moved is stale.
 */
export const emrGone = pgTable('emr_gone', {
  appointmentId: uuid('appointment_id').primaryKey(),
  providerId: text('provider_id').notNull(),
  start: seconds('start_s').notNull(),
  /** Since when it is missing. */
  goneAt: seconds('gone_at_s').notNull(),
  /** When a second lookup confirmed it, from which on the desk's list has it; null before. */
  listedAt: seconds('listed_at_s'),
  /** When staff decided at the desk, and who; by nobody where its key could not be written, or time ran out. */
  keptAt: seconds('kept_at_s'),
  keptBy: uuid('kept_by'),
});
