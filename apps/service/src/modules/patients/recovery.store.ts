import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { patient } from './schema.ts';

/** What somebody who forgot the password is asked for. */
export interface RecoverableAccount {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly cardProvince: string;
  readonly cardSealed: Uint8Array | null;
}

export async function recoverableAccount(
  db: Db,
  email: string,
): Promise<RecoverableAccount | null> {
  const [row] = await db
    .select({
      id: patient.id,
      firstName: patient.firstName,
      lastName: patient.lastName,
      birthDate: patient.birthDate,
      cardProvince: patient.cardProvince,
      cardSealed: patient.cardSealed,
    })
    .from(patient)
    .where(eq(patient.email, email));
  return row ?? null;
}

export async function setPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.update(patient).set({ passwordHash }).where(eq(patient.id, id));
}
