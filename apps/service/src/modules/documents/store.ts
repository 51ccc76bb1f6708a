import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { type Db, type Tx, firstOf, hasRows, part } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { NamedFile } from './accept-files.ts';
import { storedFile } from './schema.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const nameContext = (id: string) => `file.name:${id}`;
const keyContext = (id: string) => `file.key:${id}`;
const reasonContext = (id: string) => `file.reason:${id}`;

/** Seals and stores a file, with its entry in the trail, in the transaction of the caller. */
export async function storeFile(
  { keyring, ids, appendAudit }: Pick<Platform, 'keyring' | 'ids' | 'appendAudit'>,
  tx: Tx,
  file: NamedFile & {
    readonly patientId: PatientId;
    readonly purpose: 'healthCard' | 'pictureId' | 'message';
    readonly now: number;
    /** Who sends the file, when it is not the patient. */
    readonly actor?: string;
  },
): Promise<string> {
  const { patientId, purpose, name, mediaType, bytes, now } = file;
  const { actor = `patient:${patientId}` } = file;
  const id = ids.uuid();
  const size = bytes.byteLength;
  // A key for this file alone seals its content; the keyring seals the key, so it can be rotated.
  const key = randomBytes(KEY_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(id, 'utf8'));
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  await tx.insert(storedFile).values({
    id,
    patientId,
    purpose,
    mediaType,
    size,
    createdAt: now,
    nameSealed: keyring.seal(nameContext(id), shownName(name, mediaType)),
    keySealed: keyring.seal(keyContext(id), key.toString('base64')),
    contentSealed: Buffer.concat([nonce, cipher.getAuthTag(), body]),
  });
  await appendAudit(tx, {
    actor,
    action: 'file stored',
    subject: `file:${id}`,
    details: { purpose, mediaType, size },
    at: now,
  });
  return id;
}

/**
 * The patient's own file, or null. Its name is for display only, never the name of a download. Throws when
 * the content was changed or moved to another row.
 */
export async function readStoredFile(
  { keyring }: Pick<Platform, 'keyring'>,
  db: Db,
  patientId: PatientId,
  id: string,
) {
  const { mediaType, purpose, nameSealed, keySealed, contentSealed } = storedFile;
  const [row] = await db
    .select({ mediaType, purpose, nameSealed, keySealed, contentSealed })
    .from(storedFile)
    .where(and(eq(storedFile.id, id), eq(storedFile.patientId, patientId)));
  if (row === undefined) return null;
  const key = Buffer.from(keyring.open(keyContext(id), row.keySealed), 'base64');
  const content = Buffer.from(row.contentSealed);
  const nonce = content.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id, 'utf8'));
  decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES));
  return {
    mediaType: row.mediaType,
    purpose: row.purpose,
    name: fileNameOf(keyring, id, row.nameSealed),
    bytes: Buffer.concat([body, decipher.final()]),
  };
}

/** The purposes of files on which the clinic decides. */
type DocumentPurpose = 'healthCard' | 'pictureId';
const isDocument = inArray(storedFile.purpose, ['healthCard', 'pictureId']);

const documentColumns = {
  id: storedFile.id,
  patientId: sql<PatientId>`${storedFile.patientId}`,
  purpose: sql<DocumentPurpose>`${storedFile.purpose}`,
  mediaType: storedFile.mediaType,
  size: storedFile.size,
  createdAt: storedFile.createdAt,
  decision: storedFile.decision,
  decidedAt: storedFile.decidedAt,
};

export type ClinicDocument = Awaited<ReturnType<typeof documentsOfPatient>>[number];

/** The health cards and picture IDs of a patient, the newest first. */
export const documentsOfPatient = (db: Db, patientId: string) =>
  db
    .select(documentColumns)
    .from(storedFile)
    .where(and(isDocument, eq(storedFile.patientId, patientId)))
    .orderBy(desc(storedFile.createdAt), storedFile.id);

export const findDocument = (db: Db, id: string) =>
  firstOf(
    db
      .select(documentColumns)
      .from(storedFile)
      .where(and(isDocument, eq(storedFile.id, id))),
  );

