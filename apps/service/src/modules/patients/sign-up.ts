import { type CallInput, calls } from '@clinic/contract';
import { passwordText, registrationText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import {
  type RegistrationForm,
  type UnsureChart,
  calendarDate,
  cardOf,
  eligibilityOfCard,
  isProvince,
  isSameName,
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
import type { CountUses, RateUse } from '../../server/rate-limit.store.ts';
import { phoneColumns, whyPhoneRefused } from '../../server/phones.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { findRecord, ownRecord, takeChart, waitUnclear } from '../records/index.ts';
import { mailLinkAgain } from './account-link.ts';
import { openLinksTo } from './account-link.store.ts';
import { refusedByRecord } from './address-change.ts';
import { type AgreedText, agreedText, insertAgreement } from './agreements.store.ts';
import { isChartGivenUp, whyItIsUnsure } from './charts.ts';
import { enqueueAccountEmail } from './emails.ts';
import { cardIndexes, lockPerson } from './likely.store.ts';
import {
  SIGN_UP_TRIES,
  type SignUpForm,
  countPasswordTry,
  endFormsOf,
  findOpenAccount,
  firstFormOf,
  forgetPasswordTries,
  insertForm,
  insertPatient,
  isCardTaken,
  lockFormsOf,
  newestFormOf,
  noteRefusedSignUp,
  signUpForm,
} from './store.ts';

/** Sign-up: the form is stored and its link mailed; following the link opens the account. */
export function registerSignUp(app: FastifyInstance, platform: Platform): void {
  const { captcha, database, outbox, ids, config } = platform;
  const { rates } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, config.passwordCost),
  };

  route(app, calls.register, async ({ body, locale, now, ...asking }) => {
    const form = formOf(body);
    const errors = whyRegistrationRefused(form, toClinic(now).date, whyPhoneRefused).map(
      (problem) => ({
        field: API_NAMES[problem.field] ?? problem.field,
        message: (locale: Locale) => registrationText(locale, problem),
      }),
    );
    if (isCommonPassword(form.password) && !errors.some(({ field }) => field === 'password'))
      errors.push({ field: 'password', message: (to) => passwordText(to, 'tooCommon') });
    if (errors.length > 0) return refuse('registrationRefused', { errors });
    const agreed = await agreedText(database.db, 'signUp', locale);
    if (body.consent && body.consent.version !== agreed.version)
      return invalid('consent', 'agreementOutdated');
    const preferredPharmacyId = body.preferredPharmacy || null;
    if (preferredPharmacyId !== null && !(await findPharmacy(database.db, preferredPharmacyId)))
      return invalid('preferredPharmacy', 'notInTheList');
    const asks = await checkAsking(body, asking, now);
    if (asks instanceof Refusal) return asks;
    // A form is not refused for what others sent to its address: its email waits, and lists it with theirs.
    const mail = await asking.countUses([mailTo(body.email)]);
    const isLate = mail instanceof Refusal;
    const consent = body.consent?.given === true ? agreed : null;
    await signUp(ports, {
      form,
      preferredPharmacyId,
      consent,
      locale,
      now,
      mail: isLate
        ? { begun: asks.begun, dueAt: now + (mail.details.retryAfter ?? 0), isLate }
        : { begun: mail.begun, dueAt: now, isLate },
    });
    const extras = { message: text(locale, 'registered') };
    return { success: true as const, extras, data: { success: true as const, extras } };
  });

  route(app, calls.confirmEmail, async ({ body, locale, now }) => {
    const outcome = await confirmEmail(platform, { ...body, now });
    if (outcome === 'passwordWrong') return invalid('password', 'signUpPasswordWrong');
    if (outcome === 'waits' || outcome === 'cardKnown') platform.realtime.sayToDesk();
    if (outcome !== 'confirmed' && outcome !== 'waits') return refuse(outcome);
    const said = outcome === 'waits' ? 'emailConfirmedWaits' : 'emailConfirmed';
    return { success: true as const, extras: { message: text(locale, said) } };
  });

  route(app, calls.resendConfirmation, async ({ body, locale, now, ...asking }) => {
    const mail = await checkAsking(body, asking, now, [mailTo(body.email)]);
    if (mail instanceof Refusal) return mail;
    const form = await newestFormOf(database.db, body.email, now);
    const links = await openLinksTo(database.db, body.email, now);
    await database.inTransaction(async (tx) => {
      database.afterCommit(mail.begun);
      for (const { id } of links) await mailLinkAgain(outbox, tx, id, now);
      // Without any, a row that sends nothing costs the same (S-7).
      if (form === null && links.length > 0) return;
      const patientId = form ?? ids.uuid();
      await enqueueAccountEmail(outbox, tx, { email: 'confirmEmail', patientId, at: now });
    });
    return { success: true as const, extras: { message: text(locale, 'confirmationSent') } };
  });

  const mailTo = (email: string): RateUse => [rates.mailsPerAccount, normaliseEmail(email)];

  /** Requires a captcha proof, and limits how often a network may ask, and what else is said. */
  async function checkAsking(
    { recaptcha }: { readonly recaptcha: string },
    { address, countUses }: { readonly address: string; readonly countUses: CountUses },
    now: number,
    more: readonly RateUse[] = [],
  ) {
    const unproven = await checkProof(captcha, recaptcha, now);
    if (unproven !== null) return unproven;
    return countUses([[rates.registerPerAddress, address], ...more]);
  }
}

