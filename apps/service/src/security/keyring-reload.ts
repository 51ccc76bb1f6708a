import { KeyUnknown, type KeyMaterial, type Keyring, createKeyring } from './keyring.ts';

/** Where keys are kept and changed while processes run. */
export interface KeyStore {
  read(): KeyMaterial;
  /** In one step: a reader sees the old keys or the new ones. */
  write(material: KeyMaterial): void;
  /** Differs after each write; cheap to ask. */
  version(): string;
}

/** Every process has seen a change of its keys after this long. */
export const KEYS_SEEN_WITHIN_MS = 1_000;

/**
 * A keyring that follows its store: it looks once a second, and at once when a value names a key
 * that it does not know, so a rotation needs no restart. A store that cannot be read for a moment
 * leaves the keys as they were.
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
      // Gone, or half written: the next look finds it whole.
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
    vouches: (context, value, mac) => latest().vouches(context, value, mac),
    secretFor: (purpose) => latest().secretFor(purpose),
  };
}
