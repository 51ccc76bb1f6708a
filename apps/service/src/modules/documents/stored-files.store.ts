import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { storedFile } from './schema.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { AcceptedFile } from './accept-file.ts';
import { shownName } from './file-names.ts';
import { openFile, sealFile } from './sealed-file.ts';

export type FilePorts = Pick<Platform, 'keyring' | 'ids' | 'appendAudit'>;
export type FilePurpose = 'healthCard' | 'pictureId' | 'message';

export interface FileToStore {
  readonly patientId: PatientId;
  readonly purpose: FilePurpose;
  /** What the patient called it. */
  readonly name: string;
  readonly accepted: AcceptedFile;
  readonly now: number;
}

export interface StoredFile {
  readonly mediaType: string;
  /** To be shown, never to be served under. */
  readonly name: string;
  readonly purpose: string;
  readonly bytes: Buffer;
}

/** Seals a file and writes it, with its row in the trail, in the transaction of what it is for. */
export async function storeFile(ports: FilePorts, tx: Tx, file: FileToStore): Promise<string> {
  const { patientId, purpose, accepted, now } = file;
  const { mediaType, bytes } = accepted;
  const id = ports.ids.uuid();
  await tx.insert(storedFile).values({
    id,
    patientId,
    purpose,
    mediaType,
    size: bytes.byteLength,
    createdAt: now,
    ...sealFile(ports.keyring, id, { name: shownName(file.name, mediaType), bytes }),
  });
  await ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: 'file stored',
    subject: `file:${id}`,
    details: { purpose, mediaType, size: bytes.byteLength },
    at: now,
  });
  return id;
}

/** The patient's own file, or null (S-1). */
export async function readStoredFile(
  { keyring }: Pick<FilePorts, 'keyring'>,
  db: Db,
  patientId: PatientId,
  fileId: string,
): Promise<StoredFile | null> {
  const [row] = await db
    .select({
      mediaType: storedFile.mediaType,
      purpose: storedFile.purpose,
      nameSealed: storedFile.nameSealed,
      keySealed: storedFile.keySealed,
      contentSealed: storedFile.contentSealed,
    })
    .from(storedFile)
    .where(and(eq(storedFile.id, fileId), eq(storedFile.patientId, patientId)));
  if (row === undefined) return null;
  const { mediaType, purpose, ...sealed } = row;
  return { mediaType, purpose, ...openFile(keyring, fileId, sealed) };
}
