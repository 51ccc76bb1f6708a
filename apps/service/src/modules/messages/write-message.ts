import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { type FilePorts, type NamedFile, storeFile } from '../documents/index.ts';
import {
  changeMessageRow,
  insertEntry,
  insertMessage,
  lastEntry,
  lockMessage,
  rewriteEntry,
  versionsKept,
} from './messages.store.ts';
import { type MessagePorts, entryContext, versionContext } from './ports.ts';
import { isEditable, textOf } from './read-thread.ts';

/** A text with the files that hang on it, already accepted (S-4). */
export interface Written {
  readonly text: string;
  readonly files: readonly NamedFile[];
}

export type Changed =
  | { readonly kind: 'written'; readonly messageId: string }
  | { readonly kind: 'refused'; readonly code: 'notFound' | 'messageAnswered' };

/** a patient writes to the clinic. */
export async function startMessage(
  ports: MessagePorts,
  patientId: PatientId,
  written: Written,
  now: number,
): Promise<Changed> {
  const messageId = ports.ids.uuid();
  await ports.database.inTransaction(async (tx) => {
    await insertMessage(tx, { id: messageId, patientId, now });
    await addEntry(ports, tx, { messageId, patientId, author: 'patient', written, now });
    await record(ports, tx, patientId, 'message started', messageId, written.files.length, now);
  });
  return { kind: 'written', messageId };
}

/** the patient writes on; the message waits for the clinic again. */
export async function replyToMessage(
  ports: MessagePorts,
  patientId: PatientId,
  messageId: string,
  written: Written,
  now: number,
): Promise<Changed> {
  return ports.database.inTransaction<Changed>(async (tx) => {
    const message = await lockMessage(tx, messageId, patientId);
    if (message === null) return { kind: 'refused', code: 'notFound' };
    await addEntry(ports, tx, { messageId, patientId, author: 'patient', written, now });
    await changeMessageRow(tx, messageId, {
      state: 'sent',
      changedAt: now,
      unread: false,
      unreadByClinic: true,
    });
    await record(ports, tx, patientId, 'message replied', messageId, written.files.length, now);
    return { kind: 'written', messageId };
  });
}

/** one's own text may be edited until the clinic answers; what it said is kept. */
export async function editMessage(
  ports: MessagePorts,
  patientId: PatientId,
  messageId: string,
  text: string,
  now: number,
): Promise<Changed> {
  const { ids, keyring } = ports;
  return ports.database.inTransaction<Changed>(async (tx) => {
    const message = await lockMessage(tx, messageId, patientId);
    const last = message && (await lastEntry(tx, messageId));
    if (message === null || last === null) return { kind: 'refused', code: 'notFound' };
    if (!isEditable(last)) return { kind: 'refused', code: 'messageAnswered' };
    const said = textOf(keyring, last);
    if (said === text) return { kind: 'written', messageId };
    const id = ids.uuid();
    const version = (await versionsKept(tx, last.id)) + 1;
    const kept = { id, version, textSealed: keyring.seal(versionContext(id), said) };
    await rewriteEntry(tx, last, kept, keyring.seal(entryContext(last.id), text), now);
    await changeMessageRow(tx, messageId, { changedAt: now, unreadByClinic: true });
    await record(ports, tx, patientId, 'message edited', messageId, 0, now);
    return { kind: 'written', messageId };
  });
}

interface EntryToBe {
  readonly messageId: string;
  readonly patientId: PatientId;
  readonly author: 'patient' | 'clinic';
  readonly written: Written;
  readonly now: number;
}

export async function addEntry(
  ports: FilePorts,
  tx: Tx,
  { messageId, patientId, author, written, now }: EntryToBe,
): Promise<void> {
  const id = ports.ids.uuid();
  const textSealed = ports.keyring.seal(entryContext(id), written.text);
  const fileIds: string[] = [];
  for (const { name, accepted } of written.files)
    fileIds.push(
      await storeFile(ports, tx, { patientId, purpose: 'message', name, accepted, now }),
    );
  await insertEntry(tx, { id, messageId, author, at: now, textSealed }, fileIds);
}

async function record(
  { appendAudit }: Pick<MessagePorts, 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  action: string,
  messageId: string,
  files: number,
  at: number,
): Promise<void> {
  await appendAudit(tx, {
    actor: `patient:${patientId}`,
    action,
    subject: `message:${messageId}`,
    ...(files > 0 ? { details: { files } } : {}),
    at,
  });
}
