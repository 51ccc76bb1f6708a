import { calls } from '@clinic/contract';
import { registrationText } from '@clinic/contract/identity-texts';
import { mailText } from '@clinic/contract/mail-texts';
import {
  type EpochSeconds,
  type IdentityCheck,
  calendarDate,
  digitsOf,
  eligibilityOfCard,
  isProvince,
  mailedLink,
  normaliseCardNumber,
  normaliseEmail,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { type Who, ofPatient } from '../../../security/audit.store.ts';
import { type Keyring, sealedCard } from '../../../security/keyring.ts';
import { hashPassword } from '../../../security/passwords.ts';
import { emailTime, signed } from '../../../server/email-layout.ts';
import { DONE, success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { Refusal, invalid, refuse } from '../../../server/refusal.ts';
import {
  type AccountLink,
  LINK_TRIES,
  type NewAccountLink,
  countLinkTry,
  forgetLinkTries,
  insertLink,
  keepLinkHash,
  linkOfRecord,
  linkOfToken,
  openLink,
  takeLink,
} from './account-link.store.ts';
import {
  type Decider,
  CORRECTION_BEGUN,
  NO_DECIDER,
  endCodes,
  isDecided,
  proveAddress,
  refusedByRecord,
  refusedByStanding,
  tellMailboxBefore,
} from '../address/address-change.ts';
import { insertChange } from '../address/address-change.store.ts';
import { agreedText, insertAgreement } from '../agreements.store.ts';
import { type Person, cardNumberOf, personOf } from '../open-patient.ts';
import { refusedPassword } from '../password.ts';
import {
  type Account,
  findAccount,
  findOpenAccount,
  insertPatient,
  isCardTaken,
  lockAccount,
} from '../store.ts';
import { endFormsOf } from './sign-ups.store.ts';

// links that the clinic has mailed: to the new address of an account, which takes effect once the
// link is opened, or as an invitation, with which somebody without an account opens one.

/** In seconds. */
export const LINK_VALID_FOR = 24 * 60 * 60;
const OUTBOX_KIND = 'account-link';
const CONTEXT = 'account-link';

/** The token in the mailed link: derived from the row's id, so that no table stores it. */
const tokenOf = (keyring: Pick<Keyring, 'mac'>, id: string): string =>
  Buffer.from(keyring.mac(CONTEXT, id)).toString('base64url');

async function mailLink(
  { outbox }: Platform,
  tx: Tx,
  link: Omit<NewAccountLink, 'expiresAt'>,
): Promise<void> {
  await insertLink(tx, { ...link, expiresAt: link.createdAt + LINK_VALID_FOR });
  await mailLinkAgain(outbox, tx, link.id, link.createdAt);
}

/** Mails a link, the same each time, to the address that it was made for. */
export const mailLinkAgain = (
  outbox: Platform['outbox'],
  tx: Tx,
  linkId: string,
  now: EpochSeconds,
): Promise<string> => outbox.enqueue(tx, OUTBOX_KIND, { linkId }, now);

/** Within this time the same link is asked for again because an answer was lost, and not mailed twice. */
const AGAIN_SECONDS = 120;

/** Whether such a link is on its way already. */
async function isUnderWay(
  { database }: Platform,
  link: Pick<NewAccountLink, 'kind' | 'recordId' | 'email'>,
  now: EpochSeconds,
): Promise<boolean> {
  const last = await linkOfRecord(database.db, link.recordId, now);
  return (
    last !== null &&
    last.kind === link.kind &&
    last.email === link.email &&
    now - last.createdAt < AGAIN_SECONDS
  );
}

interface NewEmail {
  readonly email: string;
  readonly checked: IdentityCheck;
  /** Staff say that the old mailbox is not the patient's. */
  readonly isMailboxLost?: boolean | undefined;
  readonly by?: Decider;
}

/**
 * Mails a link to the new address and a notice to the old one. Null when both are on their way. What the new
 * address waits for is decided by `takesEffect`.
 */
export async function correctEmail(
  platform: Platform,
  { id, recordId, email: before }: Pick<Account, 'id' | 'recordId' | 'email'>,
  { email, checked, isMailboxLost = false, by = NO_DECIDER }: NewEmail,
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, ids, appendAudit } = platform;
  if (email === normaliseEmail(before)) return invalid('email', 'emailSame');
  if ((await findOpenAccount(database.db, email)) !== null) return invalid('email', 'emailTaken');
  const asked = { kind: 'email', recordId, email } as const;
  if (await isUnderWay(platform, asked, now)) return null;
  const isReleased = isDecided(by, checked);
  if (isReleased instanceof Refusal) return isReleased;
  return database.inTransaction(async (tx) => {
    await lockAccount(tx, id);
    const refused = await refusedByStanding(tx, id, 'email', now, { by, checked });
    if (refused !== null) return refused;
    const change = { id: ids.uuid(), patientId: id, email, emailBefore: before };
    await mailLink(platform, tx, { ...asked, ...change, createdAt: now });
    const releasedAt = isReleased ? now : null;
    await insertChange(tx, { ...change, isMailboxLost, begunAt: now, releasedAt });
    // Codes that went to a mailbox that is somebody else's count no more.
    if (isMailboxLost) await endCodes(tx, id, now);
    await tellMailboxBefore(platform, tx, { changeId: change.id, said: 'begun', at: now });
    const entry = ofPatient(id, CORRECTION_BEGUN, now, {
      checked,
      ...(isMailboxLost && { isMailboxLost }),
    });
    await appendAudit(tx, { ...entry, actor });
    return null;
  });
}

/** Invites somebody without an account. Null when the invitation is on its way. */
export async function invitePatient(
  platform: Platform,
  { recordId, account }: Person,
  email: string,
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, ids, appendAudit, emr } = platform;
  if (emr !== null) return refuse('addInEmr');
  if (account?.closedAt === null) return refuse('hasAccount');
  if ((await findOpenAccount(database.db, email)) !== null) return invalid('email', 'emailTaken');
  const refused = await refusedByRecord(database.db, recordId, email, now);
  if (refused !== null) return refused;
  const asked = { kind: 'invitation', recordId, email } as const;
  if (await isUnderWay(platform, asked, now)) return null;
  await database.inTransaction(async (tx) => {
    const link = { ...asked, id: ids.uuid(), patientId: null, emailBefore: null };
    await mailLink(platform, tx, { ...link, createdAt: now });
    const subject = `record:${recordId}`;
    await appendAudit(tx, { actor, action: 'patient invited', subject, at: now });
  });
  return null;
}