/** Records a decision, which replaces a different earlier one. False when the same was decided already. */
export async function decideFile(
  { keyring }: Pick<Platform, 'keyring'>,
  tx: Tx,
  id: string,
  /** Why it is refused; null accepts it. */
  reason: string | null,
  { actor, now }: Who,
): Promise<boolean> {
  const { decision } = storedFile;
  const kind = reason === null ? 'accepted' : 'refused';
  const reasonSealed = reason === null ? null : keyring.seal(reasonContext(id), reason);
  return hasRows(
    tx
      .update(storedFile)
      .set({ decision: kind, decidedAt: now, decidedBy: actor, reasonSealed })
      .where(and(eq(storedFile.id, id), or(isNull(decision), ne(decision, kind))))
      .returning({ id: storedFile.id }),
  );
}

/** True when the patient has a document of this purpose that was not refused. */
export async function hasStanding(
  db: Db,
  patientId: string,
  purpose: DocumentPurpose,
): Promise<boolean> {
  const { decision } = storedFile;
  const stands = and(
    eq(storedFile.patientId, patientId),
    eq(storedFile.purpose, purpose),
    or(isNull(decision), ne(decision, 'refused')),
  );
  return (await db.$count(storedFile, stands)) > 0;
}

/** The refusals of a patient's documents, as the patient reads them, the newest first. */
export async function refusedDocuments(
  { keyring }: Pick<Platform, 'keyring'>,
  db: Db,
  patientId: string,
) {
  const { id, decision, decidedAt, reasonSealed } = storedFile;
  const rows = await db
    .select({ id, document: documentColumns.purpose, decidedAt, reasonSealed })
    .from(storedFile)
    .where(and(isDocument, eq(storedFile.patientId, patientId), eq(decision, 'refused')))
    .orderBy(desc(decidedAt), id);
  return rows.map((row) => ({
    id: row.id,
    document: row.document,
    reason: row.reasonSealed ? keyring.open(reasonContext(row.id), row.reasonSealed) : '',
    at: row.decidedAt ?? 0,
  }));
}

/** Health cards and picture IDs without their content, for another module's statement. */
export const DOCUMENTS = part`(
  select id, patient_id, purpose, media_type, size, created_at_s, decision, decided_at_s
    from stored_file where purpose in ('healthCard', 'pictureId'))`;

/** Stored files without their content, for another module's statement. */
export const STORED_FILES = part`(
  select id, patient_id, media_type, size, name_sealed from stored_file)`;

/** The files of a patient without their content, for a copy of their data. */
export function ownFiles(db: Db, own: PatientId) {
  const { id, patientId, purpose, mediaType, size, createdAt } = storedFile;
  return db
    .select({ id, purpose, mediaType, size, at: createdAt })
    .from(storedFile)
    .where(eq(patientId, own))
    .orderBy(createdAt, id);
}

/** When the patient `p` last sent a file, for other modules' statements. */
export const LAST_FILE = part`(select max(created_at_s) from stored_file where patient_id = p.id)`;

export const eraseFiles = (patientId: string) =>
  part`delete from stored_file where patient_id = ${patientId}`;

/** The name that the patient gave the file. */
export const fileNameOf = (keyring: Pick<Keyring, 'open'>, id: string, sealed: Uint8Array) =>
  keyring.open(nameContext(id), sealed);

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/csv': 'csv',
};
const LONGEST = 100;

/** A patient's name for a file, to show as text: one line, no path, and our extension. */
export function shownName(given: string, mediaType: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const bare = last
    .replace(/\p{C}/gu, '')
    .replace(/\.[A-Za-z\d]{1,5}$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const stem = bare.slice(0, LONGEST).toWellFormed().replace(/^\.+/, '');
  return `${stem === '' ? 'file' : stem}.${extensionOf(mediaType)}`;
}

/** The name of a download: nothing of it comes from the patient. */
export const downloadName = (purpose: string, mediaType: string): string =>
  `${purpose.replace(/[^\w-]/g, '')}.${extensionOf(mediaType)}`;

const extensionOf = (mediaType: string) => EXTENSIONS[mediaType] ?? 'bin';
