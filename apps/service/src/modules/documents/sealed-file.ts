import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from '../../security/keyring.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface SealedFile {
  readonly nameSealed: Uint8Array;
  readonly keySealed: Uint8Array;
  readonly contentSealed: Uint8Array;
}

const nameContext = (id: string) => `file.name:${id}`;
const keyContext = (id: string) => `file.key:${id}`;

/** A key for this file alone seals its content; the keyring seals the key, so it can be rotated. */
export function sealFile(
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
export function openFile(
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
