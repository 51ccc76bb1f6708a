import { type CallInput, calls } from '@clinic/contract';
import { passwordText, registrationText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import {
  type RegistrationForm,
  calendarDate,
  cardOf,
  digitsOf,
  eligibilityOfCard,
  isProvince,
  normaliseEmail,
  toClinic,
  whyRegistrationRefused,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { CODE_VALID_FOR, findCode, takeCode } from '../../security/one-time-codes.store.ts';
import { hashPassword, isCommonPassword, passwordMatches } from '../../security/passwords.ts';
import { openCard, openRecordCard, sealedCard } from '../../security/keyring.ts';
import { checkProof } from '../../server/ports.ts';
import { route } from '../../server/http.ts';
import { countAll } from '../../server/rate-limit.store.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { findRecord, ownRecord } from '../records/index.ts';
import { type AgreedText, agreedText, insertAgreement } from './agreements.store.ts';
import { enqueueAccountEmail } from './emails.ts';
import {
  SIGN_UP_TRIES,
  type SignUpForm,
  countPasswordTry,
  endFormsOf,
  findOpenAccount,
  forgetPasswordTries,
  insertForm,
  insertPatient,
  isCardTaken,
  lockFormsOf,
  newestFormOf,
  signUpForm,
} from './store.ts';

/** Sign-up: the form is stored and its link mailed; following the link opens the account. */
export function registerSignUp(app: FastifyInstance, platform: Platform): void {
  const { captcha, rateLimit, database, outbox, ids, config } = platform;
  const { rates } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, config.passwordCost),
  };

  route(app, calls.register, async ({ body, address, locale, now }) => {
    const form = formOf(body);
    const errors = whyRegistrationRefused(form, toClinic(now).date).map((problem) => ({
      field: API_NAMES[problem.field] ?? problem.field,
      message: (locale: Locale) => registrationText(locale, problem),
    }));
    if (isCommonPassword(form.password) && !errors.some(({ field }) => field === 'password'))
      errors.push({ field: 'password', message: (to) => passwordText(to, 'tooCommon') });
    if (errors.length > 0) return refuse('registrationRefused', { errors });
    const agreed = await agreedText(database.db, 'signUp', locale);
    if (body.consent && body.consent.version !== agreed.version)
      return invalid('consent', 'agreementOutdated');
    const preferredPharmacyId = body.preferredPharmacy || null;
    if (preferredPharmacyId !== null && !(await findPharmacy(database.db, preferredPharmacyId)))
      return invalid('preferredPharmacy');
    const refused = await checkAsking(body, address, now);
    if (refused !== null) return refused;
    const consent = body.consent?.given === true ? agreed : null;
    await signUp(ports, { form, preferredPharmacyId, consent, locale, now });
    const extras = { message: text(locale, 'registered') };
    return { success: true as const, extras, data: { success: true as const, extras } };
  });

  route(app, calls.confirmEmail, async ({ body, locale, now }) => {
    const outcome = await confirmEmail(platform, { ...body, now });
    if (outcome === 'passwordWrong') return invalid('password', 'signUpPasswordWrong');
    if (outcome !== 'confirmed') return refuse(outcome);
    return { success: true as const, extras: { message: text(locale, 'emailConfirmed') } };
  });

  route(app, calls.resendConfirmation, async ({ body, address, locale, now }) => {
    const refused = await checkAsking(body, address, now);
    if (refused !== null) return refused;
    const form = await newestFormOf(database.db, normaliseEmail(body.email), now);
    const message = { email: 'confirmEmail', patientId: form ?? ids.uuid(), at: now } as const;
    await database.inTransaction((tx) => enqueueAccountEmail(outbox, tx, message));
    return { success: true as const, extras: { message: text(locale, 'confirmationSent') } };
  });

  /** Requires a captcha proof, and limits how often a network or email address may ask for emails. */
  async function checkAsking(
    { email, recaptcha }: { readonly email: string; readonly recaptcha: string },
    address: string,
    now: number,
  ) {
    const unproven = await checkProof(captcha, recaptcha, now);
    if (unproven !== null) return unproven;
    return countAll(rateLimit, now, [
      [rates.registerPerAddress, address],
      [rates.mailsPerAccount, normaliseEmail(email)],
    ]);
  }
}

