import { type UnsureChart, isSameName } from '@clinic/domain';
import type { Platform } from '../../../platform.ts';
import { openRecordCard } from '../../../security/keyring.ts';
import { findRecord, ownRecord } from '../../records/index.ts';
import { isChartGivenUp, whyItIsUnsure } from '../chart-owners.ts';
import type { SignUpForm } from './sign-ups.store.ts';

export type Owner = SignUpForm & { readonly cardNumber: string };

/**
 * 'new': the record does not exist yet; the family-doctor question opens it under this number. 'unsure': as
 * new, but the EMR has charts that may be theirs, and staff say which is.
 */
export type OwnRecord =
  | { readonly kind: 'linked' | 'new'; readonly recordId: string }
  | { readonly kind: 'unsure'; readonly recordId: string; readonly why: UnsureChart | null };

/**
 * The record number of somebody who signs up: of the record that their card and birth date find, or a
 * new one. Null when only the clinic can tell whose the found record is, such as when its family name
 * differs; where an EMR has it, the account waits for the clinic instead.
 */
export async function findOwnRecord(
  platform: Pick<Platform, 'ids' | 'keyring' | 'emr' | 'config'> & {
    readonly database: Pick<Platform['database'], 'db'>;
  },
  owner: Owner,
): Promise<OwnRecord | null> {
  // Random, so that nobody can guess another patient's number.
  const number = `W${platform.ids.uuid().replaceAll('-', '').slice(0, 15).toUpperCase()}`;
  const fresh: OwnRecord = { kind: 'new', recordId: number };
  const { cardProvince, cardNumber, birthDate, lastName } = owner;
  if (cardNumber === '') return fresh;
  const found = await findRecord(platform, { cardProvince, cardNumber, birthDate });
  if (found.kind === 'none') return fresh;
  const { db } = platform.database;
  const recordId = found.kind === 'one' ? found.record.id : null;
  if (
    found.kind === 'many' ||
    recordId === null ||
    !isSameName(found.record.lastName, lastName) ||
    // Staff gave the account with this number for its record another chart.
    (platform.emr !== null && (await isChartGivenUp(db, recordId)))
  ) {
    if (platform.emr === null) return null;
    const own = { ...owner, recordId: fresh.recordId };
    return { ...fresh, kind: 'unsure', why: await whyItIsUnsure(platform, own) };
  }
  const stands = platform.emr === null ? await ownRecord(db, recordId) : null;
  const isTheirs = stands === null || standsForThem(platform, { ...stands, recordId }, owner);
  return isTheirs ? { kind: 'linked', recordId } : null;
}

/**
 * Whether a stored record is the person's: it has their card, or a record with their card was merged
 * into it and the whole name fits, as a twin merged by mistake shares family name and birth date.
 */
function standsForThem(
  { keyring }: Pick<Platform, 'keyring'>,
  record: NonNullable<Awaited<ReturnType<typeof ownRecord>>> & { readonly recordId: string },
  { cardProvince, cardNumber, birthDate, firstName, lastName }: Owner,
): boolean {
  const { recordId, cardSealed } = record;
  const hasCard =
    record.cardProvince === cardProvince &&
    openRecordCard(keyring, recordId, cardSealed) === cardNumber;
  return (
    record.birthDate === birthDate &&
    isSameName(record.lastName, lastName) &&
    (hasCard || isSameName(record.firstName, firstName))
  );
}
