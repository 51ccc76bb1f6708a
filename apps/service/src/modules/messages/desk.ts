import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import {
  type FormHeaders,
  overStored,
  overtaken,
  versionOfContent,
  versionOfForm,
} from '../../server/version.ts';
import { readStoredFile } from '../documents/index.ts';
import {
  correspondent,
  type InboxPlace,
  type InboxRow,
  type InboxSearch,
  type OfProvider,
  type SavedReply,
  deleteSavedReply,
  insertNote,
  messageOfFile,
  notesAbout,
  notesOf,
  providersOf,
  lockSavedReply,
  putSavedReply,
  savedReplyRows,
  settledInbox,
  waitingInbox,
} from './desk.store.ts';
import { type MessageRow, changeMessageRow, entriesOf, messageOf, pageOf } from './store.ts';
import { beginningOf, entryContext, shownThread, versionOf, versionOfRows } from './thread.ts';

// What staff do with patients' messages at the front desk. The message of a patient whom a staff member
// may not see is treated as if it did not exist.

type Ports = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'realtime'>;
type Looking = Who & { readonly ofProvider: OfProvider };

const noteContext = (id: string) => `message_note.text:${id}`;

/** How many waiting messages are shown at once, and how many others on a page. */
const MOST_WAITING = 100;
const PAGE = 50;

function stateOf({ state, closedAt }: Pick<MessageRow, 'state' | 'closedAt'>) {
  if (closedAt !== null) return 'closed' as const;
  return state === 'sent' ? ('waiting' as const) : ('answered' as const);
}

const listed = (keyring: Keyring, { lastId, textSealed, ...row }: InboxRow) => ({
  ...row,
  isNew: row.unreadByClinic,
  message: beginningOf(keyring.open(entryContext(lastId), textSealed)),
  state: stateOf(row),
});

/** The waiting messages, the longest waiting first, and a page of the others, the newest first. */
export async function inboxAtDesk(
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  search: InboxSearch,
  after: InboxPlace | null,
) {
  const [waiting, settled] = await Promise.all([
    waitingInbox(db, search, MOST_WAITING + 1),
    settledInbox(db, search, after, PAGE + 1),
  ]);
  const shown = settled.slice(0, PAGE);
  return {
    waiting: waiting.slice(0, MOST_WAITING).map((row) => listed(keyring, row)),
    hasMoreWaiting: waiting.length > MOST_WAITING,
    settled: shown.map((row) => listed(keyring, row)),
    /** The place after which the next page begins; null on the last page. */
    next: settled.length > PAGE ? (shown.at(-1) ?? null) : null,
  };
}

/** The latest messages of a patient, the newest first. */
export const latestMessages = async (
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  patientId: PatientId,
  most: number,
) => {
  const { rows } = await pageOf(db, patientId, { limit: most, skip: 0 });
  return rows.map((row) => ({
    id: row.id,
    changedAt: row.changedAt,
    state: stateOf(row),
    message: beginningOf(keyring.open(entryContext(row.lastId), row.textSealed)),
  }));
};

/** True when a staff member may read a patient's messages. */
const isSeen = async (db: Db, patientId: string, ofProvider: OfProvider): Promise<boolean> =>
  ofProvider === null || (await providersOf(db, patientId, [ofProvider])).length > 0;

/** The message, or null when there is none that the staff member may read. */
async function seenMessage(db: Db, id: string, ofProvider: OfProvider): Promise<MessageRow | null> {
  const message = await messageOf(db, id, {});
  return message !== null && (await isSeen(db, message.patientId, ofProvider)) ? message : null;
}

