import { setTimeout as wait } from 'node:timers/promises';

import type { Platform } from '../../platform.ts';
import { newKey } from '../../security/keyring-file.ts';
import {
  type KeyMaterial,
  KEYS_SEEN_WITHIN_MS,
  type KeyStore,
  retiredKey,
} from '../../security/keyring.ts';
import { type Walk, resealAll } from './reseal.store.ts';

type RotatePorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'clock'>;

export interface Rotation {
  readonly actor: string;
  readonly say: (line: string) => void;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export type RotationEnd =
  | { readonly kind: 'rotated'; readonly retired: readonly string[]; readonly walk: Walk }
  /** Something still stands under an old key, which therefore stays. */
  | { readonly kind: 'keysKept'; readonly kept: readonly string[]; readonly walk: Walk };

/** Every process looks at its keys that often; twice that, and none can have missed them. */
const ALL_HAVE_SEEN_MS = 2 * KEYS_SEEN_WITHIN_MS;
/** A request that sealed by the old key has ended or was cut off by then (30 s). */
const REQUESTS_HAVE_ENDED_MS = 35_000;

/**
 * A new key seals and indexes from now on, everything is brought under it, and the old key goes
 * once nothing needs it. A rotation that was interrupted goes on where it stood.
 */
export async function rotateKeys(
  ports: RotatePorts,
  store: KeyStore,
  { actor, say, pause = wait }: Rotation,
): Promise<RotationEnd> {
  const before = store.read();
  const isUnfinished = Object.keys(before.keys).length > 1;
  if (isUnfinished) say('A rotation was not finished; it goes on.');
  else {
    const { id, text } = newKey();
    // Known everywhere before anything is sealed or indexed by it.
    store.write({ ...before, keys: { ...before.keys, [id]: text } });
    say(`The key ${id} was added.`);
    await pause(ALL_HAVE_SEEN_MS);
  }
  const newest = newestOf(store.read());
  if (store.read().current !== newest || store.read().index !== newest) {
    store.write({ ...store.read(), current: newest, index: newest });
    say(`The key ${newest} seals from now on.`);
    await audited(ports, actor, 'keys changed', newest);
  }
  await pause(ALL_HAVE_SEEN_MS);
  const first = await resealAll(ports);
  say(`${first.resealed} of ${first.values} values were sealed again.`);
  say('Waiting until no request can still be using the old key.');
  await pause(REQUESTS_HAVE_ENDED_MS);
  const { walk: last, isSettled } = await lastWalk(ports);
  const walk = { ...last, resealed: first.resealed + last.resealed };
  const old = Object.keys(store.read().keys).filter((id) => id !== newest);
  if (!isSettled || walk.left.length > 0) return { kind: 'keysKept', kept: old, walk };
  store.write(withoutOld(store.read(), newest));
  for (const id of old) await audited(ports, actor, 'key retired', id);
  return { kind: 'rotated', retired: old, walk };
}

/**
 * Walks until a whole walk finds everything under the current key. Where that never comes, some process
 * does not follow the keys, and what it writes next could not be opened without the old one.
 */
async function lastWalk(
  ports: RotatePorts,
): Promise<{ readonly walk: Walk; readonly isSettled: boolean }> {
  let resealed = 0;
  for (let walks = 0; ; walks++) {
    const walk = await resealAll(ports);
    resealed += walk.resealed;
    const isSettled = walk.resealed === 0;
    if (isSettled || walks === 10) return { walk: { ...walk, resealed }, isSettled };
  }
}

/** The key that was added last; JSON keeps the order. */
function newestOf({ keys, current }: KeyMaterial): string {
  return Object.keys(keys).at(-1) ?? current;
}

/** What a retired key vouched for in the trail can still be checked. */
function withoutOld({ keys, retired = {} }: KeyMaterial, newest: string): KeyMaterial {
  const old = Object.entries(keys).filter(([id]) => id !== newest);
  return {
    current: newest,
    index: newest,
    keys: { [newest]: keys[newest] ?? '' },
    retired: {
      ...retired,
      ...Object.fromEntries(old.map(([id, text]) => [id, retiredKey(id, text)])),
    },
  };
}

async function audited(
  { database, appendAudit, clock }: RotatePorts,
  actor: string,
  action: string,
  key: string,
): Promise<void> {
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor, action, subject: `key:${key}`, at: clock.now() }),
  );
}