/** The calls that take these links, and the emails that carry them. */
export function registerAccountLinks(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, outbox, mail, clock, config } = platform;

  // The email names nobody, as staff may have misheard the address.
  outbox.handle(OUTBOX_KIND, async ({ linkId }, key) => {
    const link =
      typeof linkId === 'string' ? await openLink(database.db, linkId, clock.now()) : null;
    if (link === null) return;
    const { id, kind, patientId, email: to, expiresAt } = link;
    const token = tokenOf(keyring, id);
    await database.inTransaction((tx) => keepLinkHash(tx, id, keyring.blindIndex(CONTEXT, token)));
    const account = patientId && (await findAccount(database.db, { id: patientId }));
    const locale = (account || null)?.language ?? ENGLISH.id;
    const isInvitation = kind === 'invitation';
    const say = (code: Parameters<typeof mailText>[1]) => mailText(locale, code);
    const subject = say(isInvitation ? 'invitedSubject' : 'newEmailSubject');
    const written = signed(locale, config.clinic, subject, [
      say(isInvitation ? 'invited' : 'newEmail'),
      {
        label: say(isInvitation ? 'invitedHere' : 'newEmailHere'),
        link: mailedLink(config.publicUrl, 'account', token),
      },
      mailText(locale, 'confirmValid', { until: emailTime(locale, expiresAt) }),
      say('linkAsks'),
      say('linkNotYou'),
    ]);
    await mail.send({ key: `account-link:${key}`, to, ...written });
  });

  /** The link of a token, and its person; null when the link cannot be opened. */
  async function found(token: string, now: EpochSeconds) {
    const hashes = keyring.blindIndexes(CONTEXT, token);
    const link = await linkOfToken(database.db, hashes, now);
    const person = link && (await personOf(database.db, link.patientId ?? link.recordId));
    if (link === null || person === null) return null;
    // The account was closed meanwhile, or the invited person has opened one by signing up.
    const isOver =
      link.kind === 'email' ? person.account?.closedAt !== null : person.account?.closedAt === null;
    return isOver ? null : { link, person };
  }

  route(app, calls.readAccountLink, async ({ body, now }) => {
    const opened = await found(body.token, now);
    if (opened === null) return refuse('accountLinkOver');
    const { link, person } = opened;
    const { kind, email } = link;
    const asksForCard = kind === 'invitation' && person.cardSealed !== null;
    return success({ kind, email, asksForCard });
  });

  route(app, calls.acceptAccountLink, async ({ body, locale, now }) => {
    const opened = await found(body.token, now);
    if (opened === null) return refuse('accountLinkOver');
    const { link, person } = opened;
    const cardNumber = cardNumberOf(platform, person);
    // A form without a date or a card is no guess, and uses up no try.
    if (dateIn(body) === null) return invalid('birthDate', 'dateNotValid');
    if (asksCard(link, cardNumber) && !body.card?.trim()) return cardMissing();
    // The try is counted and committed before it is checked, so that parallel guesses count.
    const tries = await database.inTransaction((tx) => countLinkTry(tx, link.id));
    if (tries > LINK_TRIES) return refuse('accountLinkOver');
    if (!isPerson(person, cardNumber, link, body))
      return refuse(tries === LINK_TRIES ? 'accountLinkOver' : 'accountLinkRefused');
    await database.inTransaction((tx) => forgetLinkTries(tx, link.id));
    const done = await (link.kind === 'email'
      ? proveAddress(platform, link, now)
      : openInvited(platform, opened, { body, locale, now }));
    if (typeof done === 'number') return success({ countsFrom: done });
    return done ?? DONE;
  });
}

