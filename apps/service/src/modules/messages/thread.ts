import type { ApiMessage, ApiMessageThread } from '@clinic/contract';
import type { Db, Tx } from '../../database/db.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import {
  type FormHeaders,
  overtaken,
  versionOfContent,
  versionOfForm,
} from '../../server/version.ts';
import { type NamedFile, fileNameOf, storeFile } from '../documents/index.ts';
import {
  type EntryRow,
  type ListedMessage,
  type MessageRow,
  changeMessageRow,
  entriesOf,
  filesOf,
  insertEntry,
  messageOf,
  messagesOf,
  pageForClinic,
  rewriteEntry,
  writeMessageRow,
} from './store.ts';

type Ports = Pick<Platform, 'database' | 'keyring' | 'ids' | 'appendAudit' | 'outbox' | 'realtime'>;

/** The outbox kind of the email that says that the clinic has answered. */
export const ANSWER_EMAIL = 'message-email';

/** The text of a message, trimmed and with plain line ends; null when it is empty. */
export function messageText(written: string): string | null {
  const text = written.replaceAll('\r\n', '\n').trim();
  return text === '' ? null : text;
}

/** The context under which a text is sealed. */
export const entryContext = (entryId: string) => `message_entry.text:${entryId}`;

/** Patients may change their own last text until the clinic answers it. */
const isEditable = (last: EntryRow): boolean => last.author === 'patient';

/** A message and all its texts, decrypted. */
export async function shownThread(
  keyring: Keyring,
  db: Db,
  message: MessageRow,
): Promise<ApiMessageThread> {
  const [entries, files] = await Promise.all([entriesOf(db, message.id), filesOf(db, message.id)]);
  const last = entries.at(-1);
  if (!last) throw new Error('A message without a text');
  const { id: lastId, textSealed } = last;
  return {
    ...shownSummary(keyring, { ...message, lastId, textSealed, fileCount: files.length }),
    entries: entries.map((entry) => ({
      id: entry.id,
      from: entry.author === 'clinic' ? 'clinic' : 'patient',
      at: entry.at,
      message: keyring.open(entryContext(entry.id), entry.textSealed),
      editedAt: entry.editedAt,
      isEditable: entry === last && isEditable(entry),
      files: files
        .filter(({ entryId }) => entryId === entry.id)
        .map(({ id, mediaType, size, nameSealed }) => {
          const name = fileNameOf(keyring, id, nameSealed);
          return { id, mediaType, size, name };
        }),
    })),
    formVersion: versionOfForm({ message: keyring.open(entryContext(lastId), textSealed) }),
  };
}

const SUMMARY_LENGTH = 140;

/** The beginning of a text on one line, cut between characters. */
export function beginningOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  if (characters.length <= SUMMARY_LENGTH) return characters.join('');
  return `${characters.slice(0, SUMMARY_LENGTH - 1).join('')}…`;
}

/** A message with the beginning of its last text. */
export function shownSummary(keyring: Keyring, row: ListedMessage): ApiMessage {
  const { id, state, startedAt, changedAt, unread, fileCount, lastId, textSealed } = row;
  return {
    id,
    state: state === 'replied' ? 'replied' : 'sent',
    message: beginningOf(keyring.open(entryContext(lastId), textSealed)),
    startedAt,
    changedAt,
    unread,
    fileCount,
  };
}

/** The messages of all patients: those that wait for an answer first, and the oldest first. */
export async function messagesForClinic(
  { database, keyring }: Pick<Platform, 'database' | 'keyring'>,
  asked: { readonly limit: number; readonly waiting: boolean },
) {
  const rows = await pageForClinic(database.db, asked);
  return rows.map((row) => ({
    ...shownSummary(keyring, row),
    patientId: row.patientId,
    /** The clinic has not opened the patient's last text. */
    isNew: row.unreadByClinic,
    isClosed: row.closedAt !== null,
  }));
}

/** Every thread of a patient, for a copy of their data. */
export async function ownThreads(
  { database, keyring }: Pick<Platform, 'database' | 'keyring'>,
  patientId: PatientId,
): Promise<readonly ApiMessageThread[]> {
  const messages = await messagesOf(database.db, patientId);
  return Array.fromAsync(messages, (each) => shownThread(keyring, database.db, each));
}

