import { type CallInput, calls } from '@clinic/contract';
import { mailText } from '@clinic/contract/mail-texts';
import {
  type EpochSeconds,
  type IdentityCheck,
  calendarDate,
  digitsOf,
  eligibilityOfCard,
  isEmail,
  isProvince,
  normaliseCardNumber,
  normaliseEmail,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import { type Keyring, sealedCard } from '../../security/keyring.ts';
import { endCode } from '../../security/one-time-codes.store.ts';
import { hashPassword } from '../../security/passwords.ts';
import { emailTime, signed } from '../../server/emails.ts';
import { route } from '../../server/http.ts';
import { type Refusal, invalid, refuse } from '../../server/refusal.ts';
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
import { agreedText, insertAgreement } from './agreements.store.ts';
import { enqueueAccountEmail } from './emails.ts';
import { type Person, cardNumberOf, personOf } from './open-patient.ts';
import { refusedPassword } from './password.ts';
import {
  type Account,
  endFormsOf,
  findAccount,
  findOpenAccount,
  insertPatient,
  isCardTaken,
  updatePatient,
} from './store.ts';

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
  await outbox.enqueue(tx, OUTBOX_KIND, { linkId: link.id }, link.createdAt);
}

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

/** Mails a link to the new address and a notice to the old one. Null when both are on their way. */
export async function correctEmail(
  platform: Platform,
  { id, recordId, email: before }: Pick<Account, 'id' | 'recordId' | 'email'>,
  { email: typed, checked }: { readonly email: string; readonly checked: IdentityCheck },
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, ids, appendAudit, outbox } = platform;
  const email = normaliseEmail(typed);
  if (!isEmail(email)) return invalid('email');
  if (email === before) return invalid('email', 'emailSame');
  if ((await findOpenAccount(database.db, email)) !== null) return invalid('email', 'emailTaken');
  if (await isUnderWay(platform, { kind: 'email', recordId, email }, now)) return null;
  await database.inTransaction(async (tx) => {
    const linkId = ids.uuid();
    await mailLink(platform, tx, {
      id: linkId,
      kind: 'email',
      patientId: id,
      recordId,
      email,
      emailBefore: before,
      createdAt: now,
    });
    const told = { email: 'emailChanging', patientId: id, linkId, at: now } as const;
    await enqueueAccountEmail(outbox, tx, told);
    const entry = ofPatient(id, 'email correction begun', now, { checked });
    await appendAudit(tx, { ...entry, actor });
  });
  return null;
}

/** Invites somebody without an account. Null when the invitation is on its way. */
export async function invitePatient(
  platform: Platform,
  { recordId, account }: Person,
  typed: string,
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, ids, appendAudit, emr } = platform;
  if (emr !== null) return refuse('addInEmr');
  if (account?.closedAt === null) return refuse('hasAccount');
  const email = normaliseEmail(typed);
  if (!isEmail(email)) return invalid('email');
  if ((await findOpenAccount(database.db, email)) !== null) return invalid('email', 'emailTaken');
  if (await isUnderWay(platform, { kind: 'invitation', recordId, email }, now)) return null;
  await database.inTransaction(async (tx) => {
    const id = ids.uuid();
    const createdAt = now;
    await mailLink(platform, tx, {
      id,
      kind: 'invitation',
      patientId: null,
      recordId,
      email,
      emailBefore: null,
      createdAt,
    });
    const subject = `record:${recordId}`;
    await appendAudit(tx, { actor, action: 'patient invited', subject, at: now });
  });
  return null;
}

