import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** 32 bytes, base64, by key id. `current` seals; `index` names the key of blind indexes and MACs. */
export interface KeyMaterial {
  readonly current: string;
  readonly index: string;
  readonly keys: Readonly<Record<string, string>>;
  /** What is kept of retired keys: the audit trail and mailed links outlive a key, sealed values do not. */
  readonly retired?: Readonly<Record<string, RetiredKey>>;
}

/** Two derived keys in base64, which check MACs and compute indexes but cannot open sealed values. */
export interface RetiredKey {
  readonly mac: string;
  readonly index: string;
}

/**
 * Restricted columns are sealed, found by a keyed index and vouched for by a MAC. `context` says
 * what and whose the value is (`appointment.answers:<id>`) and is bound to it: a value moved to
 * another row or column does not open.
 */
export interface Keyring {
  seal(context: string, plaintext: string): Uint8Array;
  /** Throws when the value was changed, moved or sealed by a key that this keyring lacks. */
  open(context: string, sealed: Uint8Array): string;
  /** The same value sealed by the current key; null when the current key sealed it already. */
  reseal(context: string, sealed: Uint8Array): Uint8Array | null;
  /** Bytes that are equal for the same value in the same context, and for nothing else. */
  blindIndex(context: string, value: string): Uint8Array;
  /** The index by each key, the current one first: they find a row while the keys change. */
  blindIndexes(context: string, value: string): Uint8Array[];
  mac(context: string, value: string): Uint8Array;
  /** The MAC by each key, the current one first, retired ones included. */
  macs(context: string, value: string): Uint8Array[];
  /** True when a MAC is of this value, by any key of the keyring, retired ones included. */
  vouches(context: string, value: string, mac: Uint8Array): boolean;
  /** True of a key that was retired: the keyring knows it and cannot open what it has sealed. */
  hasRetired(id: string): boolean;
  /** A secret derived for one purpose alone, in base64url. */
  secretFor(purpose: string): string;
}

/** Key material that cannot be used, with a sentence for the operator. */
export class KeyringRefused extends Error {
  override readonly name = 'KeyringRefused';
}

/** A value was sealed by a key that this keyring never had, or no longer has. */
export class KeyUnknown extends Error {
  override readonly name = 'KeyUnknown';
  constructor() {
    super('This value was sealed by a key that is not in the keyring');
  }
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createKeyring(material: KeyMaterial): Keyring {
  const roots = Object.entries(material.keys).map(([id, text]) => [id, rootOf(id, text)] as const);
  const sealing = new Map(roots.map(([id, root]) => [id, derivedKey(root, 'seal')]));
  for (const id of [material.current, material.index])
    if (!sealing.has(id))
      throw new KeyringRefused(`The keyring names the key '${id}' but has none`);
  const indexRoot = rootOf(material.index, material.keys[material.index] ?? '');
  const olderRoots = roots.flatMap(([id, root]) => (id === material.index ? [] : [root]));
  const retired = Object.values(material.retired ?? {}).toReversed();
  const older = (purpose: string, left: keyof RetiredKey) => [
    ...olderRoots.map((root) => derivedKey(root, purpose)),
    ...retired.map((each) => createSecretKey(Buffer.from(each[left], 'base64'))),
  ];
  const indexKey = derivedKey(indexRoot, 'blind-index');
  const indexKeys = [indexKey, ...older('blind-index', 'index')];
  const macKey = derivedKey(indexRoot, 'mac');
  const macKeys = [macKey, ...older('mac', 'mac')];
  const current = Buffer.from(material.current, 'utf8');

  function sealBytes(context: string, plain: Buffer): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyNamed(sealing, material.current), nonce);
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const head = Buffer.from([VERSION, current.length]);
    return Buffer.concat([head, current, nonce, cipher.getAuthTag(), body]);
  }

  function openBytes(context: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const nonceAt = 2 + (bytes[1] ?? 0);
    const tagAt = nonceAt + NONCE_BYTES;
    const bodyAt = tagAt + TAG_BYTES;
    const key = keyNamed(sealing, keyIdOf(sealed));
    const nonce = bytes.subarray(nonceAt, tagAt);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
  }

  return {
    seal: (context, plaintext) => sealBytes(context, Buffer.from(plaintext, 'utf8')),
    open: (context, sealed) => openBytes(context, sealed).toString('utf8'),
    reseal: (context, sealed) =>
      keyIdOf(sealed) === material.current ? null : sealBytes(context, openBytes(context, sealed)),
    blindIndex: (context, value) => hmac(indexKey, context, value),
    blindIndexes: (context, value) => indexKeys.map((key) => hmac(key, context, value)),
    mac: (context, value) => hmac(macKey, context, value),
    macs: (context, value) => macKeys.map((key) => hmac(key, context, value)),
    vouches: (context, value, mac) => macKeys.some((key) => same(hmac(key, context, value), mac)),
    hasRetired: (id) => Object.hasOwn(material.retired ?? {}, id),
    secretFor: (purpose) => derive(indexRoot, `secret:${purpose}`).toString('base64url'),
  };
}

