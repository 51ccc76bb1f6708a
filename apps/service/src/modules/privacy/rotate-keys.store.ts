import { setTimeout as wait } from 'node:timers/promises';

import { type Database, part, sql } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { newKey } from '../../security/keyring-file.ts';
import {
  type KeyMaterial,
  KEYS_SEEN_WITHIN_MS,
  type KeyStore,
  type Keyring,
  createKeyring,
  retiredKey,
} from '../../security/keyring.ts';
import { markKeys, unmarkKeys } from './database-keys.store.ts';
import { SEALED_COLUMNS, type SealedColumn, wordsOf } from './sealed-columns.ts';

type RotatePorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'clock'>;

/** Twice the interval at which processes check their keys: after it every process has the change. */
const ALL_HAVE_SEEN_MS = 2 * KEYS_SEEN_WITHIN_MS;
/** By then a request that seals with the old key has ended or was cut off (30 s). */
const REQUESTS_HAVE_ENDED_MS = 35_000;
const MOST_WALKS = 11;

/**
 * Adds a key that seals and indexes from then on, seals every stored value with it again, and retires the
 * old key once nothing needs it. Continues a rotation that was interrupted.
 */
export async function rotateKeys(
  ports: RotatePorts,
  store: KeyStore,
  {
    actor,
    say,
    pause = wait,
  }: {
    readonly actor: string;
    readonly say: (line: string) => void;
    readonly pause?: (milliseconds: number) => Promise<unknown>;
  },
) {
  const before = store.read();
  const isUnfinished = Object.keys(before.keys).length > 1;
  if (isUnfinished) say('A rotation was not finished; it goes on.');
  else {
    const { id, text } = newKey();
    // Every process must know the key before anything is sealed or indexed with it.
    store.write({ ...before, keys: { ...before.keys, [id]: text } });
    say(`The key ${id} was added.`);
    await pause(ALL_HAVE_SEEN_MS);
  }
  const newest = newestOf(store.read());
  if (store.read().current !== newest || store.read().index !== newest) {
    const changed = { ...store.read(), current: newest, index: newest };
    await markKeys(ports.database, createKeyring(changed));
    store.write(changed);
    say(`The key ${newest} seals from now on.`);
    await audited(ports, actor, 'keys changed', newest);
  }
  await pause(ALL_HAVE_SEEN_MS);
  let walk = await resealAll(ports);
  let { resealed } = walk;
  say(`${resealed} of ${walk.values} values were sealed again.`);
  say('Waiting until no request can still be using the old key.');
  await pause(REQUESTS_HAVE_ENDED_MS);
  // Repeats until a walk finds every value under the current key. If none does, some process does not
  // follow the keys: what it writes next could not be opened without the old key, which is then kept.
  let walks = 0;
  do {
    walk = await resealAll(ports);
    resealed += walk.resealed;
    walks += 1;
  } while (walk.resealed > 0 && walks < MOST_WALKS);
  const isSettled = walk.resealed === 0 && walk.left.length === 0;
  const { [newest]: _, ...oldKeys } = store.read().keys;
  const old = Object.keys(oldKeys);
  if (!isSettled) return { kind: 'keysKept' as const, kept: old, walk: { ...walk, resealed } };
  store.archive(oldKeys);
  await unmarkKeys(ports.database, old);
  store.write(withoutOld(store.read(), newest));
  for (const id of old) await audited(ports, actor, 'key retired', id);
  return { kind: 'rotated' as const, retired: old, walk: { ...walk, resealed } };
}

/**
 * Puts a retired key back beside those in use, so that a backup from its day can be opened. The next rotation
 * seals what it finds of it anew and retires it again. False when the archive has no such key.
 */
export function putKeyBack(store: KeyStore, id: string): boolean {
  const text = store.archived()[id];
  if (text === undefined) return false;
  const { retired = {}, keys, ...rest } = store.read();
  const { [id]: _, ...others } = retired;
  // In front: a rotation goes on to the key that stands last.
  store.write({ ...rest, keys: { [id]: text, ...keys }, retired: others });
  return true;
}