/** A text with its attached files, already accepted. */
export interface Written {
  readonly text: string;
  readonly files: readonly NamedFile[];
  /** Called once it is written, or may be. */
  readonly begun?: () => void;
}

interface Own {
  readonly patientId: PatientId;
  readonly messageId: string;
}

/** Within this time the same is sent again because its answer was lost, or from a second form. */
const AGAIN_SECONDS = 600;

interface Sent extends Written, Pick<Own, 'patientId'> {
  readonly messageId: string | undefined;
  readonly now: number;
}

/** The message that a patient sent a moment ago with the same text and files, or null. */
async function sentBefore(
  { keyring }: Ports,
  tx: Tx,
  { patientId, messageId, text, files, now }: Sent,
): Promise<string | null> {
  // Of two sendings at once the second finds what the first has written.
  await lockWord(`messages of ${patientId}`, tx);
  const since = now - AGAIN_SECONDS;
  const marks = files.map(({ name, mediaType, bytes }) => `${name} ${mediaType} ${bytes.length}`);
  for (const { id, startedAt } of await messagesOf(tx, patientId)) {
    if (messageId === undefined ? startedAt <= since : id !== messageId) continue;
    const entries = await entriesOf(tx, id);
    const last = entries.at(-1);
    if (last === undefined || last.author !== 'patient' || last.at <= since) continue;
    if (messageId === undefined && entries.length > 1) continue;
    if (keyring.open(entryContext(last.id), last.textSealed) !== text) continue;
    const attached = (await filesOf(tx, id)).filter(({ entryId }) => entryId === last.id);
    const kept = attached.map(
      (each) => `${fileNameOf(keyring, each.id, each.nameSealed)} ${each.mediaType} ${each.size}`,
    );
    if (kept.join('\n') === marks.join('\n')) return id;
  }
  return null;
}

/** A patient starts a message to the clinic, or adds to one, which then waits for an answer again. */
export async function writeMessage(
  ports: Ports,
  { patientId, messageId }: Pick<Own, 'patientId'> & Partial<Own>,
  { text, files, begun }: Written,
  now: number,
): Promise<string | Refusal> {
  const written = await ports.database.inTransaction(async (tx) => {
    if (begun) ports.database.afterCommit(begun);
    if (messageId !== undefined && !(await messageOf(tx, messageId, { patientId, lock: true })))
      return refuse('notFound');
    const before = await sentBefore(ports, tx, { patientId, messageId, text, files, now });
    if (before !== null) return before;
    const id = messageId ?? ports.ids.uuid();
    const action = messageId === undefined ? 'message started' : 'message replied';
    const by = { author: 'patient', actor: `patient:${patientId}`, action, now } as const;
    await addEntry(ports, tx, { id, patientId }, { text, files, ...by });
    return id;
  });
  ports.realtime.sayToDesk();
  return written;
}

/** A patient edits their last text, until the clinic answers it; the earlier text is kept. */
export async function editMessage(
  { database, keyring, ids, appendAudit, realtime }: Ports,
  { patientId, messageId }: Own,
  { text, begun, headers }: Written & { readonly headers: FormHeaders },
  now: number,
): Promise<string | Refusal> {
  const edited = await database.inTransaction(async (tx) => {
    if (begun) database.afterCommit(begun);
    if (!(await messageOf(tx, messageId, { patientId, lock: true }))) return refuse('notFound');
    const last = (await entriesOf(tx, messageId)).at(-1);
    if (!last) return refuse('notFound');
    if (!isEditable(last)) return refuse('messageAnswered');
    const before = keyring.open(entryContext(last.id), last.textSealed);
    if (before === text) return messageId;
    const overtakenBy = overtaken(headers, { message: before }, { message: text });
    if (overtakenBy !== null) return overtakenBy;
    const id = ids.uuid();
    const kept = { id, textSealed: keyring.seal(`message_version.text:${id}`, before) };
    const textSealed = keyring.seal(entryContext(last.id), text);
    await rewriteEntry(tx, last, kept, { textSealed, editedAt: now });
    // A closed message waits for an answer again: nobody at the clinic has read the new text.
    const standing = { changedAt: now, unreadByClinic: true, closedAt: null };
    await changeMessageRow(tx, messageId, standing);
    const subject = `message:${messageId}`;
    const actor = `patient:${patientId}`;
    await appendAudit(tx, { actor, action: 'message edited', subject, at: now });
    return messageId;
  });
  realtime.sayToDesk();
  return edited;
}

