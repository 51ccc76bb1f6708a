import { type CallInput, calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { eligibilityOfCard, isProvince, normaliseEmail } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { ofPatient } from '../../../security/audit.store.ts';
import { findCode, takeCode } from '../../../security/one-time-codes.store.ts';
import { passwordMatches } from '../../../security/passwords.ts';
import { openCard, sealedCard } from '../../../security/keyring.ts';
import { success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { invalid, refuse } from '../../../server/refusal.ts';
import { takeChart, waitUnclear } from '../../records/index.ts';
import { refusedByRecord } from '../address/address-change.ts';
import { insertAgreement } from '../agreements.store.ts';
import { cardIndexes, lockPerson } from '../same-person.ts';
import { findOpenAccount, insertPatient, isCardTaken } from '../store.ts';
import {
  SIGN_UP_TRIES,
  countPasswordTry,
  endFormsOf,
  forgetPasswordTries,
  lockFormsOf,
  noteRefusedSignUp,
  signUpForm,
} from './sign-ups.store.ts';
import { type OwnRecord, type Owner, findOwnRecord } from './find-own-chart.ts';

/** Following the link of a sign-up opens the account. */
export function registerEmailConfirmation(app: FastifyInstance, platform: Platform): void {
  route(app, calls.confirmEmail, async ({ body, locale, now }) => {
    const outcome = await confirmEmail(platform, { ...body, now });
    if (outcome === 'passwordWrong') return invalid('password', 'signUpPasswordWrong');
    if (outcome === 'waits' || outcome === 'cardKnown') platform.realtime.sayToDesk();
    if (outcome !== 'confirmed' && outcome !== 'waits') return refuse(outcome);
    const code = outcome === 'waits' ? 'emailConfirmedWaits' : 'emailConfirmed';
    return success({ message: text(locale, code) });
  });
}

type Confirmed =
  | 'confirmed'
  // The account is open, and the clinic says which chart of its EMR is theirs before they can book.
  | 'waits'
  | 'linkUsed'
  | 'linkNotValid'
  | 'passwordWrong'
  | 'signUpEnded'
  | 'cardKnown';

/**
 * Follows the link of a confirmation email: once, within 6 hours. The mailbox's owner must know the
 * form's password too, or a stranger could have them confirm the stranger's form. A try is counted and
 * committed before it is checked, so that parallel guesses count.
 */
async function confirmEmail(
  platform: Platform,
  { token, password, now }: CallInput<'confirmEmail'>['body'] & { readonly now: number },
): Promise<Confirmed> {
  const { database, keyring } = platform;
  const link = await findCode(database.db, keyring, 'confirm', token);
  if (link === null) return 'linkNotValid';
  if (link.usedAt !== null) return 'linkUsed';
  const form = now < link.expiresAt ? await signUpForm(database.db, link.patientId, now) : null;
  if (form === null) return 'linkNotValid';
  const tries = await database.inTransaction((tx) => countPasswordTry(tx, form.id));
  if (tries === null) return 'linkUsed';
  if (tries > SIGN_UP_TRIES) return 'signUpEnded';
  if (!(await passwordMatches(password, form.passwordHash)))
    return tries === SIGN_UP_TRIES ? 'signUpEnded' : 'passwordWrong';
  await database.inTransaction((tx) => forgetPasswordTries(tx, form.id));
  const owner = { ...form, cardNumber: openCard(keyring, form.id, form.cardSealed) };
  const { cardProvince, cardNumber, birthDate } = owner;
  const card = cardIndexes(keyring, cardProvince, cardNumber);
  // An EMR is not asked inside of a transaction.
  const inEmr = platform.emr && (await findOwnRecord(platform, owner));
  const attempt = async (tx: Tx): Promise<Confirmed> => {
    await lockPerson(tx, { birthDate, card });
    const ours = { ...platform, database: { db: tx } };
    const record = platform.emr ? inEmr : await findOwnRecord(ours, owner);
    const outcome =
      record === null
        ? 'cardKnown'
        : await openAccount(platform, tx, { owner, record, link: link.id, now });
    if (outcome === 'cardKnown') {
      await noteRefusedSignUp(tx, form.id, now);
      await platform.appendAudit(tx, {
        ...ofPatient(form.id, 'sign-up refused', now),
        actor: 'visitor',
      });
    }
    return outcome;
  };
  const opened = await database.inTransactionOrConflict(attempt);
  // A form with the same card was confirmed at the same moment; the second try sees its account.
  return opened.kind === 'conflict' ? database.inTransaction(attempt) : opened.value;
}

interface ToOpen {
  readonly owner: Owner;
  readonly record: OwnRecord;
  readonly link: string;
  readonly now: number;
}

/** Opens the account under the id of its form, and ends all forms of the address. */
async function openAccount(
  { keyring, ids, appendAudit, emr }: Platform,
  tx: Tx,
  {
    owner: {
      cardNumber,
      consentVersion: version,
      consentHash: textHash,
      consentShownHash: shownHash,
      ...form
    },
    record,
    link,
    now,
  }: ToOpen,
): Promise<Confirmed> {
  const { id, email: typed, cardProvince: province } = form;
  // A form of an older version may have its domain in Unicode.
  const email = normaliseEmail(typed);
  const { kind, recordId } = record;
  if (!isProvince(province)) throw new Error('A sign-up form names a province that has cards');
  const stillWaits = (await lockFormsOf(tx, typed)).includes(id);
  if (!stillWaits || (await findOpenAccount(tx, typed)) !== null) return 'linkUsed';
  const indexes = cardNumber === '' ? [] : keyring.blindIndexes('card', cardNumber);
  if (await isCardTaken(tx, { province, indexes }, recordId)) return 'cardKnown';
  // An account of the record was closed just now, or is in dispute: only the clinic can tell whose it is.
  if ((await refusedByRecord(tx, recordId, email, now)) !== null) return 'cardKnown';
  if (!(await takeCode(tx, link, now))) return 'linkNotValid';
  // Sealed again with the current key, as the form's key may be retired soon.
  const { patient: card } = sealedCard(keyring, id, cardNumber);
  const eligibility = eligibilityOfCard(province);
  // Others who book for the chart, or give it to an account, wait. Another account may have it by now.
  if (
    emr !== null &&
    kind === 'linked' &&
    !(await takeChart(tx, { recordId, chart: recordId }, now))
  )
    return 'cardKnown';
  await insertPatient(tx, { ...form, ...card, email, recordId, eligibility, createdAt: now });
  if (version !== null && textHash !== null) {
    const { language, createdAt: at } = form;
    // When the clinic's text has no translation, the patient read the English one.
    const locale = shownHash === textHash ? ENGLISH.id : language;
    const agreed = { kind: 'signUp', version, textHash, locale, shownHash, at };
    await insertAgreement(tx, { id: ids.uuid(), patientId: id, ...agreed });
  }
  await endFormsOf(tx, typed, now);
  await appendAudit(tx, ofPatient(id, 'e-mail confirmed', now, { record: kind }));
  if (kind !== 'unsure') return 'confirmed';
  await waitUnclear(tx, recordId, record.why, now);
  const entry = ofPatient(id, 'record waits for staff', now);
  await appendAudit(tx, { ...entry, subject: `record:${recordId}` });
  return 'waits';
}
