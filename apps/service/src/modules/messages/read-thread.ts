import type { Db } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { fileNameOf } from '../documents/index.ts';
import { beginningOf } from './message-text.ts';
import {
  type EntryRow,
  type FileRow,
  type ListedMessage,
  type MessageRow,
  threadOf,
} from './messages.store.ts';
import { entryContext } from './ports.ts';

export interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
}

export interface ShownEntry {
  readonly id: string;
  readonly from: 'patient' | 'clinic';
  readonly at: number;
  readonly message: string;
  readonly editedAt: number | null;
  readonly isEditable: boolean;
  readonly files: ShownFile[];
}

export interface ShownSummary {
  readonly id: string;
  readonly state: 'sent' | 'replied';
  readonly message: string;
  readonly startedAt: number;
  readonly changedAt: number;
  readonly unread: boolean;
  readonly fileCount: number;
}

export interface ShownThread extends ShownSummary {
  readonly entries: ShownEntry[];
}

type Opens = Pick<Keyring, 'open'>;

/** A message and all its texts, opened. */
export async function shownThread(
  keyring: Opens,
  db: Db,
  message: MessageRow,
): Promise<ShownThread> {
  const { entries, files } = await threadOf(db, message.id);
  const last = entries.at(-1);
  if (!last) throw new Error('A message without a text');
  const shown = entries.map((entry) =>
    shownEntry(
      keyring,
      entry,
      files.filter(({ entryId }) => entryId === entry.id),
      entry === last && isEditable(entry),
    ),
  );
  return {
    ...shownSummary(keyring, { message, last, fileCount: files.length }),
    entries: shown,
  };
}

export function shownSummary(
  keyring: Opens,
  { message, last, fileCount }: ListedMessage,
): ShownSummary {
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

/** One's own last text, while the clinic has not answered it. */
export const isEditable = (last: EntryRow): boolean => last.author === 'patient';

export const textOf = (keyring: Opens, { id, textSealed }: EntryRow): string =>
  keyring.open(entryContext(id), textSealed);

function shownEntry(
  keyring: Opens,
  entry: EntryRow,
  files: readonly FileRow[],
  editable: boolean,
): ShownEntry {
  return {
    id: entry.id,
    from: entry.author === 'clinic' ? 'clinic' : 'patient',
    at: entry.at,
    message: textOf(keyring, entry),
    editedAt: entry.editedAt,
    isEditable: editable,
    files: files.map(({ id, mediaType, size, nameSealed }) => ({
      id,
      mediaType,
      size,
      name: fileNameOf(keyring, id, nameSealed),
    })),
  };
}
