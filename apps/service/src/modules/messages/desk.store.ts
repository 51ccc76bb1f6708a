import { columnsOf } from '../../database/column-types.ts';
import {
  type Db,
  type Part,
  type Tx,
  firstOf,
  hasRows,
  isUuid,
  part,
  sql,
} from '../../database/db.ts';
import { DESK_APPOINTMENTS } from '../appointments/index.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { PATIENT_EMAILS } from '../accounts/index.ts';
import { messageNote, type savedReply } from './schema.ts';
import { type ListedMessage, listed } from './store.ts';

/** The provider whose patients' messages a staff member may read; null for the messages of all patients. */
export type OfProvider = string | null;

/** A message in the inbox of the front desk. */
export interface InboxRow extends ListedMessage {
  /** 'Morgan, Casey'. */
  readonly patient: string;
}

export interface InboxSearch {
  readonly ofProvider: OfProvider;
  /** A staff id for messages assigned to them, null for unassigned ones, 'anybody' for all. */
  readonly assignedTo: string | null;
}

/** Where a page of the inbox ends. */
export interface InboxPlace {
  readonly changedAt: number;
  readonly id: string;
}

const WAITS = part`m.state = 'sent' and m.closed_at_s is null`;

/** True for the patients of a provider: those who have or had an appointment with the provider. */
const isOwn = (patientId: Part, ofProvider: OfProvider) => part`(
  ${ofProvider}::text is null or exists (
    select from ${DESK_APPOINTMENTS} c
     where c.patient_id = ${patientId} and c.provider_id = ${ofProvider}::text
       and c.kept_its_time))`;

const isAssigned = (assignedTo: InboxSearch['assignedTo']) =>
  assignedTo === 'anybody'
    ? part`true`
    : part`m.assigned_to is not distinct from ${assignedTo}::uuid`;

const PATIENT = part`, (
  select p.last_name || ', ' || p.first_name from ${PATIENT_EMAILS} p where p.id = m.patient_id) as patient`;

const inbox = (db: Db, which: Part, order: Part, limit: number) =>
  sql<InboxRow>(db)`${listed(which, order, { limit, skip: 0 }, PATIENT)}`;

/** Messages that wait for an answer, the longest waiting first. */
export const waitingInbox = (db: Db, { ofProvider, assignedTo }: InboxSearch, most: number) =>
  inbox(
    db,
    part`${WAITS} and ${isOwn(part`m.patient_id`, ofProvider)} and ${isAssigned(assignedTo)}`,
    part`m.changed_at_s, m.id`,
    most,
  );

/** Messages that were answered or closed, the newest first, after a place. */
export const settledInbox = (
  db: Db,
  { ofProvider, assignedTo }: InboxSearch,
  after: InboxPlace | null,
  most: number,
) =>
  inbox(
    db,
    part`not (${WAITS}) and ${isOwn(part`m.patient_id`, ofProvider)} and ${isAssigned(assignedTo)}
         and (${after?.id ?? null}::uuid is null
              or (m.changed_at_s, m.id) < (${after?.changedAt ?? 0}::bigint, ${after?.id ?? null}::uuid))`,
    part`m.changed_at_s desc, m.id desc`,
    most,
  );

/** How many messages wait, and how many of them nobody at the clinic has opened. */
export async function inboxCounts(db: Db, ofProvider: OfProvider) {
  const [counts] = await sql<Record<'waiting' | 'unread', number>>(db)`
    select count(*)::int as waiting, (count(*) filter (where m.unread_by_clinic))::int as unread
      from message m where ${WAITS} and ${isOwn(part`m.patient_id`, ofProvider)}`;
  return counts ?? { waiting: 0, unread: 0 };
}

/** The patient to whom staff write; the name is 'Morgan, Casey'. */
export async function correspondent(db: Db, patientId: string) {
  type Row = Record<'name' | 'birthDate' | 'phone' | 'language', string>;
  const [row] = await sql<Row>(db, 'messages-correspondent')`
    select p.last_name || ', ' || p.first_name as name, p.birth_date::text as "birthDate",
           coalesce(p.phone, '') as phone, p.language
      from ${PATIENT_EMAILS} p where p.id = ${patientId}::uuid`;
  if (!row) throw new Error('A message of a patient who is not there');
  return row;
}

/** The ones of these providers whose patient this is. */
export async function providersOf(
  db: Db,
  patientId: string,
  providers: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }>(db, 'messages-providers-of')`
    select each.id from unnest(${providers}::text[]) as each(id)
     where exists (select from ${DESK_APPOINTMENTS} c
                    where c.patient_id = ${patientId}::uuid and c.provider_id = each.id
                      and c.kept_its_time)`;
  return rows.map(({ id }) => id);
}

/** The message to which a file is attached, with its patient; null for any other file. */
export async function messageOfFile(db: Db, fileId: string) {
  if (!isUuid(fileId)) return null;
  const [row] = await sql<{ id: string; patientId: PatientId }>(db, 'messages-of-file')`
    select m.id, m.patient_id as "patientId"
      from message_file f join message_entry e on e.id = f.entry_id join message m on m.id = e.message_id
     where f.file_id = ${fileId}::uuid`;
  return row ?? null;
}

type NoteRow = typeof messageNote.$inferSelect;

/** The notes beside a message in their order. */
export const notesOf = (db: Db, messageId: string) =>
  sql<NoteRow>(db, 'messages-notes-of')`
    select ${columnsOf(messageNote, 'n')} from message_note n
     where n.message_id = ${messageId}::uuid order by n.position`;

/** The notes beside all messages of a patient. */
export const notesAbout = (db: Db, patientId: string) =>
  sql<Pick<NoteRow, 'id' | 'messageId' | 'at' | 'textSealed'>>(db, 'messages-notes-about')`
    select n.id, n.message_id as "messageId", n.at_s as at, n.text_sealed as "textSealed"
      from message_note n join message m on m.id = n.message_id
     where m.patient_id = ${patientId}::uuid order by n.position`;

/** False when a note with this id exists already. */
export const insertNote = (tx: Tx, note: Omit<NoteRow, 'position'>) =>
  hasRows(sql(tx, 'messages-insert-note')`
    insert into message_note (id, message_id, staff_id, at_s, text_sealed)
    values (${note.id}, ${note.messageId}, ${note.staffId}, ${note.at}, ${note.textSealed})
    on conflict do nothing returning id`);

export type SavedReply = typeof savedReply.$inferSelect;

export const savedReplyRows = (db: Db) =>
  sql<SavedReply>(db, 'messages-saved-replies')`
    select id, name, text from saved_reply order by name, id`;

/** A saved reply, locked against changes until the transaction ends; null when there is none. */
export const lockSavedReply = (tx: Tx, id: string) =>
  firstOf(sql<SavedReply>(tx, 'messages-lock-saved-reply')`
    select id, name, text from saved_reply where id = ${id}::uuid for update`);

export const putSavedReply = (tx: Tx, { id, name, text }: SavedReply) =>
  sql(tx, 'messages-put-saved-reply')`
    insert into saved_reply (id, name, text) values (${id}, ${name}, ${text})
    on conflict (id) do update set name = excluded.name, text = excluded.text`;

export const deleteSavedReply = (tx: Tx, id: string) =>
  sql(tx, 'messages-delete-saved-reply')`delete from saved_reply where id = ${id}::uuid`;
