import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { seconds } from './column-types.ts';

/** Work that must happen once after a commit: emails, and requests to the EMR. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    dueAt: seconds('due_at_s').notNull(),
    attempts: integer().notNull().default(0),
    /** How often the mail server refused the email for good; after the third time it has failed. */
    refusals: integer().notNull().default(0),
    failed: boolean().notNull().default(false),
    /** When the work was done, or given up as failed. */
    doneAt: seconds('done_at_s'),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`done_at_s is null`),
  ],
);

/** Small facts about the installation itself, each under a key. */
export const installation = pgTable('installation', {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** Words between processes that cannot LISTEN, kept for half a minute. */
export const said = pgTable('said', {
  id: uuid().primaryKey(),
  /** The process that sent the words. */
  saidBy: uuid('said_by').notNull(),
  words: text().notNull(),
  saidAt: seconds('said_at_s').notNull(),
});