/** The calls that take these links, and the emails that carry them. */
export function registerAccountLinks(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, rateLimit, outbox, mail, clock, config } = platform;
  const { recoveryPerAddress } = config.rates;

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
    const said = (code: Parameters<typeof mailText>[1]) => mailText(locale, code);
    const written = signed(
      locale,
      config.clinic,
      said(isInvitation ? 'invitedSubject' : 'newEmailSubject'),
      [
        said(isInvitation ? 'invited' : 'newEmail'),
        {
          label: said(isInvitation ? 'invitedHere' : 'newEmailHere'),
          // The token follows the '#', because browsers never send that part to a server.
          link: `${config.publicUrl}/confirm/account#${token}`,
        },
        mailText(locale, 'confirmValid', { until: emailTime(locale, expiresAt) }),
        said('linkAsks'),
        said('linkNotYou'),
      ],
    );
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

  route(app, calls.readAccountLink, async ({ body, address, now }) => {
    const tooMany = await rateLimit.use(recoveryPerAddress, address, now);
    if (tooMany !== null) return tooMany;
    const opened = await found(body.token, now);
    if (opened === null) return refuse('accountLinkOver');
    const { link, person } = opened;
    const kind = kindOf(link);
    const asksForCard = kind === 'invitation' && person.cardSealed !== null;
    return { success: true as const, extras: { kind, email: link.email, asksForCard } };
  });

  route(app, calls.acceptAccountLink, async ({ body, address, locale, now }) => {
    const tooMany = await rateLimit.use(recoveryPerAddress, address, now);
    if (tooMany !== null) return tooMany;
    const opened = await found(body.token, now);
    if (opened === null) return refuse('accountLinkOver');
    const { link, person } = opened;
    const cardNumber = cardNumberOf(platform, person);
    // A form without a date or a card is no guess, and uses up no try.
    if (dateIn(body) === null) return invalid('birthDate');
    if (asksCard(link, cardNumber) && !body.card?.trim()) return invalid('card');
    // The try is counted and committed before it is checked, so that parallel guesses count.
    const tries = await database.inTransaction((tx) => countLinkTry(tx, link.id));
    if (tries > LINK_TRIES) return refuse('accountLinkOver');
    if (!isPerson(person, cardNumber, link, body))
      return refuse(tries === LINK_TRIES ? 'accountLinkOver' : 'accountLinkRefused');
    await database.inTransaction((tx) => forgetLinkTries(tx, link.id));
    const done = await (link.kind === 'email'
      ? takeNewEmail(platform, link, now)
      : openInvited(platform, { link, person, cardNumber, body, locale, now }));
    return done ?? { success: true as const };
  });
}

const kindOf = ({ kind }: Pick<AccountLink, 'kind'>) =>
  kind === 'email' ? ('email' as const) : ('invitation' as const);

type Accepted = CallInput<'acceptAccountLink'>['body'];

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
  const said = body.card?.trim() ?? '';
  const number = isProvince(cardProvince) ? normaliseCardNumber(cardProvince, said) : said;
  // Some fields take only digits, so a card typed without its other characters fits, too.
  return said !== '' && (number === cardNumber || said === digitsOf(cardNumber));
}

/** Moves the account to its new address, and ends sessions and codes mailed to the old. Null when done. */
async function takeNewEmail(
  { database, sessions, appendAudit }: Platform,
  { id, patientId, email }: AccountLink,
  now: EpochSeconds,
): Promise<Refusal | null> {
  if (patientId === null) return refuse('accountLinkOver');
  const outcome = await database.inTransactionOrConflict(async (tx) => {
    if ((await findOpenAccount(tx, email)) !== null) return refuse('emailTaken');
    if (!(await takeLink(tx, id, now))) return refuse('accountLinkOver');
    await updatePatient(tx, patientId, { email });
    await endFormsOf(tx, email);
    await endCode(tx, 'reset', patientId, now);
    await endCode(tx, 'recovery', patientId, now);
    await sessions.endAll(tx, patientId, now);
    await appendAudit(tx, ofPatient(patientId, 'email changed', now));
    return null;
  });
  // Somebody signed up with the address at the same moment.
  return outcome.kind === 'conflict' ? refuse('emailTaken') : outcome.value;
}

interface Invited {
  readonly link: AccountLink;
  readonly person: Person;
  readonly cardNumber: string;
  readonly body: Accepted;
  readonly locale: Locale;
  readonly now: EpochSeconds;
}

/** Opens the account, whose first page asks for the rest of the sign-up form. Null when it is open. */
async function openInvited(
  { database, keyring, ids, config, appendAudit }: Platform,
  { link, person, cardNumber, body, locale, now }: Invited,
): Promise<Refusal | null> {
  const { id, email } = link;
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
    if (await isCardTaken(tx, { province, indexes }, recordId)) return refuse('cardKnown');
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
    await endFormsOf(tx, email);
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
