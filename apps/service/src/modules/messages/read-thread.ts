import type { ApiMessage, ApiMessageThread } from '@clinic/contract';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Keyring } from '../../security/keyring.ts';
import { fileNameOf } from '../documents/index.ts';
import {
  type EntryRow,
  type ListedMessage,
  type MessageRow,
  pageForClinic,
  threadOf,
} from './store.ts';

/** What a message says: trimmed, with plain line ends. Empty is none. */
export function messageText(written: string): string | null {
  const text = written.replaceAll('\r\n', '\n').trim();
  return text === '' ? null : text;
}

/** The context under which a text is sealed. */
export const entryContext = (entryId: string) => `message_entry.text:${entryId}`;

export const textOf = (keyring: Keyring, { id, textSealed }: EntryRow): string =>
  keyring.open(entryContext(id), textSealed);

/** One's own last text may be changed while the clinic has not answered it. */
export const isEditable = (last: EntryRow): boolean => last.author === 'patient';

/** A message and all its texts, opened. */
export async function shownThread(
  keyring: Keyring,
  db: Db,
  message: MessageRow,
): Promise<ApiMessageThread> {
  const { entries, files } = await threadOf(db, message.id);
  const last = entries.at(-1);
  if (!last) throw new Error('A message without a text');
  return {
    ...shownSummary(keyring, { message, last, fileCount: files.length }),
    entries: entries.map((entry) => ({
      id: entry.id,
      from: entry.author === 'clinic' ? 'clinic' : 'patient',
      at: entry.at,
      message: textOf(keyring, entry),
      editedAt: entry.editedAt,
      isEditable: entry === last && isEditable(entry),
      files: files
        .filter(({ entryId }) => entryId === entry.id)
        .map(({ id, mediaType, size, nameSealed }) => ({
          id,
          mediaType,
          size,
          name: fileNameOf(keyring, id, nameSealed),
        })),
    })),
  };
}

export function shownSummary(
  keyring: Keyring,
  { message, last, fileCount }: ListedMessage,
): ApiMessage {
  const { id, startedAt, changedAt, unread } = message;
  return {
    id,
    state: message.state === 'replied' ? 'replied' : 'sent',
    message: beginningOf(textOf(keyring, last)),
    startedAt,
    changedAt,
    unread,
    fileCount,
  };
}

const SUMMARY_LENGTH = 140;

/** The beginning of a text on one line, in whole characters. */
function beginningOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  return characters.length <= SUMMARY_LENGTH
    ? characters.join('')
    : `${characters.slice(0, SUMMARY_LENGTH - 1).join('')}…`;
}

/** The messages of all patients; those that wait for an answer first, the oldest of them first. */
export async function messagesForClinic(
  { database, keyring }: Pick<Platform, 'database' | 'keyring'>,
  asked: { readonly limit: number; readonly waiting: boolean },
) {
  const rows = await pageForClinic(database.db, asked);
  return rows.map((row) => ({
    ...shownSummary(keyring, row),
    patientId: row.message.patientId,
    /** The clinic has not opened the patient's last text. */
    isNew: row.message.unreadByClinic,
  }));
}