/** The id of the key that sealed a value. */
export function keyIdOf(sealed: Uint8Array): string {
  if (sealed[0] !== VERSION) throw new Error('This is no sealed value');
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  return bytes.toString('utf8', 2, 2 + (bytes[1] ?? 0));
}

/** The part to keep of a key that is retired. */
export function retiredKey(id: string, text: string): RetiredKey {
  const root = rootOf(id, text);
  const kept = (purpose: string) => derive(root, purpose).toString('base64');
  return { mac: kept('mac'), index: kept('blind-index') };
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

const derivedKey = (root: Buffer, purpose: string): KeyObject =>
  createSecretKey(derive(root, purpose));

/** The length of the context keeps `a|bc` apart from `ab|c`. */
const hmac = (key: KeyObject, context: string, value: string): Buffer =>
  createHmac('sha256', key).update(`${context.length}:${context}`).update(value).digest();

const same = (one: Buffer, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

function keyNamed(keys: ReadonlyMap<string, KeyObject>, id: string): KeyObject {
  const key = keys.get(id);
  if (!key) throw new KeyUnknown();
  return key;
}

/** Where keys are kept and changed while processes run. */
export interface KeyStore {
  read(): KeyMaterial;
  /** Writes atomically: a reader sees the old keys or the new ones. */
  write(material: KeyMaterial): void;
  /** The retired keys, whole, by id: for backups from their day. The service reads none of them. */
  archived(): Readonly<Record<string, string>>;
  /** Adds retired keys to the archive, atomically. */
  archive(keys: Readonly<Record<string, string>>): void;
  /** Differs after each write; cheap to read. */
  version(): string;
}

/** Every process has seen a change of its keys after this long. */
export const KEYS_SEEN_WITHIN_MS = 1_000;

/**
 * A keyring that follows its store. It checks the store at most once a second, and at once when a value
 * names an unknown key, so a rotation needs no restart. While the store cannot be read, the keys stay.
 */
export function reloadingKeyring(
  store: Pick<KeyStore, 'read' | 'version'>,
  millisecondsNow: () => number = () => performance.now(),
): Keyring {
  let version = store.version();
  let ring = createKeyring(store.read());
  let lookedAt = millisecondsNow();

  function look(): void {
    lookedAt = millisecondsNow();
    try {
      const found = store.version();
      if (found === version) return;
      ring = createKeyring(store.read());
      version = found;
    } catch {
      // The store is missing or half written: a later look finds it whole.
    }
  }
  function latest(): Keyring {
    if (millisecondsNow() - lookedAt >= KEYS_SEEN_WITHIN_MS) look();
    return ring;
  }
  function orAfterLooking<T>(work: (keys: Keyring) => T): T {
    try {
      return work(latest());
    } catch (error) {
      if (!(error instanceof KeyUnknown)) throw error;
      look();
      return work(ring);
    }
  }

  return {
    seal: (context, plaintext) => latest().seal(context, plaintext),
    open: (context, sealed) => orAfterLooking((keys) => keys.open(context, sealed)),
    reseal: (context, sealed) => orAfterLooking((keys) => keys.reseal(context, sealed)),
    blindIndex: (context, value) => latest().blindIndex(context, value),
    blindIndexes: (context, value) => latest().blindIndexes(context, value),
    mac: (context, value) => latest().mac(context, value),
    macs: (context, value) => latest().macs(context, value),
    vouches: (context, value, mac) => latest().vouches(context, value, mac),
    hasRetired: (id) => latest().hasRetired(id),
    secretFor: (purpose) => latest().secretFor(purpose),
  };
}

export interface SealedCard {
  readonly cardSealed: Uint8Array;
  readonly cardIndex: Uint8Array;
}

const NO_CARD = { cardSealed: null, cardIndex: null };

/** A normalised health number as the database stores it: sealed, with the index that finds it. */
export function sealedCard(
  keyring: Keyring,
  ownerId: string,
  number: string,
): { readonly patient: SealedCard | typeof NO_CARD; readonly record: SealedCard | typeof NO_CARD } {
  if (number === '') return { patient: NO_CARD, record: NO_CARD };
  const cardIndex = keyring.blindIndex('card', number);
  const sealedFor = (context: string) => ({
    cardSealed: keyring.seal(`${context}:${ownerId}`, number),
    cardIndex,
  });
  // Stored values are bound to these words, so they stay whatever the tables are called.
  return { patient: sealedFor('patient.card'), record: sealedFor('chart.card') };
}

/** The card number of one of our records, or '' without a card. */
export const openRecordCard = (keyring: Keyring, id: string, sealed: Uint8Array | null): string =>
  sealed === null ? '' : keyring.open(`chart.card:${id}`, sealed);

/** The card number of a patient, or '' without a card. */
export function openCard(keyring: Keyring, patientId: string, sealed: Uint8Array | null): string {
  return sealed === null ? '' : keyring.open(`patient.card:${patientId}`, sealed);
}
