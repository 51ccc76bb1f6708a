import type { AccountFacts } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { columnsOf } from '../../database/column-types.ts';
import { type Db, type Part, type Tx, firstOf, isUuid, part, sql } from '../../database/db.ts';
import { message, messageEntry } from './schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { STORED_FILES } from '../documents/index.ts';
import { PATIENT_EMAILS } from '../accounts/index.ts';

export interface MessageRow extends Omit<typeof message.$inferSelect, 'patientId'> {
  readonly patientId: PatientId;
}
export type EntryRow = typeof messageEntry.$inferSelect;

/** A message with the last of its texts and the number of its files. */
export interface ListedMessage extends MessageRow {
  readonly lastId: string;
  readonly textSealed: Uint8Array;
  readonly fileCount: number;
}

interface Page {
  readonly limit: number;
  readonly skip: number;
}

const COLUMNS = columnsOf(message, 'm');

/** Those messages `m` of a page, with `more` columns. */
export const listed = (which: Part, order: Part, { limit, skip }: Page, more = part``) => part`
  select ${COLUMNS}, last.id as "lastId", last.text_sealed as "textSealed",
         (select count(*)::int from message_file f join message_entry e on e.id = f.entry_id
           where e.message_id = m.id) as "fileCount"${more}
    from (select * from message m where ${which} order by ${order} limit ${limit} offset ${skip}) m
    join lateral (select e.id, e.text_sealed from message_entry e where e.message_id = m.id
                   order by e.position desc limit 1) last on true
   order by ${order}`;

export async function pageOf(db: Db, patientId: PatientId, page: Page) {
  const own = part`patient_id = ${patientId}`;
  const [rows, [counted]] = await Promise.all([
    sql<ListedMessage>(db, 'messages-of-patient')`
      ${listed(own, part`changed_at_s desc, id desc`, page)}`,
    sql<{ total: number; unread: number }>(db, 'messages-counted')`
      select count(*)::int as total, (count(*) filter (where unread))::int as unread
        from message where ${own}`,
  ]);
  return { total: 0, unread: 0, ...counted, rows };
}

/** A page for the clinic: messages that wait for an answer come first. */
export function pageForClinic(db: Db, asked: { limit: number; waiting: boolean }) {
  const which = asked.waiting ? part`state = 'sent' and closed_at_s is null` : part`true`;
  const page = { limit: asked.limit, skip: 0 };
  return sql<ListedMessage>(
    db,
  )`${listed(which, part`state = 'replied' or closed_at_s is not null, changed_at_s`, page)}`;
}

/**
 * A message, or null. With `patientId` only that patient's: another's id, an unknown id and a text that is
 * no id all give null. With `lock` two changes of one message come one after the other.
 */
export async function messageOf(
  db: Db,
  id: string,
  { patientId, lock = false }: { patientId?: PatientId; lock?: boolean },
): Promise<MessageRow | null> {
  if (!isUuid(id)) return null;
  const [row] = await sql<MessageRow>(db, lock ? 'message-lock' : 'message-of')`
    select ${COLUMNS} from message m
     where m.id = ${id} and (${patientId ?? null}::uuid is null or m.patient_id = ${patientId ?? null})
       ${lock ? part`for update` : part``}`;
  return row ?? null;
}

/** All messages of a patient, the oldest first. */
export const messagesOf = (db: Db, patientId: PatientId) =>
  sql<MessageRow>(db, 'messages-all-of-patient')`
    select ${COLUMNS} from message m where m.patient_id = ${patientId} order by m.started_at_s, m.id`;

/** The texts of a message in their order. */
export const entriesOf = (db: Db, messageId: string) =>
  sql<EntryRow>(db, 'messages-entries')`
    select ${columnsOf(messageEntry, 'e')} from message_entry e
     where e.message_id = ${messageId} order by e.position`;

interface AttachedFile {
  readonly id: string;
  readonly entryId: string;
  readonly mediaType: string;
  readonly size: number;
  readonly nameSealed: Uint8Array;
}

/** The files attached to the texts of a message, in the order of each text. */
export const filesOf = (db: Db, messageId: string) =>
  sql<AttachedFile>(db, 'messages-files')`
    select f.id, m.entry_id as "entryId", f.media_type as "mediaType", f.size,
           f.name_sealed as "nameSealed"
      from message_file m
      join message_entry e on e.id = m.entry_id
      join ${STORED_FILES} f on f.id = m.file_id
     where e.message_id = ${messageId} order by m.slot`;

