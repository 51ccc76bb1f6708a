import type { Platform } from '../../platform.ts';
import { type AuditEntry, type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  decideFile,
  downloadName,
  findDocument,
  hasStanding,
  readStoredFile,
} from '../documents/index.ts';
import {
  type DocumentSearch,
  type ListedDocument,
  countWaitingDocuments,
  documentsForClinic,
} from './documents.store.ts';
import { enqueueAccountEmail } from './emails.ts';
import { lockAccount, updatePatient } from './store.ts';

// What the clinic does with the health cards and picture IDs that patients sent: the command line and
// the screens of the staff call the same.

export const LONGEST_DOCUMENT_REASON = 300;

/** With how many wait in all; the trail says that they were listed. */
export function listDocuments(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  search: DocumentSearch,
  { actor, now }: Who,
): Promise<{ readonly documents: readonly ListedDocument[]; readonly waiting: number }> {
  return database.inTransaction(async (tx) => {
    await appendAudit(tx, { actor, action: 'documents listed', subject: 'files:all', at: now });
    const documents = await documentsForClinic(tx, search);
    return { documents, waiting: await countWaitingDocuments(tx) };
  });
}

/** A document under a name of ours; null where there is none. The trail says who opened it. */
export async function openDocument(
  { database, keyring, appendAudit }: Pick<Platform, 'database' | 'keyring' | 'appendAudit'>,
  id: string,
  { actor, now }: Who,
  details: AuditEntry['details'] = {},
): Promise<{ readonly name: string; readonly bytes: Uint8Array } | null> {
  const found = await findDocument(database.db, id);
  if (found === null) return null;
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor, action: 'document opened', subject: `file:${id}`, details, at: now }),
  );
  const file = await readStoredFile({ keyring }, database.db, found.patientId as PatientId, id);
  if (file === null) return null;
  return { name: `${id}-${downloadName(file.purpose, file.mediaType)}`, bytes: file.bytes };
}

export type DocumentDecision =
  | { readonly kind: 'accepted' }
  /** `reason` is what the patient reads, on the page and in an email. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Accepts or refuses a document; the last decision counts. A patient all of whose health cards, or
 * picture IDs, are refused is asked for one again, and told why by email.
 */
export async function decideDocument(
  { database, keyring, appendAudit, outbox }: Platform,
  id: string,
  decision: DocumentDecision,
  { actor, now }: Who,
): Promise<'done' | 'decidedAlready' | 'notFound'> {
  const found = await findDocument(database.db, id);
  if (found === null) return 'notFound';
  const { patientId, purpose } = found;
  const { kind } = decision;
  return database.inTransaction(async (tx) => {
    // Whether another stands is looked at only after one that is just being sent or decided.
    await lockAccount(tx, patientId);
    const reason = kind === 'refused' ? decision.reason : null;
    const isDecided = await decideFile({ keyring }, tx, { id, kind, reason, actor, now });
    if (!isDecided) return 'decidedAlready';
    const stands = await hasStanding(tx, patientId, purpose);
    await updatePatient(
      tx,
      patientId,
      purpose === 'healthCard' ? { healthCardUploaded: stands } : { pictureIdUploaded: stands },
    );
    if (kind === 'refused')
      await enqueueAccountEmail(outbox, tx, {
        email: 'documentRefused',
        patientId,
        at: now,
        documentId: id,
      });
    const entry = ofPatient(patientId, `document ${kind}`, now, { purpose });
    await appendAudit(tx, { ...entry, actor, subject: `file:${id}` });
    return 'done';
  });
}
