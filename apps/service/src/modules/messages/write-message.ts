import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { type NamedFile, storeFile } from '../documents/index.ts';
import { entryContext, isEditable, shownThread, textOf } from './read-thread.ts';
import {
  changeMessageRow,
  insertEntry,
  insertMessage,
  lastEntry,
  messageOf,
  rewriteEntry,
} from './store.ts';

type Ports = Pick<Platform, 'database' | 'keyring' | 'ids' | 'appendAudit' | 'outbox' | 'realtime'>;

/** The outbox kind of the email that says that the clinic has answered. */
export const ANSWER_EMAIL = 'message-email';

/** A text with the files that hang on it, already accepted. */
export interface Written {
  readonly text: string;
  readonly files: readonly NamedFile[];
}

export type Changed =
  | { readonly kind: 'written'; readonly messageId: string }
  | { readonly kind: 'refused'; readonly code: 'notFound' | 'messageAnswered' };

/** A patient writes to the clinic. */
export async function startMessage(
  ports: Ports,
  patientId: PatientId,
  written: Written,
  now: number,
): Promise<Changed> {
  const messageId = ports.ids.uuid();
  await ports.database.inTransaction(async (tx) => {
    await insertMessage(tx, { id: messageId, patientId, now });
    await addEntry(ports, tx, { messageId, patientId, author: 'patient', written, now });
    const files = written.files.length;
    await record(ports, tx, { action: 'message started', patientId, messageId, files, at: now });
  });
  return { kind: 'written', messageId };
}

/** The patient writes on; the message waits for the clinic again. */
export async function replyToMessage(
  ports: Ports,
  { patientId, messageId }: { patientId: PatientId; messageId: string },
  written: Written,
  now: number,
): Promise<Changed> {
  return ports.database.inTransaction<Changed>(async (tx) => {
    if ((await messageOf(tx, messageId, { patientId, lock: true })) === null)
      return { kind: 'refused', code: 'notFound' };
    await addEntry(ports, tx, { messageId, patientId, author: 'patient', written, now });
    await changeMessageRow(tx, messageId, {
      state: 'sent',
      changedAt: now,
      unread: false,
      unreadByClinic: true,
    });
    const files = written.files.length;
    await record(ports, tx, { action: 'message replied', patientId, messageId, files, at: now });
    return { kind: 'written', messageId };
  });
}

/** One's own text may be edited until the clinic answers; what it said is kept. */
export async function editMessage(
  ports: Ports,
  { patientId, messageId }: { patientId: PatientId; messageId: string },
  text: string,
  now: number,
): Promise<Changed> {
  const { ids, keyring } = ports;
  return ports.database.inTransaction<Changed>(async (tx) => {
    const message = await messageOf(tx, messageId, { patientId, lock: true });
    const last = message && (await lastEntry(tx, messageId));
    if (last === null) return { kind: 'refused', code: 'notFound' };
    if (!isEditable(last)) return { kind: 'refused', code: 'messageAnswered' };
    const said = textOf(keyring, last);
    if (said === text) return { kind: 'written', messageId };
    const id = ids.uuid();
    const kept = { id, textSealed: keyring.seal(`message_version.text:${id}`, said) };
    const textSealed = keyring.seal(entryContext(last.id), text);
    await rewriteEntry(tx, last, kept, { textSealed, editedAt: now });
    await changeMessageRow(tx, messageId, { changedAt: now, unreadByClinic: true });
    await record(ports, tx, { action: 'message edited', patientId, messageId, files: 0, at: now });
    return { kind: 'written', messageId };
  });
}

/** A thread as the clinic reads it, which takes its 'new' mark. The trail says who read it. */
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

/** The clinic answers: the patient's pages hear of it, and an email says so without its content. */
export async function answerMessage(
  ports: Ports,
  messageId: string,
  text: string,
  { actor, now }: Who,
): Promise<boolean> {
  const patientId = await ports.database.inTransaction(async (tx) => {
    const message = await messageOf(tx, messageId, { lock: true });
    if (message === null) return null;
    // The clinic writes into a thread of the patient whose message it is.
    const owner = message.patientId as PatientId;
    const written = { text, files: [] };
    await addEntry(ports, tx, { messageId, patientId: owner, author: 'clinic', written, now });
    await changeMessageRow(tx, messageId, {
      state: 'replied',
      changedAt: now,
      unread: true,
      unreadByClinic: false,
    });
    const subject = `message:${messageId}`;
    await ports.appendAudit(tx, { actor, action: 'message answered', subject, at: now });
    await ports.outbox.enqueue(tx, ANSWER_EMAIL, { messageId }, now);
    return owner;
  });
  if (patientId === null) return false;
  ports.realtime.sayTo(patientId, 'messages');
  return true;
}

interface EntryToBe {
  readonly messageId: string;
  readonly patientId: PatientId;
  readonly author: 'patient' | 'clinic';
  readonly written: Written;
  readonly now: number;
}

async function addEntry(
  ports: Ports,
  tx: Tx,
  { messageId, patientId, author, written, now }: EntryToBe,
): Promise<void> {
  const id = ports.ids.uuid();
  const textSealed = ports.keyring.seal(entryContext(id), written.text);
  const fileIds: string[] = [];
  for (const file of written.files)
    fileIds.push(await storeFile(ports, tx, { ...file, patientId, purpose: 'message', now }));
  await insertEntry(tx, { id, messageId, author, at: now, textSealed }, fileIds);
}

async function record(
  { appendAudit }: Ports,
  tx: Tx,
  done: { action: string; patientId: PatientId; messageId: string; files: number; at: number },
): Promise<void> {
  const { action, patientId, messageId, files, at } = done;
  await appendAudit(tx, {
    actor: `patient:${patientId}`,
    action,
    subject: `message:${messageId}`,
    ...(files > 0 ? { details: { files } } : {}),
    at,
  });
}
