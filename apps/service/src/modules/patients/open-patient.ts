import type { Platform } from '../../platform.ts';
import { openCard, openRecordCard } from '../../security/keyring.ts';
import { ownRecord } from '../records/index.ts';
import { type Account, findAccount, findPatient } from './store.ts';

/** Somebody whom the clinic knows, as its staff open them. */
export interface Person {
  readonly recordId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly cardProvince: string;
  readonly cardSealed: Uint8Array | null;
  /** Null for somebody without one. */
  readonly account: Account | null;
}

/** By the id of an account, or by the number of a record: then its open account comes first. */
export async function personOf(
  { database: { db } }: Pick<Platform, 'database'>,
  named: string,
): Promise<Person | null> {
  const found = await findPatient(db, named);
  const account = found && (await findAccount(db, { id: found.id }));
  if (account !== null) return { ...account, account };
  const record = await ownRecord(db, named);
  return record && { ...record, recordId: named, account: null };
}

/** The number of somebody's card, or '' without one. */
export const cardNumberOf = (
  { keyring }: Pick<Platform, 'keyring'>,
  { account, recordId, cardSealed }: Person,
): string =>
  account === null
    ? openRecordCard(keyring, recordId, cardSealed)
    : openCard(keyring, account.id, cardSealed);
