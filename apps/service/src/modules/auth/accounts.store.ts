import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/db.ts';
import { patient } from '../../platform/schema.ts';

/** What sign-in needs to know of an account. */
export interface Account {
  readonly id: string;
  readonly passwordHash: string;
  readonly emailConfirmed: boolean;
  readonly blocked: boolean;
  readonly visibility: readonly string[];
}

export async function accountOf(db: Db, email: string): Promise<Account | null> {
  const [row] = await db
    .select({
      id: patient.id,
      passwordHash: patient.passwordHash,
      emailConfirmed: patient.emailConfirmed,
      blocked: patient.blocked,
      visibility: patient.visibility,
    })
    .from(patient)
    .where(eq(patient.email, email));
  return row ?? null;
}
