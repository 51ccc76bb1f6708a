import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, seconds } from '../database/column-types.ts';

/** S-5: uses per rule and subject, counted for each part of the rule's window. */
export const rateWindow = pgTable(
  'rate_window',
  {
    rule: text().notNull(),
    /** A keyed hash of the account or address, never the value. */
    subject: bytes().notNull(),
    windowStart: seconds('window_start_s').notNull(),
    count: integer().notNull(),
    /** The ids of the uses that may still be given back, each once. */
    useIds: uuid('use_ids').array(),
  },
  (t) => [
    primaryKey({ columns: [t.rule, t.subject, t.windowStart] }),
    index('rate_window_start').on(t.windowStart),
  ],
);
