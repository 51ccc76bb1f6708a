import type { PatientDetails } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import type { NewPatientRecord, RecordId } from '../records/emr.ts';
import { insertRecord, ownRecord } from '../records/index.ts';
import { contactNumber } from './card/card.ts';
import { insertContact } from './card/card.store.ts';
import { type Card, isAnothers, readDetails } from './correct-details.ts';
import { type Described, type LikelyPerson, keepApart, likelyOf } from './likely.store.ts';
import { cardIndexes, cardNumberOf, lockPerson, personOf } from '../accounts/index.ts';

// Staff open a record for somebody who is new to the clinic. With an EMR, this is done in the EMR.

interface NewPerson extends Described {
  readonly phones: readonly string[];
  readonly cardNumber: string;
}

/** The most people who are shown as likely the same: those of the card first, then of the name. */
const MOST_LIKELY = 5;

/** What staff type of somebody new. */
type NewDetails = PatientDetails & { readonly phone?: string | undefined };

/** The person of these details, as a record would keep them; or why they are refused. */
function newPerson(
  { keyring, emr }: Platform,
  recordId: string,
  details: NewDetails,
  now: number,
): NewPerson | Refusal {
  if (emr !== null) return refuse('addInEmr');
  const read = readDetails(details, now);
  if (!('card' in read)) return read;
  const typed = details.phone?.trim() ?? '';
  const phone = typed === '' ? null : contactNumber(typed);
  if (typed !== '' && phone === null) return invalid('phone', 'phoneNoNumber');
  const { province, number }: Card = read.card ?? { province: 'Other', number: '' };
  return {
    recordId,
    firstName: details.firstName.trim(),
    lastName: details.lastName.trim(),
    birthDate: details.birthDate,
    cardNumber: number,
    card: cardIndexes(keyring, province, number),
    phones: phone === null ? [] : [phone],
  };
}

/** Whom the clinic has who may be the person of these details. */
export async function likelyPatients(
  platform: Platform,
  details: NewDetails,
  now: number,
): Promise<Refusal | readonly LikelyPerson[]> {
  const person = newPerson(platform, '', details, now);
  if (person instanceof Refusal) return person;
  const [likely = []] = await likelyOf(platform.database.db, [person]);
  return likely.slice(0, MOST_LIKELY);
}

interface Addition extends NewDetails {
  readonly requestId: string;
  readonly staffId: string;
  /** The numbers of the records that staff were shown and say are of somebody else. */
  readonly apartFrom: readonly string[];
}

/**
 * Opens a record for a new patient and returns its number, derived from the request's id. Refused while
 * somebody who is likely the same person was not shown.
 */
export async function addPatient(
  platform: Platform,
  { requestId, apartFrom, staffId, ...details }: Addition,
  who: Who,
): Promise<Refusal | string> {
  const { database, keyring, config } = platform;
  const { now } = who;
  const id = `W${requestId.replaceAll('-', '').slice(0, 15).toUpperCase()}` as RecordId;
  const person = newPerson(platform, id, details, now);
  if (person instanceof Refusal) return person;
  const { card, recordId: _, phones, ...kept } = person;
  const record = {
    ...kept,
    id,
    cardProvince: card.province,
    providerId: config.familyDoctorIds.no,
  };
  const refused = await database.inTransaction(async (tx) => {
    // Another who opens a record of this card, or for this birth date, waits here and then sees this one.
    await lockPerson(tx, person);
    for (const phone of phones) await lockWord(`phone:${phone}`, tx);
    if ((await ownRecord(tx, id)) !== null)
      return (await isAsWritten(platform, tx, record)) ? null : refuse('recordOpened');
    if (await isAnothers(tx, card, { recordId: id, accountId: null }))
      return invalid('card.number', 'cardTaken');
    const [all = []] = await likelyOf(tx, [person]);
    const likely = all.slice(0, MOST_LIKELY);
    if (likely.some(({ recordId }) => !apartFrom.includes(recordId))) return refuse('likelyKnown');
    await insertRecord(tx, keyring, record);
    for (const number of phones) {
      const contact = { id: requestId, recordId: id, number, staffId, at: now, struckAt: null };
      const about = { whose: '', preferred: false, mayLeaveMessage: false };
      await insertContact(tx, { ...contact, ...about, kind: 'other' });
    }
    await noteOpened(platform, tx, { recordId: id, likely }, who);
    return null;
  });
  return refused ?? id;
}

interface Opened {
  readonly recordId: RecordId;
  /** Who may be the same person, and of whom staff said that they are not. */
  readonly likely: readonly LikelyPerson[];
  /** The chart that it was opened for. */
  readonly emrId?: RecordId;
}

/** Notes that staff opened a record, and from whom they told it apart. */
export async function noteOpened(
  { appendAudit }: Pick<Platform, 'appendAudit'>,
  tx: Tx,
  { recordId, likely, ...chart }: Opened,
  { actor, now }: Who,
): Promise<void> {
  const apart = likely.map((each) => each.recordId);
  const pairs = apart.map((other) => [recordId, other] as const);
  if (pairs.length > 0) await keepApart(tx, pairs, now);
  await appendAudit(tx, {
    actor,
    action: 'record opened by the clinic',
    subject: `record:${recordId}`,
    details: { ...chart, ...(apart.length > 0 && { apart }) },
    at: now,
  });
}

/** Whether the record of this number has these details, as after a retry whose first answer was lost. */
async function isAsWritten(platform: Platform, tx: Tx, record: NewPatientRecord): Promise<boolean> {
  const there = await personOf(tx, record.id);
  const same = ['firstName', 'lastName', 'birthDate', 'cardProvince'] as const;
  return (
    there !== null &&
    same.every((field) => there[field] === record[field]) &&
    cardNumberOf(platform, there) === record.cardNumber
  );
}
