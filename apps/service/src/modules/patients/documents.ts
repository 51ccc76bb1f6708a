import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { Refusal } from '../../server/refusal.ts';
import { type FormHeaders, overtaken } from '../../server/version.ts';
import { nextProviderOf } from '../appointments/index.ts';
import { addTicklerOnce, emrHealth } from '../emr/index.ts';
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
import {
  UPLOAD_TO_EMR,
  enqueueAccountEmail,
  findAccount,
  lockAccount,
  updatePatient,
} from '../accounts/index.ts';

// How the clinic handles the health cards and picture IDs that patients sent. The command line and the
// front desk both call these functions.

export const LONGEST_DOCUMENT_REASON = 300;

/** Lists documents, and counts all that wait for a decision. */
export function listDocuments(
  { database }: Pick<Platform, 'database'>,
  search: DocumentSearch,
): Promise<{ readonly documents: readonly ListedDocument[]; readonly waiting: number }> {
  return database.inTransaction(async (tx) => {
    const documents = await documentsForClinic(tx, search);
    return { documents, waiting: await countWaitingDocuments(tx) };
  });
}

/** A document's bytes, a file name made here, and whose it is; null when there is none. */
export async function openDocument(
  { database, keyring }: Pick<Platform, 'database' | 'keyring'>,
  id: string,
) {
  const found = await findDocument(database.db, id);
  if (found === null) return null;
  const { patientId, mediaType } = found;
  const file = await readStoredFile({ keyring }, database.db, patientId, id);
  if (file === null) return null;
  const name = `${id}-${downloadName(file.purpose, file.mediaType)}`;
  return { name, bytes: file.bytes, mediaType, patientId };
}

export type DocumentDecision =
  | { readonly kind: 'accepted' }
  /** `reason` is what the patient reads, on the page and in an email. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Accepts or refuses a document; the last decision counts. An accepted document goes into the patient's
 * record in the EMR, if there is one. Of a refusal the patient is told why by email; a patient all of
 * whose health cards, or picture IDs, are refused is asked for one again.
 */
export async function decideDocument(
  { database, keyring, appendAudit, outbox, emr }: Platform,
  id: string,
  decision: DocumentDecision,
  who: Who,
  form: FormHeaders = {},
): Promise<'done' | 'decidedAlready' | 'notFound' | Refusal> {
  const found = await findDocument(database.db, id);
  if (found === null) return 'notFound';
  const { patientId, purpose } = found;
  const { kind } = decision;
  const { actor, now } = who;
  return database.inTransaction(async (tx) => {
    // Waits for a document that is being sent or decided, so that `hasStanding` counts it.
    await lockAccount(tx, patientId);
    const standing = await findDocument(tx, id);
    const refused = overtaken(form, { decision: standing?.decision }, { decision: kind });
    if (refused !== null) return refused;
    const reason = kind === 'refused' ? decision.reason : null;
    if (!(await decideFile({ keyring }, tx, id, reason, who))) return 'decidedAlready';
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
    // The document was refused since, or erased.
    if (emr === null || found?.decision !== 'accepted' || !account) return;
    const now = clock.now();
    if ((await emrHealth(db, now)).kind !== 'answers') return { until: now + SILENT_SECONDS };
    const { purpose, mediaType, patientId } = found;
    const key = `document:${id}`;
    // Read before `addToEmr` records the request: a failure here has not reached the EMR.
    const file = await readStoredFile({ keyring }, db, patientId, id);
    if (file === null) throw new Error('A document that is gone');
    const document = {
      recordId: account.recordId as RecordId,
      name: `${id}-${downloadName(purpose, mediaType)}`,
      mediaType,
      description: DESCRIPTIONS[purpose],
      bytes: file.bytes,
    };
    // A closed account makes no booking that would open a record, so waiting for one is useless.
    const mayGetRecord = account.closedAt === null;
    return addToEmr(platform, { key, subject: `file:${id}`, attempts, mayGetRecord }, () =>
      emr.storeDocument(key, document),
    );
  });
}

/**
 * While a document is undecided, tells the patient's responsible provider, if active, or else the
 * provider of the next appointment. With neither, the outbox tries again later.
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