/** A thread with its notes. Reading it removes its 'new' mark; a page that refreshes by itself does not. */
export async function threadAtDesk(
  { database, keyring, realtime }: Pick<Ports, 'database' | 'keyring' | 'realtime'>,
  id: string,
  ofProvider: OfProvider,
  isRead: boolean,
) {
  const message = await seenMessage(database.db, id, ofProvider);
  if (message === null) return null;
  if (isRead && message.unreadByClinic) {
    await database.inTransaction(async (tx) => {
      await messageOf(tx, id, { lock: true });
      await changeMessageRow(tx, id, { unreadByClinic: false });
    });
    realtime.sayToDesk();
  }
  const [patient, thread, rows, notes] = await Promise.all([
    correspondent(database.db, message.patientId),
    shownThread(keyring, database.db, message),
    entriesOf(database.db, id),
    notesOf(database.db, id),
  ]);
  const authors = new Map(rows.map((row) => [row.id, row.staffId]));
  return {
    id,
    patientId: message.patientId,
    patient,
    state: stateOf(message),
    assignedTo: message.assignedTo,
    formVersion: versionOfForm({ staffId: message.assignedTo }),
    // The version covers only the texts shown here, so that a text that comes later counts as a change.
    version: versionOf(thread.entries),
    entries: thread.entries.map((entry) => ({ ...entry, staffId: authors.get(entry.id) ?? null })),
    notes: notes.map(({ id: noteId, staffId, at, textSealed }) => ({
      id: noteId,
      staffId,
      at,
      text: keyring.open(noteContext(noteId), textSealed),
    })),
  };
}

/** The patient of a message; null when there is none that the staff member may read. */
export const patientOfMessage = async (
  { database: { db } }: Pick<Ports, 'database'>,
  id: string,
  ofProvider: OfProvider,
): Promise<string | null> => (await seenMessage(db, id, ofProvider))?.patientId ?? null;

/** Writes a note; repeating it does nothing. False when there is no such message. */
export async function noteBesideMessage(
  { database, keyring, appendAudit, realtime }: Ports,
  messageId: string,
  note: { readonly id: string; readonly staffId: string; readonly text: string },
  { ofProvider, actor, now }: Looking,
): Promise<boolean> {
  const { id, staffId, text } = note;
  if ((await seenMessage(database.db, messageId, ofProvider)) === null) return false;
  await database.inTransaction(async (tx) => {
    const textSealed = keyring.seal(noteContext(id), text);
    if (!(await insertNote(tx, { id, messageId, staffId, at: now, textSealed }))) return;
    const subject = `message:${messageId}`;
    await appendAudit(tx, { actor, action: 'note written beside a message', subject, at: now });
  });
  realtime.sayToDesk();
  return true;
}

/** Sets who looks after a message; null for nobody. */
export async function assignMessage(
  { database, appendAudit, realtime }: Ports,
  id: string,
  assignedTo: string | null,
  { actor, now }: Who,
  form: FormHeaders,
): Promise<Refusal | null> {
  const refused = await database.inTransaction(async (tx) => {
    const message = await messageOf(tx, id, { lock: true });
    if (message === null || message.assignedTo === assignedTo) return null;
    const overtakenBy = overtaken(form, { staffId: message.assignedTo }, { staffId: assignedTo });
    if (overtakenBy !== null) return overtakenBy;
    await changeMessageRow(tx, id, { assignedTo });
    const details = { to: assignedTo };
    const subject = `message:${id}`;
    await appendAudit(tx, { actor, action: 'message assigned', subject, details, at: now });
    return null;
  });
  if (refused === null) realtime.sayToDesk();
  return refused;
}

/** Closes a message, answered or not, or opens it again. Closes only the version `seen`, else 'changed'. */
export async function closeMessage(
  { database, keyring, appendAudit, realtime }: Ports,
  id: string,
  { isClosed, seen }: { readonly isClosed: boolean; readonly seen: string },
  { ofProvider, actor, now }: Looking,
): Promise<'done' | 'changed' | 'notFound'> {
  if ((await seenMessage(database.db, id, ofProvider)) === null) return 'notFound';
  const outcome = await database.inTransaction(async (tx) => {
    const message = await messageOf(tx, id, { lock: true });
    if (message === null) return 'notFound' as const;
    if ((message.closedAt !== null) === isClosed) return 'done' as const;
    if (isClosed && versionOfRows(keyring, await entriesOf(tx, id)) !== seen)
      return 'changed' as const;
    await changeMessageRow(tx, id, { closedAt: isClosed ? now : null });
    const action = isClosed ? 'message closed' : 'message opened again';
    await appendAudit(tx, { actor, action, subject: `message:${id}`, at: now });
    return 'done' as const;
  });
  if (outcome === 'done') realtime.sayToDesk();
  return outcome;
}

