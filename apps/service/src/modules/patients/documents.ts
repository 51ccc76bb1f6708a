import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type AuditEntry, type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { addTicklerOnce, emrSilence, nextProviderOf } from '../appointments/index.ts';
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
import type { RecordId } from '../records/emr.ts';
import { addToEmr, primaryDoctorOf } from '../records/index.ts';
import { enqueueAccountEmail } from './emails.ts';
import { findAccount, lockAccount, updatePatient } from './store.ts';

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
 * Accepts or refuses a document; the last decision counts. What is accepted goes into the patient's
 * record in the EMR, if there is one. A patient all of whose health cards, or
 * picture IDs, are refused is asked for one again, and told why by email.
 */
export async function decideDocument(
  { database, keyring, appendAudit, outbox, emr }: Platform,
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
    else if (emr !== null) await outbox.enqueue(tx, DOCUMENT_TO_EMR, { documentId: id }, now);
    const entry = ofPatient(patientId, `document ${kind}`, now, { purpose });
    await appendAudit(tx, { ...entry, actor, subject: `file:${id}` });
    return 'done';
  });
}

const DOCUMENT_TO_EMR = 'document-to-emr';
const SILENT_SECONDS = 60;
const DESCRIPTIONS = { healthCard: 'Health card', pictureId: 'Picture ID' } as const;

/** Puts accepted documents into their patients' records in the EMR, each once. */
export function fileAcceptedDocuments(platform: Platform): void {
  const { outbox, database, keyring, clock, emr } = platform;
  const { db } = database;
  outbox.handle(DOCUMENT_TO_EMR, async ({ documentId }, _key, attempts) => {
    const id = String(documentId);
    const found = await findDocument(db, id);
    const account = found && (await findAccount(db, { id: found.patientId }));
    // Refused since, or erased.
    if (emr === null || found?.decision !== 'accepted' || !account) return;
    const now = clock.now();
    if ((await emrSilence(db, now)) !== null) return { until: now + SILENT_SECONDS };
    const { purpose, mediaType, patientId } = found;
    const key = `document:${id}`;
    // Read before it is kept as asked for: what fails here has not reached the EMR.
    const file = await readStoredFile({ keyring }, db, patientId as PatientId, id);
    if (file === null) throw new Error('A document that is gone');
    const document = {
      recordId: account.recordId as RecordId,
      name: `${id}-${downloadName(purpose, mediaType)}`,
      mediaType,
      description: DESCRIPTIONS[purpose],
      bytes: file.bytes,
    };
    // A closed account books nothing that would open a record.
    const mayGetRecord = account.closedAt === null;
    return addToEmr(platform, { key, subject: `file:${id}`, attempts, mayGetRecord }, () =>
      emr.storeDocument(key, document),
    );
  });
}

const UPLOAD_TO_EMR = 'upload-to-emr';

/** A document waits for somebody to decide about it: the EMR is to tell a provider. */
export async function enqueueUploaded(
  { outbox, emr }: Pick<Platform, 'outbox' | 'emr'>,
  tx: Tx,
  documentId: string,
  now: number,
): Promise<void> {
  if (emr !== null) await outbox.enqueue(tx, UPLOAD_TO_EMR, { documentId }, now);
}

/**
 * Tells whoever is responsible for the patient, else who has the next appointment, while nobody has
 * decided; where there is neither it waits.
 */
export function tellOfUploads(platform: Platform): void {
  const { outbox, database, clock } = platform;
  const { db } = database;
  outbox.handle(UPLOAD_TO_EMR, async ({ documentId }, _key, attempts) => {
    const id = String(documentId);
    const found = await findDocument(db, id);
    const account = found && (await findAccount(db, { id: found.patientId }));
    if (found?.decision !== null || account?.closedAt !== null) return;
    const { recordId } = account;
    return addTicklerOnce(platform, {
      key: `tickler:uploaded:${id}`,
      subject: `file:${id}`,
      attempts,
      recordId,
      text: `Sent online, and waiting to be accepted or refused there: ${DESCRIPTIONS[found.purpose]}.`,
      async providerId() {
        const { providerId, active } = await primaryDoctorOf(platform, recordId);
        return active ? providerId : nextProviderOf(db, account.id, clock.now());
      },
    });
  });
}
