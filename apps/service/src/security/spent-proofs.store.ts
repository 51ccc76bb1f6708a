import { createHash } from 'node:crypto';
import { lt } from 'drizzle-orm';
import type { Database, Tx } from '../database/db.ts';
import { spentProof } from './schema.ts';
import { failureOf } from '../database/sqlstate.ts';

/** S-6: each proof once, whichever process it came to; remembered until it would be over anyway. */
export async function spendProof(
  database: Database,
  { proof, expiresAt, now }: { readonly proof: string; expiresAt: number; readonly now: number },
): Promise<'ok' | 'refused' | 'unavailable'> {
  try {
    return await database.inTransaction(async (tx) => {
      await tx.delete(spentProof).where(lt(spentProof.expiresAt, now));
      return (await spendOnce(tx, proof, expiresAt)) ? 'ok' : 'refused';
    });
  } catch (error) {
    if (failureOf(error)?.kind === 'unavailable') return 'unavailable';
    throw error;
  }
}

/** False when it was spent before; it is remembered until `expiresAt`. */
export async function spendOnce(tx: Tx, proof: string, expiresAt: number): Promise<boolean> {
  const proofHash = createHash('sha256').update(proof).digest();
  const fresh = await tx
    .insert(spentProof)
    .values({ proofHash, expiresAt })
    .onConflictDoNothing()
    .returning({ proofHash: spentProof.proofHash });
  return fresh.length === 1;
}
