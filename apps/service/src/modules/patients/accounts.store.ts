import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { patient } from './schema.ts';

/** What sign-in needs to know of an account. */
export interface Account {
  readonly id: string;
  readonly passwordHash: string;
  /** Blocked, or closed for good (R-60, S-15). */
  readonly blocked: boolean;
  readonly visibility: readonly string[];
}

const columns = {
  id: patient.id,
  passwordHash: patient.passwordHash,
  blocked: patient.blocked,
  visibility: patient.visibility,
  closedAt: patient.closedAt,
};

export async function accountOf(db: Db, email: string): Promise<Account | null> {
  const [row] = await db.select(columns).from(patient).where(eq(patient.email, email));
  return row ? accountFrom(row) : null;
}

export async function accountById(db: Db, id: string): Promise<Account | null> {
  const [row] = await db.select(columns).from(patient).where(eq(patient.id, id));
  return row ? accountFrom(row) : null;
}

/**
 * Whether the account's password is still this one; it stays so until the transaction is over, and
 * sign-ins of one account write one after the other.
 */
export async function isPasswordStill(
  tx: Tx,
  { id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const [row] = await tx
    .select({ passwordHash: patient.passwordHash })
    .from(patient)
    .where(eq(patient.id, id))
    .for('no key update');
  return row?.passwordHash === passwordHash;
}

function accountFrom({
  closedAt,
  ...row
}: Account & { readonly closedAt: number | null }): Account {
  return { ...row, blocked: row.blocked || closedAt !== null };
}
