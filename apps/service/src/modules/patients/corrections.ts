import {
  type IdentityCheck,
  type PatientDetails,
  type Province,
  isProvince,
  normaliseCardNumber,
  toClinic,
  whyDetailsRefused,
} from '@clinic/domain';
import { registrationText } from '@clinic/contract/identity-texts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { sealedCard } from '../../security/keyring.ts';
import { type Refusal, invalid, refuse } from '../../server/refusal.ts';
import type { NewPatientRecord, RecordId } from '../records/emr.ts';
import { correctRecord, insertRecord, isCardOfRecord, lockRecord } from '../records/index.ts';
import { enqueueAccountEmail } from './emails.ts';
import { type Person, cardNumberOf, personOf, versionOfPerson } from './open-patient.ts';
import { isCardTaken, lockAccount, updatePatient } from './store.ts';

// Staff open records and correct names, birth dates and cards. With an EMR, this is done in the EMR.

/** The API's names for fields that the rules name differently. */
const API_NAMES: Readonly<Record<string, string>> = {
  healthCardProvince: 'card.province',
  healthCardNumber: 'card.number',
};

interface Card {
  readonly province: Province;
  /** Normalised, as it is stored; '' for none. */
  readonly number: string;
}

/** The typed card, null when none was typed; or why the details are refused. */
function readDetails(
  details: PatientDetails,
  now: number,
): Refusal | { readonly card: Card | null } {
  const problems = whyDetailsRefused(details, toClinic(now).date);
  if (problems.length > 0)
    return refuse('invalidInput', {
      errors: problems.map((problem) => ({
        field: API_NAMES[problem.field] ?? problem.field,
        message: (locale) => registrationText(locale, problem),
      })),
    });
  const { card } = details;
  if (card === null || !isProvince(card.province)) return { card: null };
  const { province } = card;
  return { card: { province, number: normaliseCardNumber(province, card.number) } };
}

/** Whether another patient of the clinic has this card. */
async function isAnothers(
  { database: { db }, keyring }: Platform,
  { province, number }: Card,
  own: { readonly recordId: string; readonly accountId: string | null },
): Promise<boolean> {
  if (number === '') return false;
  const card = { province, indexes: keyring.blindIndexes('card', number) };
  return (
    (await isCardTaken(db, card, null, own.accountId)) ||
    (await isCardOfRecord(db, card, own.recordId))
  );
}

interface Correction extends PatientDetails {
  readonly checked: IdentityCheck;
  /** The version of the person's details that the writer saw. */
  readonly seen: string;
}

/** Corrects account and record. Null when done; the trail names the changed fields, not their values. */
export async function correctDetails(
  platform: Platform,
  person: Person,
  { checked, seen, ...details }: Correction,
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, keyring, emr, appendAudit, outbox } = platform;
  if (emr !== null) return refuse('changedInEmr');
  const { account, recordId } = person;
  if (account !== null && account.closedAt !== null) return refuse('accountClosed');
  const read = readDetails(details, now);
  if (!('card' in read)) return read;
  const { card } = read;
  const accountId = account?.id ?? null;
  if (card !== null && (await isAnothers(platform, card, { recordId, accountId })))
    return invalid('card.number', 'cardTaken');
  const names = {
    firstName: details.firstName.trim(),
    lastName: details.lastName.trim(),
    birthDate: details.birthDate,
  };
  const before = cardNumberOf(platform, person);
  const isNewCard =
    card !== null && (card.number !== before || card.province !== person.cardProvince);
  const changed = [
    ...(['firstName', 'lastName', 'birthDate'] as const).filter(
      (field) => names[field] !== person[field],
    ),
    ...(isNewCard ? ['card'] : []),
  ];
  // A retry after a lost answer: the details are corrected already.
  if (changed.length === 0) return null;
  const outcome = await database.inTransactionOrConflict(async (tx) => {
    // Locks the record first, as a merge does.
    await lockRecord(tx, recordId);
    if (accountId !== null) await lockAccount(tx, accountId);
    const locked = await personOf(tx, accountId ?? recordId);
    if (locked === null || versionOfPerson(locked) !== seen) return refuse('changedMeanwhile');
    if (accountId !== null) {
      const own = card && {
        cardProvince: card.province,
        ...sealedCard(keyring, accountId, card.number).patient,
      };
      await updatePatient(tx, accountId, { ...names, ...own });
      await enqueueAccountEmail(outbox, tx, {
        email: 'detailsCorrected',
        patientId: accountId,
        at: now,
      });
    }
    const kept = card && {
      cardProvince: card.province,
      ...sealedCard(keyring, recordId, card.number).record,
    };
    await correctRecord(tx, recordId, { ...names, ...kept });
    const subject = accountId === null ? `record:${recordId}` : `patient:${accountId}`;
    const details = { record: recordId, changed, checked };
    await appendAudit(tx, { actor, action: 'patient corrected', subject, details, at: now });
    return null;
  });
  // Another account took the card at the same moment.
  return outcome.kind === 'conflict' ? invalid('card.number', 'cardTaken') : outcome.value;
}

/** Opens a record for a new patient and returns its number, derived from the request's id. */
export async function addPatient(
  platform: Platform,
  { requestId, ...details }: PatientDetails & { readonly requestId: string },
  { actor, now }: Who,
): Promise<Refusal | string> {
  const { database, keyring, emr, appendAudit, config } = platform;
  if (emr !== null) return refuse('addInEmr');
  const read = readDetails(details, now);
  if (!('card' in read)) return read;
  const card = read.card ?? { province: 'Other', number: '' };
  const id = `W${requestId.replaceAll('-', '').slice(0, 15).toUpperCase()}` as RecordId;
  if (await isAnothers(platform, card, { recordId: id, accountId: null }))
    return invalid('card.number', 'cardTaken');
  const record = {
    id,
    firstName: details.firstName.trim(),
    lastName: details.lastName.trim(),
    birthDate: details.birthDate,
    cardProvince: card.province,
    cardNumber: card.number,
    providerId: config.familyDoctorIds.no,
  };
  const isNew = await database.inTransaction(async (tx) => {
    if (!(await insertRecord(tx, keyring, record))) return false;
    const subject = `record:${id}`;
    await appendAudit(tx, { actor, action: 'record opened by the clinic', subject, at: now });
    return true;
  });
  return isNew || (await isAsWritten(platform, record)) ? id : refuse('recordOpened');
}

/** Whether the record of this number has these details, as after a retry whose first answer was lost. */
async function isAsWritten(platform: Platform, record: NewPatientRecord): Promise<boolean> {
  const there = await personOf(platform.database.db, record.id);
  const same = ['firstName', 'lastName', 'birthDate', 'cardProvince'] as const;
  return (
    there !== null &&
    same.every((field) => there[field] === record[field]) &&
    cardNumberOf(platform, there) === record.cardNumber
  );
}
