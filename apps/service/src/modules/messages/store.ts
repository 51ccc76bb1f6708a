import { and, eq } from 'drizzle-orm';

import type { AccountFacts } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, type Part, type Tx, isUuid, part, sql } from '../../database/db.ts';
import { message, messageEntry, messageFile, messageVersion } from './schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { STORED_FILES } from '../documents/index.ts';
import { PATIENT_EMAILS } from '../accounts/index.ts';

export type MessageRow = typeof message.$inferSelect;
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

const listed = (which: Part, order: Part, { limit, skip }: Page) => part`
  select m.id, m.patient_id as "patientId", m.state, m.started_at_s as "startedAt",
         m.changed_at_s as "changedAt", m.unread, m.unread_by_clinic as "unreadByClinic",
         m.assigned_to as "assignedTo", m.closed_at_s as "closedAt",
         last.id as "lastId", last.text_sealed as "textSealed",
         (select count(*)::int from message_file f join message_entry e on e.id = f.entry_id
           where e.message_id = m.id) as "fileCount"
    from (select * from message where ${which} order by ${order} limit ${limit} offset ${skip}) m
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
  const own = patientId === undefined ? undefined : eq(message.patientId, patientId);
  const found = db
    .select()
    .from(message)
    .where(and(eq(message.id, id), own));
  const [row] = await (lock ? found.for('update') : found);
  return row ?? null;
}

/** All messages of a patient, the oldest first. */
export const messagesOf = (db: Db, patientId: PatientId) =>
  db
    .select()
    .from(message)
    .where(eq(message.patientId, patientId))
    .orderBy(message.startedAt, message.id);

/** The texts of a message in their order. */
export const entriesOf = (db: Db, messageId: string) =>
  db
    .select()
    .from(messageEntry)
    .where(eq(messageEntry.messageId, messageId))
    .orderBy(messageEntry.position);

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
export async function writeMessageRow(
  tx: Tx,
  row: Pick<MessageRow, 'id' | 'patientId'>,
  author: EntryRow['author'],
  now: number,
): Promise<void> {
  const byClinic = author === 'clinic';
  const standing = {
    state: byClinic ? 'replied' : 'sent',
    changedAt: now,
    unread: byClinic,
    unreadByClinic: !byClinic,
    closedAt: null,
  };
  await tx
    .insert(message)
    .values({ ...row, startedAt: now, ...standing })
    .onConflictDoUpdate({ target: message.id, set: standing });
}

export async function changeMessageRow(
  tx: Tx,
  id: string,
  change: Partial<
    Pick<MessageRow, 'changedAt' | 'unread' | 'unreadByClinic' | 'assignedTo' | 'closedAt'>
  >,
): Promise<void> {
  await tx.update(message).set(change).where(eq(message.id, id));
}

export async function insertEntry(
  tx: Tx,
  entry: Omit<EntryRow, 'editedAt' | 'position'>,
  fileIds: readonly string[],
): Promise<void> {
  await tx.insert(messageEntry).values(entry);
  if (fileIds.length > 0)
    await tx
      .insert(messageFile)
      .values(fileIds.map((fileId, at) => ({ fileId, entryId: entry.id, slot: at + 1 })));
}

/** Replaces a text and keeps the old one as a version. */
export async function rewriteEntry(
  tx: Tx,
  entry: EntryRow,
  kept: { readonly id: string; readonly textSealed: Uint8Array },
  change: { readonly textSealed: Uint8Array; readonly editedAt: number },
): Promise<void> {
  const earlier = await tx.$count(messageVersion, eq(messageVersion.entryId, entry.id));
  await tx.insert(messageVersion).values({
    ...kept,
    version: earlier + 1,
    entryId: entry.id,
    at: entry.editedAt ?? entry.at,
  });
  await tx.update(messageEntry).set(change).where(eq(messageEntry.id, entry.id));
}

interface Reader {
  readonly to: string;
  readonly language: Locale;
  readonly account: AccountFacts;
}

/** Where an email about a message goes, and in which language; null when the message is gone. */
export async function addressFor(db: Db, messageId: string): Promise<Reader | null> {
  const [row] = await sql<Reader>(db, 'messages-address')`
    select p.email as "to", p.language, p.account from message m join ${PATIENT_EMAILS} p on p.id = m.patient_id
     where m.id = ${messageId}`;
  return row ?? null;
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
