import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';

/** Outbox kind of the news that a document waits for staff. */
export const UPLOAD_TO_EMR = 'upload-to-emr';

/** Has the EMR tell a provider that a document waits for a decision. */
export async function enqueueUploaded(
  { outbox, emr }: Pick<Platform, 'outbox' | 'emr'>,
  tx: Tx,
  documentId: string,
  now: number,
): Promise<void> {
  if (emr !== null) await outbox.enqueue(tx, UPLOAD_TO_EMR, { documentId }, now);
}
