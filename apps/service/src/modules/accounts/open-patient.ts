import { formatPhone } from '@clinic/domain';
import { type Db, isUuid } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { openCard, openRecordCard } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { e164Of } from '../../server/phones.ts';
import { versionOfContent } from '../../server/version.ts';
import type { NewChart, NewPatientRecord, RecordId } from '../records/emr.ts';
import { ownRecord, standingRecord } from '../records/index.ts';
import { type Account, type PatientRow, findPatient, patientOf } from './store.ts';

/** A person whom the clinic knows, as staff open them: with an account or with a record alone. */
export interface Person {
  readonly recordId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly cardProvince: string;
  readonly cardSealed: Uint8Array | null;
  /** Open or closed; null without an account. */
  readonly account: Account | null;
}

/**
 * Finds a person by the id of an account or by a record number. A record's open account comes before
 * a closed one. A record that was merged into another finds that other.
 */
export async function personOf(db: Db, asked: string): Promise<Person | null> {
  const named = isUuid(asked) ? asked : await standingRecord(db, asked);
  const account = await findPatient(db, named);
  if (account !== null) return { ...account, account };
  const record = await ownRecord(db, named);
  return record && { ...record, recordId: named, account: null };
}

/** What the forms about a person's identity are made of. */
export function identityOf({ firstName, lastName, birthDate, cardProvince, cardSealed }: Person) {
  // The sealed card: from a hash of the number itself, the number could be found by trying.
  const card = cardSealed === null ? '' : Buffer.from(cardSealed).toString('base64');
  return { firstName, lastName, birthDate, card: [cardProvince, card] as const };
}

/** The version of a person's identity details: it changes with the details, and only with them. */
export const versionOfPerson = (person: Person): string => {
  const { firstName, lastName, birthDate, card } = identityOf(person);
  return versionOfContent([firstName, lastName, birthDate, ...card]);
};

/** The number of somebody's card, or '' without one. */
export const cardNumberOf = (
  { keyring }: Pick<Platform, 'keyring'>,
  { account, recordId, cardSealed }: Person,
): string =>
  account === null
    ? openRecordCard(keyring, recordId, cardSealed)
    : openCard(keyring, account.id, cardSealed);

export type OwnDetails = PatientRow & { readonly cardNumber: string };

export async function ownDetails(
  { database, keyring }: Platform,
  patientId: PatientId,
): Promise<OwnDetails> {
  const row = await patientOf(database.db, patientId);
  return { ...row, cardNumber: openCard(keyring, row.id, row.cardSealed) };
}

type InRecord = Omit<NewPatientRecord, 'id' | 'providerId'> & { readonly recordId: string };

/** The record to open for a patient. */
export const newRecordOf = (
  { recordId, firstName, lastName, birthDate, cardProvince, cardNumber }: InRecord,
  providerId: string,
): NewPatientRecord => ({
  id: recordId as RecordId,
  firstName,
  lastName,
  birthDate,
  cardProvince,
  cardNumber,
  providerId,
});

/** The chart to open in an EMR for a patient, with what they said of themselves. */
export const newChartOf = (own: OwnDetails, providerId: string): NewChart => ({
  ...newRecordOf(own, providerId),
  contact: {
    sex: own.sex,
    phone: formatPhone(own.phone),
    mobilePhone: formatPhone(own.mobilePhone),
    internationalPhone: e164Of(own, 'internationalPhone') ?? own.internationalPhone,
    email: own.email,
    address: own.address,
    city: own.city,
    province: own.province,
    postal: own.postal,
  },
});
