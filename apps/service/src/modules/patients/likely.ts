import { tryLockFor } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import {
  dropNamesWritten,
  keepFolded,
  namesWritten,
  unfoldedNames,
} from './find-patients.store.ts';
import { type Pair, describedPersons, endWaiting, keepPairs, likelyOf } from './likely.store.ts';

// One person may come to the clinic as two. Who signs up is shown nobody: the pair is found afterwards and
// waits for staff. Nothing is merged by itself, as two persons may share a name and a birth date.

const FOLDED_AT_ONCE = 500;

/**
 * Folds the names that were written since, by whatever version, or folded in another way, and notes who of
 * these may be the same person as somebody else. A run that ends early is gone on with by the next.
 */
export async function foldNames({
  database,
  keyring,
  clock,
}: Pick<Platform, 'database' | 'keyring' | 'clock'>): Promise<void> {
  // Read before the names are: what is written meanwhile is noted anew.
  const written = await namesWritten(database.db);
  for (let from = 0; from < written.length; from += FOLDED_AT_ONCE) {
    const some = written.slice(from, from + FOLDED_AT_ONCE);
    const names = await unfoldedNames(database.db, some);
    const persons = names.map(({ person }) => person);
    const people = await describedPersons(database.db, keyring, persons);
    // Compared outside of a transaction, which the database would end while it waits for so long.
    const likely = await likelyOf(database.db, people);
    const pairs = people.flatMap(({ recordId }, at) =>
      (likely[at] ?? []).map((other): Pair => [recordId, other.recordId]),
    );
    const isKept = await database.inTransaction(async (tx) => {
      if (!(await tryLockFor('names', tx))) return false;
      if (pairs.length > 0) await keepPairs(tx, pairs, clock.now());
      await keepFolded(tx, names);
      await dropNamesWritten(tx, some);
      return true;
    });
    if (!isKept) return;
  }
}

/** Staff say that the records of a pair are of two persons. Null when done, now or before. */
export async function tellApart(
  { database, appendAudit }: Platform,
  pair: Pair,
  { actor, now }: Who,
): Promise<Refusal | null> {
  return database.inTransaction(async (tx) => {
    const waited = await endWaiting(tx, pair, now);
    if (waited === null) return refuse('notFound');
    const [record, other] = pair;
    const entry = { action: 'records told apart', subject: `record:${record}` };
    if (waited) await appendAudit(tx, { ...entry, actor, details: { record: other }, at: now });
    return null;
  });
}