type Accepting = Pick<RequestContext<typeof calls.acceptAccountLink>, 'body' | 'locale' | 'now'>;
type Accepted = Accepting['body'];

const dateIn = ({ birthYear, birthMonth, birthDay }: Accepted) =>
  calendarDate(birthYear, birthMonth, birthDay);

/** An invitation asks for the card where the clinic has one. */
const asksCard = ({ kind }: AccountLink, cardNumber: string): boolean =>
  kind === 'invitation' && cardNumber !== '';

function isPerson(
  { birthDate, cardProvince }: Person,
  cardNumber: string,
  link: AccountLink,
  body: Accepted,
): boolean {
  if (dateIn(body) !== birthDate) return false;
  if (!asksCard(link, cardNumber)) return true;
  const typed = body.card?.trim() ?? '';
  const number = isProvince(cardProvince) ? normaliseCardNumber(cardProvince, typed) : typed;
  // Some fields take only digits, so a card typed without its other characters fits, too.
  return typed !== '' && (number === cardNumber || typed === digitsOf(cardNumber));
}

/** Opens the account, whose first page asks for the rest of the sign-up form. Null when it is open. */
async function openInvited(
  platform: Platform,
  { link, person }: { readonly link: AccountLink; readonly person: Person },
  { body, locale, now }: Accepting,
): Promise<Refusal | null> {
  const { database, keyring, ids, config, appendAudit } = platform;
  const { id } = link;
  const cardNumber = cardNumberOf(platform, person);
  // A link of an older version may have its domain in Unicode.
  const email = normaliseEmail(link.email);
  const { recordId, firstName, lastName, birthDate, cardProvince: province } = person;
  const password = body.password ?? '';
  const badPassword = refusedPassword('password', password, { firstName, lastName, email });
  if (badPassword !== null) return badPassword;
  const agreed = await agreedText(database.db, 'signUp', locale);
  if (body.consent?.given !== true) return invalid('consent', 'consentMissing');
  if (body.consent.version !== agreed.version) return invalid('consent', 'agreementOutdated');
  if (!isProvince(province)) throw new Error('A record names a province that has cards');
  const passwordHash = await hashPassword(password, config.passwordCost);
  const outcome = await database.inTransactionOrConflict(async (tx) => {
    if ((await findOpenAccount(tx, email)) !== null) return refuse('emailTaken');
    const indexes = cardNumber === '' ? [] : keyring.blindIndexes('card', cardNumber);
    if (await isCardTaken(tx, { province, indexes }, recordId)) return refuse('invitedCardKnown');
    // An account of the record that was closed meanwhile may be in dispute.
    if ((await refusedByRecord(tx, recordId, email, now)) !== null)
      return refuse('accountLinkOver');
    if (!(await takeLink(tx, id, now))) return refuse('accountLinkOver');
    await insertPatient(tx, {
      ...NOT_ASKED_YET,
      ...sealedCard(keyring, id, cardNumber).patient,
      id,
      email,
      passwordHash,
      firstName,
      lastName,
      birthDate,
      recordId,
      cardProvince: province,
      eligibility: eligibilityOfCard(province),
      language: locale,
      shouldUpdate: true,
      createdAt: now,
    });
    const kept = { id: ids.uuid(), patientId: id, kind: 'signUp', ...agreed, at: now };
    await insertAgreement(tx, kept);
    await endFormsOf(tx, email, now);
    await appendAudit(tx, ofPatient(id, 'invitation accepted', now, { record: recordId }));
    return null;
  });
  // Somebody signed up with the address or the card at the same moment.
  return outcome.kind === 'conflict' ? refuse('accountLinkOver') : outcome.value;
}

/** Empty until the first page of the account asks for these details. */
const NOT_ASKED_YET = {
  sex: '',
  address: '',
  city: '',
  province: '',
  postal: '',
  country: 'Canada',
};

const cardMissing = () => {
  const problem = { field: 'healthCardNumber', code: 'missing' } as const;
  const message = (locale: Locale) => registrationText(locale, problem);
  return refuse('invalidInput', { errors: [{ field: 'card', message }] });
};
