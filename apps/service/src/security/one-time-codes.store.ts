import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db, Tx } from '../database/db.ts';
import type { Keyring } from './keyring.ts';
import { oneTimeCode } from './schema.ts';

export type Purpose = 'confirm' | 'recovery' | 'reset' | 'dashboard';
export type CodeRow = typeof oneTimeCode.$inferSelect;

export interface NewCode {
  readonly id: string;
  readonly purpose: Purpose;
  readonly patientId: string;
  readonly secret: string;
  readonly now: number;
  readonly validFor: number;
}

type Hashing = Pick<Keyring, 'blindIndex' | 'blindIndexes'>;

const KEEP_SECONDS = 24 * 60 * 60;

const hashOf = (keyring: Hashing, purpose: Purpose, secret: string) =>
  keyring.blindIndex(`one-time.${purpose}`, secret);

/** Writes a code; mailed again under its id, it is the same code and valid from then on. */
export async function issueCode(tx: Tx, keyring: Hashing, code: NewCode): Promise<void> {
  const { id, purpose, patientId, secret, now, validFor } = code;
  await tx.delete(oneTimeCode).where(lt(oneTimeCode.expiresAt, now - KEEP_SECONDS));
  const codeHash = hashOf(keyring, purpose, secret);
  await tx
    .insert(oneTimeCode)
    .values({ id, purpose, patientId, codeHash, createdAt: now, expiresAt: now + validFor })
    .onConflictDoUpdate({ target: oneTimeCode.id, set: { codeHash, expiresAt: now + validFor } });
  // A newer reset code ends the older ones, or each would bring tries of its own; a newer check
  // of the owner ends the older ones, or somebody else could have a second mail sent.
  if (purpose !== 'reset' && purpose !== 'recovery') return;
  await tx
    .update(oneTimeCode)
    .set({ expiresAt: now })
    .where(
      and(
        eq(oneTimeCode.patientId, patientId),
        eq(oneTimeCode.purpose, purpose),
        ne(oneTimeCode.id, id),
        gt(oneTimeCode.expiresAt, now),
      ),
    );
}

/** The code of a secret, whatever became of it. */
export async function findCode(
  db: Db,
  keyring: Hashing,
  purpose: Purpose,
  secret: string,
): Promise<CodeRow | null> {
  // A link that was mailed before the keys changed is good until it is over.
  const hashes = keyring.blindIndexes(`one-time.${purpose}`, secret);
  const [row] = await db
    .select()
    .from(oneTimeCode)
    .where(and(inArray(oneTimeCode.codeHash, hashes), eq(oneTimeCode.purpose, purpose)));
  return row ?? null;
}

/** The newest code of a patient that is neither used nor over. */
export async function latestCode(
  db: Db,
  purpose: Purpose,
  patientId: string,
  now: number,
): Promise<CodeRow | null> {
  const [row] = await db
    .select()
    .from(oneTimeCode)
    .where(
      and(
        eq(oneTimeCode.patientId, patientId),
        eq(oneTimeCode.purpose, purpose),
        isNull(oneTimeCode.usedAt),
        gt(oneTimeCode.expiresAt, now),
      ),
    )
    .orderBy(desc(oneTimeCode.createdAt))
    .limit(1);
  return row ?? null;
}

/** Counts a guess before it is compared; gives how many there were, this one included. */
export async function countTry(tx: Tx, id: string): Promise<number> {
  const [row] = await tx
    .update(oneTimeCode)
    .set({ tries: sql`${oneTimeCode.tries} + 1` })
    .where(eq(oneTimeCode.id, id))
    .returning({ tries: oneTimeCode.tries });
  return row?.tries ?? Number.POSITIVE_INFINITY;
}

/** Uses a code up, once: the second of two at the same time is told no. */
export async function takeCode(
  tx: Tx,
  id: string,
  now: number,
  sessionHash?: Uint8Array,
): Promise<boolean> {
  const taken = await tx
    .update(oneTimeCode)
    .set({ usedAt: now, ...(sessionHash === undefined ? {} : { sessionHash }) })
    .where(and(eq(oneTimeCode.id, id), isNull(oneTimeCode.usedAt), gt(oneTimeCode.expiresAt, now)))
    .returning({ id: oneTimeCode.id });
  return taken.length === 1;
}

/** Every open code of a patient for this purpose is over. */
export async function endCode(
  tx: Tx,
  purpose: Purpose,
  patientId: string,
  now: number,
): Promise<void> {
  await tx
    .update(oneTimeCode)
    .set({ expiresAt: now })
    .where(
      and(
        eq(oneTimeCode.patientId, patientId),
        eq(oneTimeCode.purpose, purpose),
        gt(oneTimeCode.expiresAt, now),
      ),
    );
}
