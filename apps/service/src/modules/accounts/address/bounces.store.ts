import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../../database/db.ts';
import { patient } from '../schema.ts';

/** True when an email came back from the present address of an open account. */
export const isBounced = and(eq(patient.bouncedEmail, patient.email), isNull(patient.closedAt));

type Account = typeof patient.$inferSelect;

export interface Bounce {
  readonly at: number;
  /** RFC 3463; null when the report gave none. */
  readonly status: string | null;
}

/** The bounce of an account's present address; null when no email came back from it. */
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