/** Converts the body to the form that the rules check. A body without consent passes; none is stored. */
export function formOf(body: CallInput<'register'>['body']): RegistrationForm {
  return {
    ...body,
    phone: phoneOf(body.phone),
    mobilePhone: phoneOf(body.mobilePhone),
    internationalPhone: body.internationalPhone?.trim() ?? '',
    healthCardProvince: body.healthCardProvince ?? '',
    healthCardNumber: body.healthCardNumber ?? '',
    healthCardNumberConfirm: body.healthCardNumberConfirm ?? '',
    consent: body.consent?.given ?? true,
    captcha: body.recaptcha !== '',
  };
}

/** Strips the dashes between the parts of a number; any other text stays, and the rules refuse it. */
function phoneOf(typed: string | null | undefined): string {
  const trimmed = typed?.trim() ?? '';
  return /^[\d-]*$/.test(trimmed) ? digitsOf(trimmed) : trimmed;
}

/** The body has no field for the birth date or for all phones: the first of their fields stands in. */
const API_NAMES: Readonly<Record<string, string>> = {
  birthDate: 'birthDay',
  phones: 'mobilePhone',
};

interface SignUpRequest {
  /** Accepted by `whyRegistrationRefused`. */
  readonly form: RegistrationForm;
  readonly preferredPharmacyId: string | null;
  /** The text consented to; null without consent. */
  readonly consent: AgreedText | null;
  readonly locale: Locale;
  readonly now: number;
}

/**
 * Stores the form until its link is confirmed. An address with an account costs the same: one password
 * hash and one email, which goes to its owner. Whose card it is, is checked only after the link is
 * followed, where no stranger can read the answer.
 */
export async function signUp(
  ports: Platform & { readonly hashPassword: (password: string) => Promise<string> },
  { form, preferredPharmacyId, consent, locale, now }: SignUpRequest,
): Promise<void> {
  const id = ports.ids.uuid();
  const email = normaliseEmail(form.email);
  const card = cardOf(form);
  const birthDate = calendarDate(form.birthYear, form.birthMonth, form.birthDay);
  if (birthDate === null) throw new Error('An accepted form has a birth date');
  const passwordHash = await ports.hashPassword(form.password);
  const row = {
    id,
    email,
    passwordHash,
    birthDate,
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    sex: form.gender,
    address: form.address.trim(),
    city: form.city.trim(),
    province: form.province,
    postal: form.postal.trim().toUpperCase(),
    country: form.country.trim(),
    phone: digitsOf(form.phone),
    mobilePhone: digitsOf(form.mobilePhone),
    internationalPhone: form.internationalPhone,
    cardProvince: card.province,
    ...sealedCard(ports.keyring, id, card.number).patient,
    preferredPharmacyId,
    consentVersion: consent?.version ?? null,
    consentHash: consent?.textHash ?? null,
    consentShownHash: consent?.shownHash ?? null,
    language: locale,
    createdAt: now,
    expiresAt: now + CODE_VALID_FOR.confirm,
  };
  await ports.database.inTransaction(async (tx) => {
    const known = await findOpenAccount(tx, email);
    if (known === null) await insertForm(tx, row);
    const entry =
      known === null
        ? ofPatient(id, 'signed up', now, { consented: consent !== null })
        : ofPatient(known.id, 'sign-up for a known address', now);
    await ports.appendAudit(tx, { ...entry, actor: 'visitor' });
    const message = known === null ? 'confirmEmail' : 'accountExists';
    const patientId = known?.id ?? id;
    await enqueueAccountEmail(ports.outbox, tx, { email: message, patientId, at: now });
  });
}

type Confirmed =
  'confirmed' | 'linkUsed' | 'linkNotValid' | 'passwordWrong' | 'signUpEnded' | 'cardKnown';

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
  const record = await findOwnRecord(platform, owner);
  if (record === null) return 'cardKnown';
  const facts = { owner, record, link: link.id, now };
  const attempt = (tx: Tx) => openAccount(platform, tx, facts);
  const opened = await database.inTransactionOrConflict(attempt);
  // A form with the same card was confirmed at the same moment; the second try sees its account.
  return opened.kind === 'conflict' ? database.inTransaction(attempt) : opened.value;
}

