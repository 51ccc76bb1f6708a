import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/**
 * Names as the domain folds them for the search, by the id of an account or else the number of a record.
 * A job writes the rows. A name whose row is missing, or was made of another name or by another folding,
 * is folded at each read: version 0.2.0 writes names and knows no folding.
 */
export const foldedName = pgTable(
  'folded_name',
  {
    person: text().primaryKey(),
    /** The folding's version and the name that it was made of. */
    madeOf: text('made_of').notNull(),
    folded: text().notNull(),
    /** What the name sounds like, and its grams: null in rows of an older folding. */
    sounds: text().array(),
    grams: text().array(),
  },
  // A job writes the rows; whoever searches is not to read a list of what waits.
  (t) => [
    index('folded_name_sounds').using('gin', t.sounds).with({ fastupdate: false }),
    index('folded_name_grams').using('gin', t.grams).with({ fastupdate: false }),
  ],
);

/** Two records that may be of one person, by the lower of their numbers first. */
export const likelyPair = pgTable(
  'likely_pair',
  {
    recordId: text('record_id').notNull(),
    otherRecordId: text('other_record_id').notNull(),
    foundAt: seconds('found_at_s').notNull(),
    /** When staff said that they are two persons; null while nobody has. */
    apartAt: seconds('apart_at_s'),
  },
  (t) => [primaryKey({ columns: [t.recordId, t.otherRecordId] })],
);
