import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../database/db.ts';
import type { Account } from './store.ts';
import { patient } from './schema.ts';

/** Whether a patient's address is the one from which an email came back. */
export const isBounced = and(eq(patient.bouncedEmail, patient.email), isNull(patient.closedAt));

export interface Bounce {
  readonly at: number;
  /** RFC 3463; null where it was not said. */
  readonly status: string | null;
}

/** What came back from the address that an account has now. */
export function bounceOf(
  account: Pick<Account, 'email' | 'bouncedEmail' | 'bouncedAt'> &
    Partial<Pick<Account, 'bounceStatus'>>,
): Bounce | null {
  const { email, bouncedEmail, bouncedAt: at, bounceStatus: status = null } = account;
  return bouncedEmail === email && at !== null ? { at, status } : null;
}

/** The addresses of all open accounts. */
export const emailsOfAccounts = (db: Db) =>
  db.select({ id: patient.id, email: patient.email }).from(patient).where(isNull(patient.closedAt));

/** How many accounts have an address from which an email came back. */
export const bouncedAccounts = (db: Db): Promise<number> => db.$count(patient, isBounced);