type Owner = SignUpForm & { readonly cardNumber: string };

/** 'new': the record does not exist yet; the family-doctor question opens it under this number. */
interface OwnRecord {
  readonly kind: 'linked' | 'new';
  readonly recordId: string;
}

/**
 * The record number of somebody who signs up: of the record that their card and birth date find, or a
 * new one. Null when only the clinic can tell whose the found record is, such as when its family name
 * differs.
 */
async function findOwnRecord(platform: Platform, owner: Owner): Promise<OwnRecord | null> {
  // Random, so that nobody can guess another patient's number.
  const number = `W${platform.ids.uuid().replaceAll('-', '').slice(0, 15).toUpperCase()}`;
  const fresh: OwnRecord = { kind: 'new', recordId: number };
  const { cardProvince, cardNumber, birthDate, lastName } = owner;
  if (cardNumber === '') return fresh;
  const found = await findRecord(platform, { cardProvince, cardNumber, birthDate });
  if (found.kind === 'none') return fresh;
  if (found.kind === 'many' || folded(found.record.lastName) !== folded(lastName)) return null;
  const { id: recordId } = found.record;
  const stands = platform.emr === null ? await ownRecord(platform.database.db, recordId) : null;
  const isTheirs = stands === null || standsForThem(platform, { ...stands, recordId }, owner);
  return isTheirs ? { kind: 'linked', recordId } : null;
}

/**
 * Whether a record of ours is the person's: it has their card, or a record with their card was merged
 * into it and the whole name fits, as a twin merged by mistake shares family name and birth date.
 */
function standsForThem(
  { keyring }: Platform,
  record: NonNullable<Awaited<ReturnType<typeof ownRecord>>> & { readonly recordId: string },
  { cardProvince, cardNumber, birthDate, firstName, lastName }: Owner,
): boolean {
  const { recordId, cardSealed } = record;
  const hasCard =
    record.cardProvince === cardProvince &&
    openRecordCard(keyring, recordId, cardSealed) === cardNumber;
  return (
    record.birthDate === birthDate &&
    folded(record.lastName) === folded(lastName) &&
    (hasCard || folded(record.firstName) === folded(firstName))
  );
}

const folded = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();

interface ToOpen {
  readonly owner: Owner;
  readonly record: OwnRecord;
  readonly link: string;
  readonly now: number;
}

/** Opens the account under the id of its form, and ends all forms of the address. */
async function openAccount(
  { keyring, ids, appendAudit }: Platform,
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
  const { id, email, cardProvince: province } = form;
  const { kind, recordId } = record;
  if (!isProvince(province)) throw new Error('A sign-up form names a province that has cards');
  const stillWaits = (await lockFormsOf(tx, email)).includes(id);
  if (!stillWaits || (await findOpenAccount(tx, email)) !== null) return 'linkUsed';
  const indexes = cardNumber === '' ? [] : keyring.blindIndexes('card', cardNumber);
  if (await isCardTaken(tx, { province, indexes }, recordId)) return 'cardKnown';
  if (!(await takeCode(tx, link, now))) return 'linkNotValid';
  // Sealed again with the current key, as the form's key may be retired soon.
  const { patient: card } = sealedCard(keyring, id, cardNumber);
  const eligibility = eligibilityOfCard(province);
  await insertPatient(tx, { ...form, ...card, recordId, eligibility, createdAt: now });
  if (version !== null && textHash !== null) {
    const { language, createdAt: at } = form;
    // When the clinic's text has no translation, the patient read the English one.
    const locale = shownHash === textHash ? ENGLISH.id : language;
    const agreed = { kind: 'signUp', version, textHash, locale, shownHash, at };
    await insertAgreement(tx, { id: ids.uuid(), patientId: id, ...agreed });
  }
  await endFormsOf(tx, email);
  await appendAudit(tx, ofPatient(id, 'e-mail confirmed', now, { record: kind }));
  return 'confirmed';
}
