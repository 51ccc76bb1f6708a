import type { ClinicDate, EpochSeconds } from '@clinic/domain';
import { columnsOf } from '../../../database/column-types.ts';
import { type Db, type Part, type Tx, hasRows, part, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { RECORDS } from '../../records/index.ts';
import { recordContact, recordNote, wish } from '../schema.ts';

export type ContactRow = typeof recordContact.$inferSelect;
export type NoteRow = typeof recordNote.$inferSelect;
export type WishRow = typeof wish.$inferSelect;

/** What stands on a card. */
export const CARD_ENTRIES = ['contact', 'note', 'wish'] as const;
export type CardEntryKind = (typeof CARD_ENTRIES)[number];

const TABLES: Readonly<Record<CardEntryKind, Part>> = {
  contact: part`record_contact`,
  note: part`record_note`,
  wish: part`wish`,
};

/** The row is the record's, or of one merged into it: so a merge moves it, and undoing the merge takes it back. */
const isOf = (
  recordId: string,
  row: Part,
) => part`(${row}.record_id = ${recordId} or ${row}.record_id in (
  select merged.id from ${RECORDS} merged where merged.merged_into = ${recordId}))`;

/** Notes and labels of a card, the oldest first; `all` has those that were struck, too. */
export const notesOfCard = (db: Db, recordId: string, all: boolean) =>
  sql<NoteRow>(db, 'card-notes')`
    select ${columnsOf(recordNote, 'n')} from record_note n
     where ${isOf(recordId, part`n`)} and (${all}::boolean or n.struck_at_s is null)
     order by n.at_s, n.id`;

/** Alerts and labels of the records of a statement, each with the record that stands. */
export const marksOf = (db: Db, records: Part) =>
  sql<Pick<NoteRow, 'id' | 'recordId' | 'kind' | 'textSealed'>>(db, 'card-marks')`
    select n.id, coalesce(r.merged_into, n.record_id) as "recordId", n.kind, n.text_sealed as "textSealed"
      from record_note n left join ${RECORDS} r on r.id = n.record_id
     where n.struck_at_s is null and n.kind <> 'note'
       and coalesce(r.merged_into, n.record_id) in (${records})
     order by n.at_s, n.id`;

/** The preferred numbers first. */
export const contactsOfCard = (db: Db, recordId: string, all: boolean) =>
  sql<ContactRow>(db, 'card-contacts')`
    select ${columnsOf(recordContact, 'c')} from record_contact c
     where ${isOf(recordId, part`c`)} and (${all}::boolean or c.struck_at_s is null)
     order by c.preferred desc, c.at_s, c.id`;

export const wishesOfCard = (db: Db, recordId: string) =>
  sql<WishRow>(db, 'card-wishes')`
    select ${columnsOf(wish, 'w')} from wish w where ${isOf(recordId, part`w`)} order by w.at_s, w.id`;

/** A wish of the record is not over: no appointment as wished was booked since, and its last day is not past (R-122). */
const isDue = (recordId: Part, today: ClinicDate) => part`
  w.struck_at_s is null and (w.to_day is null or w.to_day >= ${today}::date)
  and not exists (
    select from ${DESK_APPOINTMENTS} c
     where c.record_id = ${recordId} and c.kept_its_time and c.created_at_s > w.at_s
       and c.type = coalesce(w.type, c.type)
       and c.provider_id = coalesce(w.provider_id, c.provider_id)
       and c.clinic_date between coalesce(w.from_day, c.clinic_date)
                             and coalesce(w.to_day, c.clinic_date))`;

export const dueWishes = (db: Db, recordId: string, today: ClinicDate) =>
  sql<WishRow>(db, 'card-due-wishes')`
    select ${columnsOf(wish, 'w')} from wish w
     where ${isOf(recordId, part`w`)} and ${isDue(part`${recordId}`, today)}
     order by w.to_day nulls last, w.at_s, w.id`;

/** The wishes of everybody that are due, each with the record that stands; the oldest first. */
export const everyDueWish = (db: Db, today: ClinicDate) =>
  sql<Pick<WishRow, 'id' | 'recordId' | 'kind' | 'type' | 'providerId' | 'from' | 'to'>>(
    db,
    'card-every-due-wish',
  )`
    select w.id, ${STANDING} as "recordId", w.kind, w.type, w.provider_id as "providerId",
           w.from_day::text as "from", w.to_day::text as "to"
      from wish w left join ${RECORDS} r on r.id = w.record_id
     where ${isDue(STANDING, today)} order by w.at_s, w.id`;

/** The record that stands, of a wish whose own may have been merged into it. */
const STANDING = part`coalesce(r.merged_into, w.record_id)`;

/** False when an entry with this id exists already. */
export const insertNote = (tx: Tx, row: NoteRow) =>
  hasRows(sql(tx, 'card-insert-note')`
    insert into record_note (id, record_id, kind, text_sealed, staff_id, at_s)
    values (${row.id}, ${row.recordId}, ${row.kind}, ${row.textSealed}, ${row.staffId}, ${row.at})
    on conflict do nothing returning id`);

export const insertContact = (tx: Tx, row: ContactRow) =>
  hasRows(sql(tx, 'card-insert-contact')`
    insert into record_contact (id, record_id, kind, number, whose, preferred, may_leave_message,
                                staff_id, at_s)
    values (${row.id}, ${row.recordId}, ${row.kind}, ${row.number}, ${row.whose}, ${row.preferred},
            ${row.mayLeaveMessage}, ${row.staffId}, ${row.at})
    on conflict do nothing returning id`);

export const insertWish = (tx: Tx, row: WishRow) =>
  hasRows(sql(tx, 'card-insert-wish')`
    insert into wish (id, record_id, kind, type, provider_id, from_day, to_day, staff_id, at_s)
    values (${row.id}, ${row.recordId}, ${row.kind}, ${row.type}, ${row.providerId}, ${row.from}::date,
            ${row.to}::date, ${row.staffId}, ${row.at})
    on conflict do nothing returning id`);

/** Whether an entry of the card was struck; null where there is none. Locks it until the transaction ends. */
export async function lockEntry(
  tx: Tx,
  of: CardEntryKind,
  { id, recordId }: { readonly id: string; readonly recordId: string },
): Promise<{ readonly isStruck: boolean } | null> {
  const [row] = await sql<{ isStruck: boolean }>(tx, `card-lock-${of}`)`
    select e.struck_at_s is not null as "isStruck" from ${TABLES[of]} e
     where e.id = ${id}::uuid and ${isOf(recordId, part`e`)} for update of e`;
  return row ?? null;
}

export const strikeEntry = (tx: Tx, of: CardEntryKind, id: string, struckAt: EpochSeconds | null) =>
  sql(tx, `card-strike-${of}`)`
    update ${TABLES[of]} set struck_at_s = ${struckAt}::bigint where id = ${id}::uuid`;

/** The numbers on the cards, each with the record that stands; for other statements. */
export const CONTACT_NUMBERS = part`(
  select coalesce(r.merged_into, c.record_id) as record_id, c.number, c.preferred, c.at_s
    from record_contact c left join ${RECORDS} r on r.id = c.record_id
   where c.struck_at_s is null)`;

/** When anything was last noted on the card of `p`, for other modules' statements. */
export const LAST_ON_CARD = part`(
  select max(e.at_s)
    from (select record_id, at_s from record_contact
          union all select record_id, at_s from record_note
          union all select record_id, at_s from wish) e
   where e.record_id = p.record_id
      or e.record_id in (select merged.id from ${RECORDS} merged where merged.merged_into = p.record_id))`;

/** Erases the card of a record; while that record and those merged into it are still there. */
export const eraseCard = (recordId: string) => part`
  with contacts as (delete from record_contact e where ${isOf(recordId, part`e`)}),
       notes as (delete from record_note e where ${isOf(recordId, part`e`)})
  delete from wish e where ${isOf(recordId, part`e`)}`;