/** A thread for the clinic to read. Removes its 'new' mark and records in the trail who read it. */
export async function readForClinic(
  { database, keyring, appendAudit }: Ports,
  messageId: string,
  { actor, now }: Who,
) {
  const message = await database.inTransaction(async (tx) => {
    const locked = await messageOf(tx, messageId, { lock: true });
    if (locked === null) return null;
    await changeMessageRow(tx, messageId, { unreadByClinic: false });
    const subject = `message:${messageId}`;
    await appendAudit(tx, { actor, action: 'message read', subject, at: now });
    return locked;
  });
  if (message === null) return null;
  const thread = await shownThread(keyring, database.db, message);
  return { ...thread, patientId: message.patientId };
}

/** An answer of the clinic, its files already accepted. */
export interface ClinicAnswer extends Written {
  /** The staff member who answers at the front desk; null at the command line. */
  readonly staffId: string | null;
  /** A repeated request with the same key does nothing; null never counts as a repetition. */
  readonly requestKey: string | null;
  /** The version of the thread that the writer read; null answers any version. */
  readonly seen: string | null;
}

/** The version of a thread: differs after each new or edited text. */
export const versionOf = (
  entries: readonly { readonly id: string; readonly message: string }[],
): string => {
  const last = entries.at(-1);
  return last === undefined ? '' : `${last.id}.${versionOfContent(last.message)}`;
};

export const versionOfRows = (keyring: Keyring, rows: readonly EntryRow[]): string =>
  versionOf(
    rows
      .slice(-1)
      .map(({ id, textSealed }) => ({ id, message: keyring.open(entryContext(id), textSealed) })),
  );

/**
 * The clinic answers: the patient's pages are told, and an email says so without the answer itself. Returns
 * 'changed' when the thread has changed since `seen`, so that two staff do not both answer unawares.
 */
export async function answerMessage(
  ports: Ports,
  messageId: string,
  { text, files, begun, staffId, requestKey, seen }: ClinicAnswer,
  { actor, now }: Who,
): Promise<'answered' | 'changed' | 'notFound'> {
  const answered = await ports.database.inTransaction(async (tx) => {
    if (begun) ports.database.afterCommit(begun);
    const locked = await messageOf(tx, messageId, { lock: true });
    if (locked === null) return 'notFound' as const;
    const entries = await entriesOf(tx, messageId);
    const isRepeated = entries.some(
      (entry) =>
        requestKey !== null && entry.requestKey === requestKey && entry.staffId === staffId,
    );
    if (isRepeated) return 'answered' as const;
    if (seen !== null && seen !== versionOfRows(ports.keyring, entries)) return 'changed' as const;
    const by = { author: 'clinic', actor, action: 'message answered', now } as const;
    await addEntry(ports, tx, locked, { text, files, ...by, staffId, requestKey });
    await ports.outbox.enqueue(tx, ANSWER_EMAIL, { messageId }, now);
    return locked;
  });
  if (typeof answered === 'string') return answered;
  ports.realtime.sayToDesk();
  return 'answered';
}

interface NewEntry extends Written, Who {
  readonly author: 'patient' | 'clinic';
  /** As the trail says it. */
  readonly action: string;
  readonly staffId?: string | null;
  readonly requestKey?: string | null;
}

async function addEntry(
  ports: Ports,
  tx: Tx,
  { id: messageId, patientId }: Pick<MessageRow, 'id' | 'patientId'>,
  { author, actor, action, text, files, now: at, staffId = null, requestKey = null }: NewEntry,
): Promise<void> {
  const fileIds = await Array.fromAsync(files, (file) =>
    storeFile(ports, tx, { ...file, patientId, purpose: 'message', actor, now: at }),
  );
  const id = ports.ids.uuid();
  await writeMessageRow(tx, { id: messageId, patientId }, author, at);
  const textSealed = ports.keyring.seal(entryContext(id), text);
  await insertEntry(tx, { id, messageId, author, at, textSealed, staffId, requestKey }, fileIds);
  const details = files.length > 0 ? { files: files.length } : {};
  await ports.appendAudit(tx, { actor, action, subject: `message:${messageId}`, details, at });
}