/** The key that was added last; JSON keeps the order. */
function newestOf({ keys, current }: KeyMaterial): string {
  return Object.keys(keys).at(-1) ?? current;
}

/** Removes the old keys, except for the parts that still check the MACs of the trail. */
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

interface Value {
  readonly id: string;
  readonly sealed: Uint8Array;
  readonly index: Uint8Array | null;
}

type Change = Value & { readonly was: Uint8Array };

/**
 * Brings every sealed value and blind index under the current key, in small batches while the service
 * runs. A value that another request rewrites meanwhile stays as that request wrote it.
 */
async function resealAll({ database, keyring }: Pick<Platform, 'database' | 'keyring'>) {
  let values = 0;
  let resealed = 0;
  /** `table column id` of each value that could not be brought under the current key. */
  const left: string[] = [];
  for (const column of SEALED_COLUMNS)
    for (let after: string | null = null; ;) {
      const batch = await nextBatch(database, column, after);
      after = batch.at(-1)?.id ?? null;
      if (after === null) break;
      values += batch.length;
      const found = batch.map((value) => changeOf(keyring, column, value));
      const changes = found.filter((each) => typeof each === 'object');
      const unwritten = await write(database, column, changes);
      resealed += changes.length - unwritten.length;
      const unreadable = found.filter((each) => typeof each === 'string');
      for (const id of [...unreadable, ...unwritten])
        left.push(`${column.table} ${column.name} ${id}`);
    }
  return { values, resealed, left };
}

function nextBatch({ db }: Database, column: SealedColumn, after: string | null) {
  const { batch = 200, index = 'null::bytea' } = column;
  const [table, sealed, key, type] = wordsOf(column);
  return sql<Value>(db)`
    select ${key}::text as id, ${sealed} as sealed, ${part([index])} as index
      from ${table}
     where ${sealed} is not null and (${after}::${type} is null or ${key} > ${after}::${type})
     order by ${key} limit ${batch}`;
}

/** The change of a value; undefined when it is under the current key, its id when it cannot be read. */
function changeOf(
  keyring: Keyring,
  { context, index }: SealedColumn,
  { id, sealed: was, index: standing }: Value,
): Change | string | undefined {
  const owner = `${context}:${id}`;
  try {
    const again = keyring.reseal(owner, was);
    const indexed = index ? keyring.blindIndex('card', keyring.open(owner, was)) : null;
    const isIndexed =
      indexed === null || (standing !== null && Buffer.compare(indexed, standing) === 0);
    if (again === null && isIndexed) return undefined;
    return { id, was, sealed: again ?? was, index: indexed };
  } catch {
    return id;
  }
}

/** Writes the changes in one statement, or one by one after a conflict; returns the ids that failed. */
async function write(
  database: Database,
  column: SealedColumn,
  changes: readonly Change[],
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const [table, sealed, key, type] = wordsOf(column);
  const alsoIndex = part([column.index ? `, ${column.index} = change.index` : '']);
  const { kind } = await database.inTransactionOrConflict(
    (tx) => sql(tx)`
      update ${table} row set ${sealed} = change.sealed${alsoIndex}
        from unnest(${changes.map((each) => each.id)}::${type}[],
                    ${changes.map((each) => each.was)}::bytea[],
                    ${changes.map((each) => each.sealed)}::bytea[],
                    ${changes.map((each) => each.index)}::bytea[])
               as change(id, was, sealed, index)
       where row.${key} = change.id and row.${sealed} = change.was`,
  );
  if (kind === 'committed') return [];
  if (changes.length === 1) return changes.map(({ id }) => id);
  // One value makes the whole statement fail: two accounts with one card, or a lock.
  const unwritten = await Array.fromAsync(changes, (each) => write(database, column, [each]));
  return unwritten.flat();
}
