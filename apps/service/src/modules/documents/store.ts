import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { part } from '../../database/statement.ts';
import type { NamedFile } from './accept-files.ts';
import { storedFile } from './schema.ts';

export type FilePorts = Pick<Platform, 'keyring' | 'ids' | 'appendAudit'>;

interface FileToStore extends NamedFile {
  readonly patientId: PatientId;
  readonly purpose: 'healthCard' | 'pictureId' | 'message';
  readonly now: number;
}

/** Seals a file and writes it, with its row in the trail, in the transaction of what it is for. */
export async function storeFile(
  { keyring, ids, appendAudit }: FilePorts,
  tx: Tx,
  { patientId, purpose, name, mediaType, bytes, now }: FileToStore,
): Promise<string> {
  const id = ids.uuid();
  await tx.insert(storedFile).values({
    id,
    patientId,
    purpose,
    mediaType,
    size: bytes.byteLength,
    createdAt: now,
    ...sealFile(keyring, id, { name: shownName(name, mediaType), bytes }),
  });
  await appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: 'file stored',
    subject: `file:${id}`,
    details: { purpose, mediaType, size: bytes.byteLength },
    at: now,
  });
  return id;
}

/** The patient's own file, or null; its name is to be shown, never to be served under. */
export async function readStoredFile(
  { keyring }: Pick<Platform, 'keyring'>,
  db: Db,
  patientId: PatientId,
  fileId: string,
) {
  const { mediaType, purpose, nameSealed, keySealed, contentSealed } = storedFile;
  const [row] = await db
    .select({ mediaType, purpose, nameSealed, keySealed, contentSealed })
    .from(storedFile)
    .where(and(eq(storedFile.id, fileId), eq(storedFile.patientId, patientId)));
  if (row === undefined) return null;
  return { mediaType: row.mediaType, purpose: row.purpose, ...openFile(keyring, fileId, row) };
}

/** Stored files without their content, for another module's statement. */
export const STORED_FILES = part`(select id, media_type, size, name_sealed from stored_file)`;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface SealedFile {
  readonly nameSealed: Uint8Array;
  readonly keySealed: Uint8Array;
  readonly contentSealed: Uint8Array;
}

const nameContext = (id: string) => `file.name:${id}`;
const keyContext = (id: string) => `file.key:${id}`;

/** A key for this file alone seals its content; the keyring seals the key, so it can be rotated. */
function sealFile(
  keyring: Keyring,
  id: string,
  file: { readonly name: string; readonly bytes: Uint8Array },
): SealedFile {
  const key = randomBytes(KEY_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(id, 'utf8'));
  const body = Buffer.concat([cipher.update(file.bytes), cipher.final()]);
  return {
    nameSealed: keyring.seal(nameContext(id), file.name),
    keySealed: keyring.seal(keyContext(id), key.toString('base64')),
    contentSealed: Buffer.concat([nonce, cipher.getAuthTag(), body]),
  };
}

/** What the patient called it. */
export const fileNameOf = (
  keyring: Pick<Keyring, 'open'>,
  id: string,
  nameSealed: Uint8Array,
): string => keyring.open(nameContext(id), nameSealed);

/** Throws when a byte of it was changed or it was moved to another row. */
function openFile(
  keyring: Keyring,
  id: string,
  sealed: SealedFile,
): { readonly name: string; readonly bytes: Buffer } {
  const key = Buffer.from(keyring.open(keyContext(id), sealed.keySealed), 'base64');
  const content = Buffer.from(sealed.contentSealed);
  const nonce = content.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id, 'utf8'));
  decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES));
  return {
    name: fileNameOf(keyring, id, sealed.nameSealed),
    bytes: Buffer.concat([body, decipher.final()]),
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/csv': 'csv',
};
const LONGEST = 100;

/** What a patient called a file, to be shown as text: one line, no path, and our extension. */
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

/** What a file is called when it is downloaded: ours altogether. */
export const downloadName = (purpose: string, mediaType: string): string =>
  `${purpose.replace(/[^\w-]/g, '')}.${extensionOf(mediaType)}`;

const extensionOf = (mediaType: string) => EXTENSIONS[mediaType] ?? 'bin';