/** A file of a message; null for any other file and for patients whom the staff member may not see. */
export async function attachmentAtDesk(
  { database, keyring }: Pick<Ports, 'database' | 'keyring'>,
  fileId: string,
  ofProvider: OfProvider,
) {
  const message = await messageOfFile(database.db, fileId);
  if (message === null || !(await isSeen(database.db, message.patientId, ofProvider))) return null;
  const { patientId } = message;
  const file = await readStoredFile({ keyring }, database.db, patientId, fileId);
  return file && { ...file, patientId, messageId: message.id };
}

/** The notes about a patient, for a copy of their data: they belong to the patient's data. */
export async function ownNotes(
  { database, keyring }: Pick<Ports, 'database' | 'keyring'>,
  patientId: PatientId,
) {
  const notes = await notesAbout(database.db, patientId);
  return notes.map(({ id, messageId, at, textSealed }) => ({
    messageId,
    at,
    note: keyring.open(noteContext(id), textSealed),
  }));
}

/** The ready texts for answers, each with its version. */
export const savedReplies = async (db: Db) =>
  (await savedReplyRows(db)).map((row) => {
    const { name, text } = row;
    return { ...row, version: versionOfReply(row), formVersion: versionOfForm({ name, text }) };
  });

const versionOfReply = ({ name, text }: Pick<SavedReply, 'name' | 'text'>): string =>
  versionOfContent([name, text]);

/** What nobody can read any more. A ready text is the clinic's and says nothing of a patient. */
const wordsGone = ({ name, text }: Pick<SavedReply, 'name' | 'text'>) => ({ was: { name, text } });

/**
 * Stores a ready text for answers; any of the staff may change it. `seen` is the version that the writer of an
 * earlier page changed, null for a new text. Repeating the same text does nothing.
 */
export async function keepSavedReply(
  { database, appendAudit }: Pick<Ports, 'database' | 'appendAudit'>,
  { id, ...sent }: SavedReply,
  seen: string | null | undefined,
  { actor, now }: Who,
  form: FormHeaders,
): Promise<Refusal | null> {
  return database.inTransaction(async (tx) => {
    const kept = await lockSavedReply(tx, id);
    const version = kept && versionOfReply(kept);
    if (version === versionOfReply(sent)) return null;
    if (form['x-form-version'] === undefined && seen !== undefined && version !== seen)
      return refuse('changedMeanwhile');
    const over = overStored(form, { ...kept }, sent);
    if (over instanceof Refusal) return over;
    await putSavedReply(tx, { id, ...sent, ...kept, ...over });
    const entry = { actor, action: 'saved reply changed', subject: `reply:${id}`, at: now };
    await appendAudit(tx, { ...entry, ...(kept && { details: wordsGone(kept) }) });
    return null;
  });
}

/** Deletes the version `seen` of a text, or whatever it says; one that is gone stays so. */
export async function dropSavedReply(
  { database, appendAudit }: Pick<Ports, 'database' | 'appendAudit'>,
  id: string,
  seen: string | undefined,
  { actor, now }: Who,
): Promise<'done' | 'changed'> {
  return database.inTransaction(async (tx) => {
    const kept = await lockSavedReply(tx, id);
    if (kept === null) return 'done';
    if (seen !== undefined && versionOfReply(kept) !== seen) return 'changed';
    await deleteSavedReply(tx, id);
    const entry = { actor, action: 'saved reply deleted', subject: `reply:${id}`, at: now };
    await appendAudit(tx, { ...entry, details: wordsGone(kept) });
    return 'done';
  });
}
