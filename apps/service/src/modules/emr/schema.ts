import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/**
 * A booked appointment whose row the EMR no longer has, as far as anybody has told it: since when, and what
 * staff said of it. Holds for the place that it names only; a row of an appointment that moved is stale.
 */
export const emrGone = pgTable('emr_gone', {
  appointmentId: uuid('appointment_id').primaryKey(),
  providerId: text('provider_id').notNull(),
  start: seconds('start_s').notNull(),
  /** When it was missed first. */
  goneAt: seconds('gone_at_s').notNull(),
  /** When a second look confirmed it, from which on the desk's list has it; null before. */
  listedAt: seconds('listed_at_s'),
  /** When staff said at the desk that it stands all the same, or null; and who. */
  keptAt: seconds('kept_at_s'),
  keptBy: uuid('kept_by'),
});
