import type { Db } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { changeMessageRow, lockMessage, messageOwner, pageForClinic } from './messages.store.ts';
import type { ListedMessage } from './messages.store.ts';
import type { MessagePorts } from './ports.ts';
import { type ShownSummary, type ShownThread, shownSummary, shownThread } from './read-thread.ts';
import { addEntry } from './write-message.ts';

/** The outbox kind of the mail that says that the clinic has answered. */
export const MESSAGE_LETTER = 'message-email';

export interface ClinicMessage extends ShownSummary {
  readonly patientId: string;
  /** The clinic has not opened the patient's last text. */
  readonly isNew: boolean;
}

const forClinic = (row: ListedMessage, shown: ShownSummary): ClinicMessage => ({
  ...shown,
  patientId: row.message.patientId,
  isNew: row.message.unreadByClinic,
});

/** The messages of all patients; those that wait for an answer first, the oldest of them first. */
export async function messagesForClinic(
  { database, keyring }: Pick<MessagePorts, 'database' | 'keyring'>,
  asked: { readonly limit: number; readonly waiting: boolean },
): Promise<readonly ClinicMessage[]> {
  const rows = await pageForClinic(database.db, asked);
  return rows.map((row) => forClinic(row, shownSummary(keyring, row)));
}

/** A thread as the clinic reads it, which takes its 'new' mark. The trail says who read it. */
export async function readForClinic(
  { database, keyring, appendAudit }: MessagePorts,
  messageId: string,
  who: { readonly actor: string; readonly now: number },
): Promise<(ShownThread & { readonly patientId: string }) | null> {
  const message = await database.inTransaction(async (tx) => {
    const locked = await lockMessage(tx, messageId, null);
    if (locked === null) return null;
    await changeMessageRow(tx, messageId, { unreadByClinic: false });
    const subject = `message:${messageId}`;
    await appendAudit(tx, { actor: who.actor, action: 'message read', subject, at: who.now });
    return locked;
  });
  if (message === null) return null;
  const thread = await shownThread(keyring, database.db, message);
  return { ...thread, patientId: message.patientId };
}

/** The clinic answers: the patient's pages hear of it, and a mail says so without its content. */
export async function answerMessage(
  ports: MessagePorts,
  messageId: string,
  text: string,
  who: { readonly actor: string; readonly now: number },
): Promise<boolean> {
  const { actor, now } = who;
  const patientId = await ports.database.inTransaction(async (tx) => {
    const message = await lockMessage(tx, messageId, null);
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
    await ports.outbox.enqueue(tx, MESSAGE_LETTER, { messageId }, now);
    return owner;
  });
  if (patientId === null) return false;
  ports.realtime.sayTo(patientId, 'messages');
  return true;
}

/** Where the mail about an answer goes; null when the message is gone. */
export async function addressFor(db: Db, messageId: string): Promise<string | null> {
  return (await messageOwner(db, messageId))?.email ?? null;
}