/** Converts the body to the form that the rules check. A body without consent passes; none is stored. */
export function formOf(body: CallInput<'register'>['body']): RegistrationForm {
  return {
    ...body,
    phone: body.phone ?? '',
    mobilePhone: body.mobilePhone ?? '',
    internationalPhone: body.internationalPhone ?? '',
    healthCardProvince: body.healthCardProvince ?? '',
    healthCardNumber: body.healthCardNumber ?? '',
    healthCardNumberConfirm: body.healthCardNumberConfirm ?? '',
    consent: body.consent?.given ?? true,
    captcha: body.recaptcha !== '',
  };
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
  readonly mail: {
    /** Called once the email will be sent. */
    readonly begun: () => void;
    readonly dueAt: number;
    /** The address has had its emails of the hour; this one counts when it is sent. */
    readonly isLate: boolean;
  };
}

/**
 * Stores the form until its link is confirmed. An address with an account costs the same: one password
 * hash and one email, which goes to its owner. Whose card it is, is checked only after the link is
 * followed, where no stranger can read the answer.
 */
export async function signUp(
  ports: Platform & { readonly hashPassword: (password: string) => Promise<string> },
  { form, preferredPharmacyId, consent, locale, now, mail }: SignUpRequest,
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
    ...phoneColumns(form),
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
    ports.database.afterCommit(mail.begun);
    const known = await findOpenAccount(tx, email);
    if (known === null) await insertForm(tx, row);
    const entry =
      known === null
        ? ofPatient(id, 'signed up', now, { consented: consent !== null })
        : ofPatient(known.id, 'sign-up for a known address', now);
    await ports.appendAudit(tx, { ...entry, actor: 'visitor' });
    const message = known === null ? 'confirmEmail' : 'accountExists';
    // Late emails of an address are of one subject, so that one of them is sent, and lists all forms.
    const first = mail.isLate ? await firstFormOf(tx, email, mail.dueAt) : null;
    const patientId = known?.id ?? first ?? id;
    const late = mail.isLate ? { isLate: true } : {};
    await enqueueAccountEmail(
      ports.outbox,
      tx,
      { email: message, patientId, at: now, ...late },
      mail.dueAt,
    );
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

type Owner = SignUpForm & { readonly cardNumber: string };

/**
 * 'new': the record does not exist yet; the family-doctor question opens it under this number. 'unsure': as
 * new, but the EMR has charts that may be theirs, and staff say which is.
 */
type OwnRecord =
  | { readonly kind: 'linked' | 'new'; readonly recordId: string }
  | { readonly kind: 'unsure'; readonly recordId: string; readonly why: UnsureChart | null };

/**
 * The record number of somebody who signs up: of the record that their card and birth date find, or a
 * new one. Null when only the clinic can tell whose the found record is, such as when its family name
 * differs; where an EMR has it, the account waits for the clinic instead.
 */
async function findOwnRecord(
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
 * Whether a record of ours is the person's: it has their card, or a record with their card was merged
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
  // Whoever books for the chart, or gives it to somebody else, waits; it may be somebody's by now.
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
