import { type Db, isUuid } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { openCard, openRecordCard } from '../../security/keyring.ts';
import { versionOfContent } from '../../server/version.ts';
import { ownRecord, standingRecord } from '../records/index.ts';
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

/**
 * By the id of an account, or by the number of a record: then its open account comes first. A record
 * that was merged into another is that other.
 */
export async function personOf(db: Db, asked: string): Promise<Person | null> {
  const named = isUuid(asked) ? asked : await standingRecord(db, asked);
  const found = await findPatient(db, named);
  const account = found && (await findAccount(db, { id: found.id }));
  if (account !== null) return { ...account, account };
  const record = await ownRecord(db, named);
  return record && { ...record, recordId: named, account: null };
}

/** Who somebody is, as its reader has it before them: another after each change, and no more than that. */
export const versionOfPerson = (person: Person): string => {
  const { firstName, lastName, birthDate, cardProvince, cardSealed } = person;
  // Sealed, a number cannot be found by trying.
  const card = cardSealed === null ? '' : Buffer.from(cardSealed).toString('base64');
  return versionOfContent([firstName, lastName, birthDate, cardProvince, card]);
};

/** The number of somebody's card, or '' without one. */
export const cardNumberOf = (
  { keyring }: Pick<Platform, 'keyring'>,
  { account, recordId, cardSealed }: Person,
): string =>
  account === null
    ? openRecordCard(keyring, recordId, cardSealed)
    : openCard(keyring, account.id, cardSealed);
