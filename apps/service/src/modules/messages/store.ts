import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';

import type { Db, Tx } from '../../database/db.ts';
import { message, messageEntry, messageFile, messageVersion } from './schema.ts';
import { storedFile, patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

export type MessageRow = typeof message.$inferSelect;
export type EntryRow = typeof messageEntry.$inferSelect;

/** A message with the last of its texts and the number of its files. */
export interface ListedMessage {
  readonly message: MessageRow;
  readonly last: EntryRow;
  readonly fileCount: number;
}

export async function pageOf(
  db: Db,
  patientId: PatientId,
  { limit, skip }: { readonly limit: number; readonly skip: number },
) {
  const own = eq(message.patientId, patientId);
  const [counted, messages] = await Promise.all([
    db
      .select({ total: count(), unread: count(sql`case when ${message.unread} then 1 end`) })
      .from(message)
      .where(own),
    db
      .select()
      .from(message)
      .where(own)
      .orderBy(desc(message.changedAt), desc(message.id))
      .limit(limit)
      .offset(skip),
  ]);
  const { total = 0, unread = 0 } = counted[0] ?? {};
  return { rows: await withLastTexts(db, messages), total, unread };
}

/** For the clinic: what waits for an answer comes first. */
export async function pageForClinic(
  db: Db,
  { limit, waiting }: { readonly limit: number; readonly waiting: boolean },
): Promise<readonly ListedMessage[]> {
  const messages = await db
    .select()
    .from(message)
    .where(waiting ? eq(message.state, 'sent') : undefined)
    .orderBy(desc(message.state), asc(message.changedAt))
    .limit(limit);
  return withLastTexts(db, messages);
}

async function withLastTexts(
  db: Db,
  messages: readonly MessageRow[],
): Promise<readonly ListedMessage[]> {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => id);
  const [lasts, counts] = await Promise.all([
    db
      .selectDistinctOn([messageEntry.messageId])
      .from(messageEntry)
      .where(inArray(messageEntry.messageId, ids))
      .orderBy(messageEntry.messageId, desc(messageEntry.position)),
    db
      .select({ messageId: messageEntry.messageId, files: count() })
      .from(messageFile)
      .innerJoin(messageEntry, eq(messageEntry.id, messageFile.entryId))
      .where(inArray(messageEntry.messageId, ids))
      .groupBy(messageEntry.messageId),
  ]);
  const lastOf = new Map(lasts.map((row) => [row.messageId, row]));
  const filesOf = new Map(counts.map(({ messageId, files }) => [messageId, files]));
  return messages.flatMap((row) => {
    const last = lastOf.get(row.id);
    return last ? [{ message: row, last, fileCount: filesOf.get(row.id) ?? 0 }] : [];
  });
}

/**
 * A message, or null. With a patient only their own: a foreign id and an unknown one are the same.
 * Under a lock two changes of one message come one after the other.
 */
export async function messageOf(
  db: Db,
  id: string,
  { patientId, lock = false }: { patientId?: PatientId; lock?: boolean },
): Promise<MessageRow | null> {
  const own = patientId === undefined ? undefined : eq(message.patientId, patientId);
  const found = db
    .select()
    .from(message)
    .where(and(eq(message.id, id), own));
  const [row] = await (lock ? found.for('update') : found);
  return row ?? null;
}

export async function threadOf(db: Db, messageId: string) {
  const entries = await db
    .select()
    .from(messageEntry)
    .where(eq(messageEntry.messageId, messageId))
    .orderBy(messageEntry.position);
  const files = await db
    .select({
      id: storedFile.id,
      entryId: messageFile.entryId,
      mediaType: storedFile.mediaType,
      size: storedFile.size,
      nameSealed: storedFile.nameSealed,
    })
    .from(messageFile)
    .innerJoin(storedFile, eq(storedFile.id, messageFile.fileId))
    .innerJoin(messageEntry, eq(messageEntry.id, messageFile.entryId))
    .where(eq(messageEntry.messageId, messageId))
    .orderBy(messageEntry.position, messageFile.slot);
  return { entries, files };
}

/** Whether a file hangs on a message of this patient. */
export async function isAttached(db: Db, patientId: PatientId, fileId: string): Promise<boolean> {
  const [row] = await db
    .select({ one: sql`1` })
    .from(messageFile)
    .innerJoin(messageEntry, eq(messageEntry.id, messageFile.entryId))
    .innerJoin(message, eq(message.id, messageEntry.messageId))
    .where(and(eq(messageFile.fileId, fileId), eq(message.patientId, patientId)));
  return row !== undefined;
}

export async function insertMessage(
  tx: Tx,
  row: { readonly id: string; readonly patientId: PatientId; readonly now: number },
): Promise<void> {
  const { id, patientId, now } = row;
  await tx.insert(message).values({ id, patientId, state: 'sent', startedAt: now, changedAt: now });
}

export async function changeMessageRow(
  tx: Tx,
  id: string,
  change: Partial<Pick<MessageRow, 'state' | 'changedAt' | 'unread' | 'unreadByClinic'>>,
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

export async function lastEntry(tx: Tx, messageId: string): Promise<EntryRow | null> {
  const [row] = await tx
    .select()
    .from(messageEntry)
    .where(eq(messageEntry.messageId, messageId))
    .orderBy(desc(messageEntry.position))
    .limit(1);
  return row ?? null;
}

/** The text that stood until now is kept beside the new one. */
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

/** Where an email about a message goes; null when the message is gone. */
export async function addressFor(db: Db, messageId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: patient.email })
    .from(message)
    .innerJoin(patient, eq(patient.id, message.patientId))
    .where(eq(message.id, messageId));
  return row?.email ?? null;
}
