import type { CallOutcome, ClosingOutcome, OfferedTime, SaidOfDay } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { seconds } from '../../database/column-types.ts';

/** Time of providers that the clinic has closed; what was booked in it is given up. */
export const closing = pgTable(
  'closing',
  {
    id: uuid().primaryKey(),
    /** The key of the request that asked for it. */
    requestKey: text('request_key').notNull(),
    providerIds: text('provider_ids').array().notNull(),
    from: seconds('from_s').notNull(),
    to: seconds('to_s').notNull(),
    /** Who asked, as the audit trail names them. */
    askedBy: text('asked_by').notNull(),
    askedAt: seconds('asked_at_s').notNull(),
    /** When nothing of it was left to be given up; null until then. */
    doneAt: seconds('done_at_s'),
    /** What the clinic had said of these days before the closing, if anything. */
    before: jsonb()
      .$type<readonly SaidOfDay[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** The first instant that is open again, when it was reopened, and by whom; null while closed. */
    reopenedFrom: seconds('reopened_from_s'),
    reopenedAt: seconds('reopened_at_s'),
    reopenedBy: text('reopened_by'),
    /** Until when one process has it to itself; if that process dies, others take over then. */
    leaseUntil: seconds('lease_until_s').notNull().default(0),
    /** Until when nothing is given up, so that it can be stopped; null where it is not many. */
    waitsUntil: seconds('waits_until_s'),
  },
  (t) => [
    uniqueIndex('closing_request').on(t.askedBy, t.requestKey),
    index('closing_asked').on(t.askedAt),
    index('closing_to_do')
      .on(t.askedAt)
      .where(sql`done_at_s is null`),
    check('closing_span', sql`to_s > from_s and from_s % 300 = 0 and to_s % 300 = 0`),
  ],
);

/** An appointment or a hold in time that was closed, and what became of it. */
export const closingEntry = pgTable(
  'closing_entry',
  {
    closingId: uuid('closing_id').notNull(),
    appointmentId: uuid('appointment_id').notNull(),
    /** Null while it stands. */
    outcome: text().$type<ClosingOutcome>(),
    /** When the outcome became known, or when it was last tried. */
    at: seconds('at_s'),
    /** The free times that its patient's email names. */
    offered: jsonb().$type<readonly OfferedTime[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.closingId, t.appointmentId] }),
    check(
      'closing_entry_outcome',
      sql`outcome in ('cancelled', 'cancelSent', 'released', 'gone', 'stays')`,
    ),
  ],
);

/** A call of staff to the patient of a closing's entry. No row is changed: a mistaken one is taken back by another. */
export const closingCall = pgTable(
  'closing_call',
  {
    /** Made by the page. */
    id: uuid().primaryKey(),
    closingId: uuid('closing_id').notNull(),
    appointmentId: uuid('appointment_id').notNull(),
    /** Null in a row that takes another back. */
    outcome: text().$type<CallOutcome>(),
    takesBack: uuid('takes_back'),
    /** Who called, as the audit trail names them. */
    by: text('noted_by').notNull(),
    at: seconds('at_s').notNull(),
    /** The order of the calls: two can come in one second. */
    position: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    index('closing_call_entry').on(t.closingId, t.appointmentId),
    index('closing_call_appointment').on(t.appointmentId),
    uniqueIndex('closing_call_taken_back').on(t.takesBack),
    check('closing_call_outcome', sql`outcome in ('reached', 'messageLeft', 'noAnswer')`),
    check('closing_call_or_taken_back', sql`(outcome is null) = (takes_back is not null)`),
  ],
);
