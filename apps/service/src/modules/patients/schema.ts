import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, day, seconds } from '../../database/column-types.ts';

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
    /** Its words and how they are joined, by how they begin. */
    index('folded_name_words')
      .using('gin', sql`array_to_tsvector(array_remove(string_to_array(folded, ' '), ''))`)
      .with({ fastupdate: false }),
    /** Which names were folded in another way. */
    index('folded_name_made_of').on(sql`made_of collate "C"`),
  ],
);

/**
 * Who was named, or came to be looked for by another name, since names were folded: triggers write it, whichever
 * version does the rest. A row is for one change, so that none is deleted with the one before.
 */
export const nameWritten = pgTable('name_written', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** The id of an account, or the number of a record. */
  person: text().notNull(),
});

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

/** A phone number that staff noted, beside those of the account. */
export const recordContact = pgTable(
  'record_contact',
  {
    id: uuid().primaryKey(),
    recordId: text('record_id').notNull(),
    kind: text().$type<'mobile' | 'home' | 'work' | 'other'>().notNull(),
    /** In E.164. */
    number: text().notNull(),
    /** Whose it is, such as 'Pat, her mother'; empty for the patient's own. */
    whose: text().notNull(),
    preferred: boolean().notNull(),
    mayLeaveMessage: boolean('may_leave_message').notNull(),
    staffId: uuid('staff_id').notNull(),
    at: seconds('at_s').notNull(),
    /** When it was taken off the card; null while it counts. So with notes and wishes. */
    struckAt: seconds('struck_at_s'),
  },
  (t) => [
    index('record_contact_record').on(t.recordId),
    check('record_contact_kind', sql`kind in ('mobile', 'home', 'work', 'other')`),
  ],
);

/** What staff noted about a patient. It is never written anew: what changes it strikes it. */
export const recordNote = pgTable(
  'record_note',
  {
    id: uuid().primaryKey(),
    recordId: text('record_id').notNull(),
    /** An alert is shown before times are; a label is a word or two. */
    kind: text().$type<'alert' | 'note' | 'label'>().notNull(),
    textSealed: bytes('text_sealed').notNull(),
    staffId: uuid('staff_id').notNull(),
    at: seconds('at_s').notNull(),
    struckAt: seconds('struck_at_s'),
  },
  (t) => [
    index('record_note_record').on(t.recordId),
    check('record_note_kind', sql`kind in ('alert', 'note', 'label')`),
  ],
);

/** An appointment that is wished for: as the doctor's follow-up, or by the patient, earlier than what they have. */
export const wish = pgTable(
  'wish',
  {
    id: uuid().primaryKey(),
    recordId: text('record_id').notNull(),
    kind: text().$type<'followUp' | 'earlier'>().notNull(),
    /** Null for any, as the doctor and both days are. */
    type: text(),
    providerId: text('provider_id'),
    from: day('from_day'),
    to: day('to_day'),
    /** Null where the patient said so themselves. */
    staffId: uuid('staff_id'),
    at: seconds('at_s').notNull(),
    struckAt: seconds('struck_at_s'),
  },
  (t) => [
    index('wish_record').on(t.recordId),
    check('wish_kind', sql`kind in ('followUp', 'earlier')`),
  ],
);
