import { type Database, type Tx, part, sql } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';

/** A sealed column, the context that its values are bound to, and the blind index beside it. */
interface SealedColumn {
  readonly name: string;
  /** `<context>:<id of the row>`. */
  readonly context: string;
  readonly index?: { readonly name: string; readonly context: string };
}

interface SealedTable {
  readonly name: string;
  readonly key: { readonly name: string; readonly type: 'uuid' | 'text' };
  readonly columns: readonly SealedColumn[];
  /** Rows at a time where values are large. */
  readonly batch?: number;
}

const id = { name: 'id', type: 'uuid' } as const;
/** A health card, sealed for an account or for a record, and found by one index. */
const card = (context: string): SealedColumn => ({
  name: 'card_sealed',
  context,
  index: { name: 'card_index', context: 'card' },
});
const column = (name: string, context: string): SealedColumn => ({ name, context });

/**
 * Every column under the keyring; a test compares it with the schema. The content of a stored file
 * is under a key of its own, and that key is what is sealed again.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { name: 'patient', key: id, columns: [card('patient.card')] },
  { name: 'pending_sign_up', key: id, columns: [card('patient.card')] },
  { name: 'patient_record', key: { name: 'id', type: 'text' }, columns: [card('chart.card')] },
  { name: 'appointment', key: id, columns: [column('answers_sealed', 'claim.answers')] },
  { name: 'message_entry', key: id, columns: [column('text_sealed', 'message_entry.text')] },
  { name: 'message_version', key: id, columns: [column('text_sealed', 'message_version.text')] },
  {
    name: 'stored_file',
    key: id,
    columns: [column('name_sealed', 'file.name'), column('key_sealed', 'file.key')],
  },
  {
    name: 'problem_report',
    key: id,
    batch: 10,
    columns: [
      column('message_sealed', 'problem_report.message'),
      column('screenshot_sealed', 'problem_report.screenshot'),
    ],
  },
  {
    name: 'medical_profile',
    key: { name: 'patient_id', type: 'uuid' },
    columns: [column('profile_sealed', 'medical_profile.profile')],
  },
];

/** Sealed under another key than the keyring's. */
export const SEALED_OTHERWISE: readonly string[] = ['stored_file.content_sealed'];

interface ResealPorts {
  readonly database: Database;
  readonly keyring: Keyring;
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

type Resealed = Value & { readonly was: Uint8Array };

/**
 * Brings every sealed value and blind index under the current key, in small batches while the
 * service runs. A value that somebody rewrites meanwhile is left as they wrote it.
 */
export async function resealAll(ports: ResealPorts): Promise<Walk> {
  let values = 0;
  let resealed = 0;
  const left: string[] = [];
  for (const table of SEALED_TABLES)
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
  { name, key, batch = 200 }: SealedTable,
  column: SealedColumn,
  after: string | null,
): Promise<readonly Value[]> {
  const [from, id, type, sealed] = [name, key.name, key.type, column.name].map((word) =>
    part([word]),
  );
  return sql<Value>(database.db)`
    select ${id}::text as id, ${sealed} as sealed,
           ${part([column.index?.name ?? 'null::bytea'])} as index
      from ${from}
     where ${sealed} is not null and (${after}::${type} is null or ${id} > ${after}::${type})
     order by ${id} limit ${batch}`;
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
  keyring: Keyring,
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
  const [to, id, type, sealed] = [name, key.name, key.type, column.name].map((word) =>
    part([word]),
  );
  const alsoIndex = column.index ? `, ${column.index.name} = change.index` : '';
  await sql(tx)`
    update ${to} row set ${sealed} = change.sealed${part([alsoIndex])}
      from unnest(${changes.map((each) => each.id)}::${type}[],
                  ${changes.map((each) => each.was)}::bytea[],
                  ${changes.map((each) => each.sealed)}::bytea[],
                  ${changes.map((each) => each.index)}::bytea[])
             as change(id, was, sealed, index)
     where row.${id} = change.id and row.${sealed} = change.was`;
}
