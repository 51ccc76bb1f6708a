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
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { sealedCard } from '../../security/keyring.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { type FormHeaders, overStored } from '../../server/version.ts';
import { correctRecord, isCardOfRecord, lockRecord } from '../records/index.ts';
import {
  type Decider,
  NO_DECIDER,
  type Person,
  cardIndexes,
  cardNumberOf,
  enqueueAccountEmail,
  identityOf,
  isCardTaken,
  lockAccount,
  lockPerson,
  personOf,
  refusedByStanding,
  updatePatient,
  versionOfPerson,
} from '../accounts/index.ts';
import { type Described } from './likely.store.ts';

// Staff correct names, birth dates and cards. With an EMR, this is done in the EMR.

/** The API's names for fields that the rules name differently. */
const API_NAMES: Readonly<Record<string, string>> = {
  healthCardProvince: 'card.province',
  healthCardNumber: 'card.number',
};

export interface Card {
  readonly province: Province;
  /** Normalised, as it is stored; '' for none. */
  readonly number: string;
}

/** The typed card, null when none was typed; or why the details are refused. */
export function readDetails(
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

/** Whether another patient of the clinic has this card. Ask it under the lock of the card. */
export async function isAnothers(
  tx: Tx,
  card: Described['card'],
  own: { readonly recordId: string; readonly accountId: string | null },
): Promise<boolean> {
  if (card.indexes.length === 0) return false;
  return (
    (await isCardTaken(tx, card, null, own.accountId)) ||
    (await isCardOfRecord(tx, card, own.recordId))
  );
}

interface Correction extends PatientDetails {
  readonly checked: IdentityCheck;
  /** The version of the person's details that an earlier page showed. */
  readonly seen?: string | undefined;
  readonly by?: Decider;
}

/** Corrects account and record. Null when done; the trail names the changed fields, not their values. */
export async function correctDetails(
  platform: Platform,
  person: Person,
  { checked, seen, by = NO_DECIDER, ...details }: Correction,
  { actor, now }: Who,
  form: FormHeaders = {},
): Promise<Refusal | null> {
  const { database, keyring, emr, appendAudit, outbox } = platform;
  if (emr !== null) return refuse('changedInEmr');
  const { account, recordId } = person;
  if (account !== null && account.closedAt !== null) return refuse('accountClosed');
  const read = readDetails(details, now);
  if (!('card' in read)) return read;
  const { card } = read;
  const accountId = account?.id ?? null;
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
  const isLinked = changed.includes('birthDate') || changed.includes('card');
  const write = isLinked ? 'birthDateOrCard' : 'names';
  const indexes = cardIndexes(keyring, card?.province ?? '', card?.number ?? '');
  const outcome = await database.inTransactionOrConflict(async (tx) => {
    await lockPerson(tx, { birthDate: names.birthDate, card: indexes });
    if (await isAnothers(tx, indexes, { recordId, accountId }))
      return invalid('card.number', 'cardTaken');
    // Locks the record before the account, as a merge does.
    await lockRecord(tx, recordId);
    if (accountId !== null) {
      await lockAccount(tx, accountId);
      const refused = await refusedByStanding(tx, accountId, write, now, { by, checked });
      if (refused !== null) return refused;
    }
    const locked = await personOf(tx, accountId ?? recordId);
    if (locked === null) return refuse('changedMeanwhile');
    const isOlder = seen !== undefined && versionOfPerson(locked) !== seen;
    if (isOlder && form['x-form-version'] === undefined) return refuse('changedMeanwhile');
    const stored = identityOf(locked);
    const sent = { ...names, card: isNewCard ? card : stored.card };
    const over = overStored(form, stored, sent);
    if (over instanceof Refusal) return over;
    const { card: isCardSaved, ...saved } = over;
    const cardToSave = isCardSaved === undefined ? null : card;
    if (accountId !== null) {
      const own = cardToSave && {
        cardProvince: cardToSave.province,
        ...sealedCard(keyring, accountId, cardToSave.number).patient,
      };
      await updatePatient(tx, accountId, { ...saved, ...own });
      await enqueueAccountEmail(outbox, tx, {
        email: 'detailsCorrected',
        patientId: accountId,
        at: now,
      });
    }
    const kept = cardToSave && {
      cardProvince: cardToSave.province,
      ...sealedCard(keyring, recordId, cardToSave.number).record,
    };
    await correctRecord(tx, recordId, { ...saved, ...kept });
    const subject = accountId === null ? `record:${recordId}` : `patient:${accountId}`;
    const details = { record: recordId, changed: changed.filter((name) => name in over), checked };
    await appendAudit(tx, { actor, action: 'patient corrected', subject, details, at: now });
    return null;
  });
  // Another account took the card at the same moment.
  return outcome.kind === 'conflict' ? invalid('card.number', 'cardTaken') : outcome.value;
}
