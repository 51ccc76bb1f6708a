import type { Database, Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { run } from '../../database/statement.ts';
import { SEALED_TABLES, type SealedColumn, type SealedTable } from './sealed-columns.ts';

export interface ResealPorts {
  readonly database: Pick<Database, 'inTransactionOrConflict' | 'db'>;
  readonly keyring: Pick<Keyring, 'reseal' | 'open' | 'blindIndex'>;
}

/** What one walk over all sealed columns did. */
export interface Walk {
  /** Values that were looked at. */
  readonly values: number;
  readonly resealed: number;
  /** `table column id` of what could not be brought under the current key. */
  readonly left: readonly string[];
}

interface Value {
  readonly id: string;
  readonly sealed: Uint8Array;
  readonly index: Uint8Array | null;
}

interface Resealed {
  readonly id: string;
  readonly was: Uint8Array;
  readonly sealed: Uint8Array;
  readonly index: Uint8Array | null;
}

/**
 * Brings every sealed value and blind index under the current key, in small batches while the
 * service runs. A value that somebody rewrites meanwhile is left as they wrote it.
 */
export async function resealAll(
  ports: ResealPorts,
  tables: readonly SealedTable[] = SEALED_TABLES,
): Promise<Walk> {
  let values = 0;
  let resealed = 0;
  const left: string[] = [];
  for (const table of tables)
    for (const column of table.columns)
      for (let after: string | null = null; ;) {
        const batch = await nextBatch(ports, table, column, after);
        const last = batch.at(-1);
        if (!last) break;
        values += batch.length;
        const done = await resealBatch(ports, table, column, batch);
        resealed += done.resealed;
        left.push(...done.left.map((id) => `${table.name} ${column.name} ${id}`));
        after = last.id;
      }
  return { values, resealed, left };
}

async function nextBatch(
  { database }: ResealPorts,
  { name, key, batch }: SealedTable,
  column: SealedColumn,
  after: string | null,
): Promise<readonly Value[]> {
  const text = `
    select ${key.name}::text as id, ${column.name} as sealed,
           ${column.index?.name ?? 'null::bytea'} as index
      from ${name}
     where ${column.name} is not null and ($1::${key.type} is null or ${key.name} > $1::${key.type})
     order by ${key.name} limit ${batch}`;
  return run<Value>(database.db, { name: '', text }, [after]);
}

async function resealBatch(
  ports: ResealPorts,
  table: SealedTable,
  column: SealedColumn,
  batch: readonly Value[],
): Promise<{ readonly resealed: number; readonly left: readonly string[] }> {
  const changes: Resealed[] = [];
  const left: string[] = [];
  for (const value of batch) {
    const change = resealed(ports.keyring, column, value);
    if (change === 'unreadable') left.push(value.id);
    else if (change !== null) changes.push(change);
  }
  if (changes.length === 0) return { resealed: 0, left };
  const outcome = await ports.database.inTransactionOrConflict((tx) =>
    write(tx, table, column, changes),
  );
  if (outcome.kind === 'committed') return { resealed: changes.length, left };
  if (batch.length === 1) return { resealed: 0, left: [...left, ...changes.map(({ id }) => id)] };
  // One value stands in the way of the others: two accounts of one card, or a lock.
  let done = 0;
  for (const value of batch) {
    const one = await resealBatch(ports, table, column, [value]);
    done += one.resealed;
    left.push(...one.left.filter((id) => !left.includes(id)));
  }
  return { resealed: done, left };
}

function resealed(
  keyring: ResealPorts['keyring'],
  { context, index }: SealedColumn,
  { id, sealed: was, index: standing }: Value,
): Resealed | 'unreadable' | null {
  const owner = `${context}:${id}`;
  try {
    const again = keyring.reseal(owner, was);
    const indexed = index ? keyring.blindIndex(index.context, keyring.open(owner, was)) : null;
    if (again === null && isSame(indexed, standing)) return null;
    return { id, was, sealed: again ?? was, index: indexed };
  } catch {
    return 'unreadable';
  }
}

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || (other !== null && Buffer.compare(one, other) === 0);

async function write(
  tx: Tx,
  { name, key }: SealedTable,
  column: SealedColumn,
  changes: readonly Resealed[],
): Promise<void> {
  const alsoIndex = column.index ? `, ${column.index.name} = change.index` : '';
  const text = `
    update ${name} row set ${column.name} = change.sealed${alsoIndex}
      from unnest($1::${key.type}[], $2::bytea[], $3::bytea[], $4::bytea[])
             as change(id, was, sealed, index)
     where row.${key.name} = change.id and row.${column.name} = change.was`;
  await run(tx, { name: '', text }, [
    changes.map(({ id }) => id),
    changes.map(({ was }) => was),
    changes.map(({ sealed }) => sealed),
    changes.map(({ index }) => index),
  ]);
}
