import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** 32 bytes, base64, by key id. `current` seals; `index` names the key of blind indexes and MACs. */
export interface KeyMaterial {
  readonly current: string;
  readonly index: string;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Restricted columns are sealed, found by a keyed index and vouched for by a MAC (S-13, S-14).
 * `context` says what and whose the value is (`claim.answers:<id>`) and is bound to it: a value
 * moved to another row or column does not open.
 */
export interface Keyring {
  seal(context: string, plaintext: string): Uint8Array;
  /** Throws when the value was changed, moved or sealed by a key that is not here. */
  open(context: string, sealed: Uint8Array): string;
  /** The same value in the same context gives the same bytes, and nothing else does. */
  blindIndex(context: string, value: string): Uint8Array;
  mac(context: string, value: string): Uint8Array;
  /** A secret of its own for one purpose, base64url. */
  secretFor(purpose: string): string;
}

/** Key material that cannot be used, with a sentence for the operator. */
export class KeyringRefused extends Error {
  override readonly name = 'KeyringRefused';
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createKeyring(material: KeyMaterial): Keyring {
  const sealing = new Map<string, KeyObject>();
  for (const [id, text] of Object.entries(material.keys))
    sealing.set(id, createSecretKey(derive(rootOf(id, text), 'seal')));
  for (const id of [material.current, material.index])
    if (!sealing.has(id))
      throw new KeyringRefused(`The keyring names the key '${id}' but has none`);
  const indexRoot = rootOf(material.index, material.keys[material.index] ?? '');
  const indexKey = createSecretKey(derive(indexRoot, 'blind-index'));
  const macKey = createSecretKey(derive(indexRoot, 'mac'));
  const current = Buffer.from(material.current, 'utf8');

  return {
    seal(context, plaintext) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyNamed(sealing, material.current), nonce);
      cipher.setAAD(Buffer.from(context, 'utf8'));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const head = Buffer.from([VERSION, current.length]);
      return Buffer.concat([head, current, nonce, cipher.getAuthTag(), body]);
    },
    open(context, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION) throw new Error('This is no sealed value');
      const nonceAt = 2 + (bytes[1] ?? 0);
      const tagAt = nonceAt + NONCE_BYTES;
      const bodyAt = tagAt + TAG_BYTES;
      const key = keyNamed(sealing, bytes.toString('utf8', 2, nonceAt));
      const nonce = bytes.subarray(nonceAt, tagAt);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
      return decipher.update(bytes.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8');
    },
    blindIndex: (context, value) => hmac(indexKey, context, value),
    mac: (context, value) => hmac(macKey, context, value),
    secretFor: (purpose) => derive(indexRoot, `secret:${purpose}`).toString('base64url'),
  };
}

function rootOf(id: string, text: string): Buffer {
  const root = Buffer.from(text, 'base64');
  if (root.length !== 32 || new Set(root).size < 8)
    throw new KeyringRefused(`The key '${id}' of the keyring must be 32 random bytes in base64`);
  if (!/^[\w.-]{1,32}$/.test(id)) throw new KeyringRefused(`'${id}' cannot name a key`);
  return root;
}

const derive = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, '', `clinic-booking/${purpose}`, 32));

/** The length of the context keeps `a|bc` apart from `ab|c`. */
const hmac = (key: KeyObject, context: string, value: string): Uint8Array =>
  createHmac('sha256', key).update(`${context.length}:${context}`).update(value).digest();

function keyNamed(keys: ReadonlyMap<string, KeyObject>, id: string): KeyObject {
  const key = keys.get(id);
  if (!key) throw new Error('This value was sealed by a key that is not in the keyring');
  return key;
}
