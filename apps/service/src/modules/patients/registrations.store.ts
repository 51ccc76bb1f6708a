import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { agreement } from '../../schema.ts';
import { patient } from './schema.ts';

/** The id of the account of an address, whoever owns it. */
export async function accountWith(db: Db, email: string): Promise<string | null> {
  const [row] = await db.select({ id: patient.id }).from(patient).where(eq(patient.email, email));
  return row?.id ?? null;
}

/** Whether an open account has this card or this record already. */
export async function isCardTaken(
  db: Db,
  /** Indexed by each key that a row may still stand under. */
  card: { readonly province: string; readonly indexes: readonly Uint8Array[] },
  recordId: string,
): Promise<boolean> {
  const sameCard =
    card.indexes.length === 0
      ? undefined
      : and(eq(patient.cardProvince, card.province), inArray(patient.cardIndex, [...card.indexes]));
  const [row] = await db
    .select({ id: patient.id })
    .from(patient)
    .where(and(or(sameCard, eq(patient.recordId, recordId)), isNull(patient.closedAt)))
    .limit(1);
  return row !== undefined;
}

export async function insertPatient(tx: Tx, row: typeof patient.$inferInsert): Promise<void> {
  await tx.insert(patient).values(row);
}

/** */
export async function insertConsent(tx: Tx, row: typeof agreement.$inferInsert): Promise<void> {
  await tx.insert(agreement).values(row);
}
