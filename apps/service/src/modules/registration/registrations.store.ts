import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db.ts';
import { agreement } from '../../platform/schema-accounts.ts';
import { patient } from '../../platform/schema.ts';

export type NewPatient = typeof patient.$inferInsert;

/** The account of an address, whoever owns it. */
export async function accountWith(
  db: Db,
  email: string,
): Promise<{ readonly id: string; readonly emailConfirmed: boolean } | null> {
  const [row] = await db
    .select({ id: patient.id, emailConfirmed: patient.emailConfirmed })
    .from(patient)
    .where(eq(patient.email, email));
  return row ?? null;
}

/** Whether an account of another address has this card or this chart already. */
export async function isCardTaken(
  db: Db,
  /** Indexed by each key that a row may still stand under. */
  card: { readonly province: string; readonly indexes: readonly Uint8Array[] },
  chartId: string,
  email: string,
): Promise<boolean> {
  const sameCard =
    card.indexes.length === 0
      ? undefined
      : and(eq(patient.cardProvince, card.province), inArray(patient.cardIndex, [...card.indexes]));
  const [row] = await db
    .select({ id: patient.id })
    .from(patient)
    .where(and(or(sameCard, eq(patient.chartId, chartId)), ne(patient.email, email)))
    .limit(1);
  return row !== undefined;
}

export async function insertPatient(tx: Tx, row: NewPatient): Promise<void> {
  await tx.insert(patient).values(row);
}

/** */
export async function insertConsent(tx: Tx, row: typeof agreement.$inferInsert): Promise<void> {
  await tx.insert(agreement).values(row);
}

export async function confirmAddress(tx: Tx, id: string): Promise<void> {
  await tx.update(patient).set({ emailConfirmed: true }).where(eq(patient.id, id));
}
