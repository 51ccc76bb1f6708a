import { type Database, type Db, type Part, part, sql } from '../../database/db.ts';
import { factsBeginningWith, removeFact, writeFact } from '../../database/installation.store.ts';
import { type Keyring, KeyUnknown, KeyringRefused, keyIdOf } from '../../security/keyring.ts';
import { SEALED_COLUMNS, type SealedColumn, wordsOf } from './sealed-columns.ts';

// Keys belong to a database. For each key that has sealed values of it, `installation` has a mark that this
// key has sealed too, so that a keyring of another database, or of another day, is known at once.

const MARK = 'key:';
const contextOf = (id: string) => `installation.key:${id}`;

/** A sealed value of the database, and what it is bound to. */
interface Sealed {
  readonly context: string;
  readonly sealed: Uint8Array;
}

/** How the keyring fits the keys that have sealed values here. */
interface Fit {
  /** Keys that open what they have sealed. */
  readonly opened: ReadonlySet<string>;
  /** Marks of keys that were retired and that no value needs. */
  readonly needless: readonly string[];
  /** What cannot be opened, for the operator; null when everything can. */
  readonly why: string | null;
}

export const PUT_KEYS_BACK =
  'Put back the keyring that was kept with this database (docs/operating.md, Keys)';

/** Why this keyring is not this database's, in one sentence; null when it opens what is sealed. */
export const whyKeysRefused = async (db: Db, keyring: Keyring): Promise<string | null> =>
  (await fitOf(db, keyring)).why;

/**
 * Marks the database with the keys that open it, and with the one that seals from now on. Throws
 * `KeyringRefused`, and writes nothing, when the keyring does not open what is sealed.
 */
export async function markKeys(database: Database, keyring: Keyring): Promise<void> {
  const { opened, needless, why } = await fitOf(database.db, keyring);
  if (why !== null) throw new KeyringRefused(`${why} ${PUT_KEYS_BACK}.`);
  const current = keyIdOf(keyring.seal('', ''));
  if (needless.length === 0 && opened.has(current)) return;
  await database.inTransaction(async (tx) => {
    for (const id of needless) await removeFact(tx, MARK + id);
    const sealed = Buffer.from(keyring.seal(contextOf(current), current)).toString('base64');
    await writeFact(tx, MARK + current, sealed);
  });
}

/** Removes the marks of keys that no value needs any more, before the keys themselves go. */
export const unmarkKeys = (database: Database, ids: readonly string[]): Promise<void> =>
  database.inTransaction(async (tx) => {
    for (const id of ids) await removeFact(tx, MARK + id);
  });

async function fitOf(db: Db, keyring: Keyring): Promise<Fit> {
  const marks = await marksOf(db);
  const marked = judge(keyring, marks);
  // A database of a version before the marks has none. A retired key may still be marked where such a version
  // has rotated, or where a backup from before the rotation was restored: the values themselves say which.
  const isUnsure = marks.length === 0 || marked.lacking.some((id) => keyring.hasRetired(id));
  const values = isUnsure ? judge(keyring, await someValues(db)) : marked;
  const needless = marked.lacking.filter(
    (id) => keyring.hasRetired(id) && !values.lacking.includes(id),
  );
  const lacking = [...new Set([...marked.lacking, ...values.lacking])].filter(
    (id) => !needless.includes(id),
  );
  const other = [...new Set([...marked.other, ...values.other])];
  return { opened: marked.opened, needless, why: sentence(keyring, lacking, other) };
}

/** The ids of the keys that sealed these values: those that open one, that are not there, that open none. */
function judge(keyring: Keyring, values: readonly Sealed[]) {
  const opened = new Set<string>();
  const lacking = new Set<string>();
  const other = new Set<string>();
  for (const { context, sealed } of values) {
    const id = keyIdOf(sealed);
    try {
      keyring.open(context, sealed);
      opened.add(id);
    } catch (error) {
      (error instanceof KeyUnknown ? lacking : other).add(id);
    }
  }
  return { opened, lacking: [...lacking], other: [...other].filter((id) => !opened.has(id)) };
}

function sentence(
  keyring: Keyring,
  [lacking]: readonly string[],
  [other]: readonly string[],
): string | null {
  const has = 'has sealed values of this database';
  if (lacking !== undefined)
    return keyring.hasRetired(lacking)
      ? `The key '${lacking}' ${has} and was retired after that.`
      : `The key '${lacking}' ${has}, and the keyring has no such key.`;
  if (other === undefined) return null;
  return `The keyring's '${other}' is another key than the '${other}' that ${has}.`;
}

const marksOf = async (db: Db): Promise<Sealed[]> =>
  (await factsBeginningWith(db, MARK)).map(({ key, value }) => ({
    context: contextOf(key.slice(MARK.length)),
    sealed: Buffer.from(value, 'base64'),
  }));

/** Of each sealed column the values of the first and the last row: a rotation goes from the one to the other. */
async function someValues(db: Db): Promise<Sealed[]> {
  const ends = SEALED_COLUMNS.flatMap((column) => [
    endOf(column, part(['asc'])),
    endOf(column, part(['desc'])),
  ]);
  return sql<Sealed>(db)`
    ${ends.reduce((all, end) => part(['', ' union all ', ''], all, end))}`;
}

function endOf(column: SealedColumn, direction: Part): Part {
  const [table, sealed, key] = wordsOf(column);
  return part(
    [
      '(select ',
      "::text || ':' || ",
      '::text as context, ',
      ' as sealed from ',
      ' where ',
      ' is not null order by ',
      ' ',
      ' limit 1)',
    ],
    column.context,
    key,
    sealed,
    table,
    sealed,
    key,
    direction,
  );
}