/** Writes a new message, or the changes that a new text makes to a message: it is no longer closed. */
export function writeMessageRow(
  tx: Tx,
  { id, patientId }: Pick<MessageRow, 'id' | 'patientId'>,
  author: EntryRow['author'],
  now: number,
) {
  const byClinic = author === 'clinic';
  return sql(tx, 'messages-write')`
    insert into message (id, patient_id, started_at_s, state, changed_at_s, unread, unread_by_clinic)
    values (${id}, ${patientId}, ${now}, ${byClinic ? 'replied' : 'sent'}, ${now}, ${byClinic}, ${!byClinic})
    on conflict (id) do update
      set state = excluded.state, changed_at_s = excluded.changed_at_s, unread = excluded.unread,
          unread_by_clinic = excluded.unread_by_clinic, closed_at_s = null`;
}

type MessageChange = Partial<
  Pick<MessageRow, 'changedAt' | 'unread' | 'unreadByClinic' | 'assignedTo' | 'closedAt'>
>;

export const changeMessageRow = (tx: Tx, id: string, change: MessageChange) =>
  sql(tx, 'messages-change')`
    update message
       set changed_at_s = coalesce(${change.changedAt ?? null}, changed_at_s),
           unread = coalesce(${change.unread ?? null}, unread),
           unread_by_clinic = coalesce(${change.unreadByClinic ?? null}, unread_by_clinic),
           assigned_to = case when ${'assignedTo' in change}::boolean then ${change.assignedTo ?? null}::uuid
                              else assigned_to end,
           closed_at_s = case when ${'closedAt' in change}::boolean then ${change.closedAt ?? null}::bigint
                              else closed_at_s end
     where id = ${id}`;

export async function insertEntry(
  tx: Tx,
  entry: Omit<EntryRow, 'editedAt' | 'position'>,
  fileIds: readonly string[],
): Promise<void> {
  const { id, messageId, author, at, textSealed, staffId, requestKey } = entry;
  await sql(tx, 'messages-insert-entry')`
    insert into message_entry (id, message_id, author, at_s, text_sealed, staff_id, request_key)
    values (${id}, ${messageId}, ${author}, ${at}, ${textSealed}, ${staffId}, ${requestKey})`;
  if (fileIds.length > 0)
    await sql(tx, 'messages-insert-files')`
      insert into message_file (file_id, entry_id, slot)
      select file_id, ${id}::uuid, slot from unnest(${fileIds}::uuid[]) with ordinality as f (file_id, slot)`;
}

/** Replaces a text and keeps the old one as a version. */
export async function rewriteEntry(
  tx: Tx,
  { id: entryId, at, editedAt }: EntryRow,
  kept: { readonly id: string; readonly textSealed: Uint8Array },
  change: { readonly textSealed: Uint8Array; readonly editedAt: number },
): Promise<void> {
  await sql(tx, 'messages-keep-version')`
    insert into message_version (id, entry_id, version, text_sealed, at_s)
    select ${kept.id}::uuid, ${entryId}::uuid, count(*) + 1, ${kept.textSealed}::bytea,
           ${editedAt ?? at}::bigint
      from message_version where entry_id = ${entryId}::uuid`;
  await sql(tx, 'messages-rewrite-entry')`
    update message_entry set text_sealed = ${change.textSealed}, edited_at_s = ${change.editedAt}
     where id = ${entryId}`;
}

/** Where an email about a message goes, and in which language; null when the message is gone. */
export function addressFor(db: Db, messageId: string) {
  type Row = { readonly to: string; readonly language: Locale; readonly account: AccountFacts };
  return firstOf(sql<Row>(db, 'messages-address')`
    select p.email as "to", p.language, p.account from message m join ${PATIENT_EMAILS} p on p.id = m.patient_id
     where m.id = ${messageId}`);
}

/** Messages with their patients, for other modules' statements. */
export const MESSAGES = part`(select id, patient_id from message)`;

/** When a message of the patient `p` last changed, for other modules' statements. */
export const LAST_MESSAGE = part`(
  select max(changed_at_s) from message where patient_id = p.id)`;

export const eraseMessages = (patientId: string) => part`
  with entries as (
    select e.id from message_entry e join message m on m.id = e.message_id
     where m.patient_id = ${patientId}),
  versions as (delete from message_version where entry_id in (select id from entries)),
  files as (delete from message_file where entry_id in (select id from entries)),
  notes as (
    delete from message_note where message_id in (
      select id from message where patient_id = ${patientId})),
  texts as (delete from message_entry where id in (select id from entries))
  delete from message where patient_id = ${patientId}`;
