import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { versionOfContent } from '../../server/version.ts';
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
import { type MessageRow, changeMessageRow, entriesOf, messageOf } from './store.ts';
import { beginningOf, entryContext, shownThread, versionOf, versionOfRows } from './thread.ts';

// What staff do with the messages of patients at the front desk. A message of a patient whom somebody
// may not see is to them as one that is not there.

type Ports = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'realtime'>;
type Looking = Who & { readonly ofProvider: OfProvider };

/** As the trail says it. */
export const MESSAGE_READ = 'message read';

const noteContext = (id: string) => `message_note.text:${id}`;

/** So many that wait are shown at once, and so many of the others on a page. */
const MOST_WAITING = 100;
const PAGE = 50;

export type DeskMessageState = 'waiting' | 'answered' | 'closed';

const stateOf = ({ state, closedAt }: Pick<MessageRow, 'state' | 'closedAt'>): DeskMessageState =>
  closedAt !== null ? 'closed' : state === 'sent' ? 'waiting' : 'answered';

const listed = (keyring: Keyring, row: InboxRow) => {
  const { id, patientId, patient, changedAt, isNew, assignedTo, fileCount } = row;
  const { lastId, textSealed } = row;
  const message = beginningOf(keyring.open(entryContext(lastId), textSealed));
  const shown = { id, patientId, patient, changedAt, isNew, assignedTo, fileCount };
  return { ...shown, message, state: stateOf(row) };
};

/** Those that wait, the longest waiting first, and a page of the others, the newest first. */
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
    /** Where the next page begins; null where this is the last. */
    next: settled.length > PAGE ? (shown.at(-1) ?? null) : null,
  };
}

/** Whether somebody may read of a patient. */
const isSeen = async (db: Db, patientId: string, ofProvider: OfProvider): Promise<boolean> =>
  ofProvider === null || (await providersOf(db, patientId, [ofProvider])).length > 0;

/** A message that somebody may read, or null. */
async function seenMessage(db: Db, id: string, ofProvider: OfProvider): Promise<MessageRow | null> {
  const message = await messageOf(db, id, {});
  return message !== null && (await isSeen(db, message.patientId, ofProvider)) ? message : null;
}

/**
 * A thread with its notes; opened, its 'new' mark goes and the trail says who read it. What a page
 * shows anew by itself is no look.
 */
export async function threadAtDesk(
  { database, keyring, appendAudit, realtime }: Ports,
  id: string,
  { ofProvider, actor, now }: Looking,
  isLook: boolean,
) {
  const message = await seenMessage(database.db, id, ofProvider);
  if (message === null) return null;
  if (isLook)
    await database.inTransaction(async (tx) => {
      await messageOf(tx, id, { lock: true });
      await changeMessageRow(tx, id, { unreadByClinic: false });
      const details = { patient: message.patientId };
      const subject = `message:${id}`;
      await appendAudit(tx, { actor, action: MESSAGE_READ, subject, details, at: now });
    });
  if (isLook && message.unreadByClinic) realtime.sayToDesk();
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
    // Of the texts that are shown: one that came between two looks is news to who answers.
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

/** Whose message it is; null for one that somebody may not read, as for none. */
export const patientOfMessage = async (
  { database: { db } }: Pick<Ports, 'database'>,
  id: string,
  ofProvider: OfProvider,
): Promise<string | null> => (await seenMessage(db, id, ofProvider))?.patientId ?? null;

/** The same note again does nothing more. False where there is no such message. */
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

/** Who looks after a message; nobody where it is null. */
export async function assignMessage(
  { database, appendAudit, realtime }: Ports,
  id: string,
  assignedTo: string | null,
  { ofProvider, actor, now }: Looking,
): Promise<boolean> {
  if ((await seenMessage(database.db, id, ofProvider)) === null) return false;
  await database.inTransaction(async (tx) => {
    const message = await messageOf(tx, id, { lock: true });
    if (message === null || message.assignedTo === assignedTo) return;
    await changeMessageRow(tx, id, { assignedTo });
    const details = { to: assignedTo };
    const subject = `message:${id}`;
    await appendAudit(tx, { actor, action: 'message assigned', subject, details, at: now });
  });
  realtime.sayToDesk();
  return true;
}

/** The clinic is done with a message, answered or not, or takes it up again. What was not read is not closed. */
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

/** A file of a message; null for any other and for one of a patient whom somebody may not see. */
export async function attachmentAtDesk(
  { database, keyring, appendAudit }: Ports,
  fileId: string,
  { ofProvider, actor, now }: Looking,
) {
  const message = await messageOfFile(database.db, fileId);
  if (message === null || !(await isSeen(database.db, message.patientId, ofProvider))) return null;
  const patientId = message.patientId as PatientId;
  const file = await readStoredFile({ keyring }, database.db, patientId, fileId);
  if (file === null) return null;
  const details = { patient: patientId, message: message.id };
  await database.inTransaction((tx) =>
    appendAudit(tx, {
      actor,
      action: 'attachment opened',
      subject: `file:${fileId}`,
      details,
      at: now,
    }),
  );
  return file;
}

/** The notes about a patient, for a copy of their data: what staff note of somebody belongs to them. */
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

/** The texts that staff put into answers, each with the version of what it says. */
export const savedReplies = async (db: Db) =>
  (await savedReplyRows(db)).map((row) => ({ ...row, version: versionOfReply(row) }));

const versionOfReply = ({ name, text }: Pick<SavedReply, 'name' | 'text'>): string =>
  versionOfContent([name, text]);

/**
 * A text that staff put into answers, written or changed by any of them; `seen` is the version that
 * its writer had before them, null of a new one. The same again does nothing more.
 */
export async function keepSavedReply(
  { database, appendAudit }: Pick<Ports, 'database' | 'appendAudit'>,
  reply: SavedReply,
  seen: string | null,
  { actor, now }: Who,
): Promise<'done' | 'changed'> {
  return database.inTransaction(async (tx) => {
    const kept = await lockSavedReply(tx, reply.id);
    const version = kept && versionOfReply(kept);
    if (version === versionOfReply(reply)) return 'done';
    if (version !== seen) return 'changed';
    await putSavedReply(tx, reply);
    const subject = `reply:${reply.id}`;
    await appendAudit(tx, { actor, action: 'saved reply changed', subject, at: now });
    return 'done';
  });
}

export async function dropSavedReply(
  { database, appendAudit }: Pick<Ports, 'database' | 'appendAudit'>,
  id: string,
  { actor, now }: Who,
): Promise<void> {
  await database.inTransaction(async (tx) => {
    if (!(await deleteSavedReply(tx, id))) return;
    const subject = `reply:${id}`;
    await appendAudit(tx, { actor, action: 'saved reply deleted', subject, at: now });
  });
}
