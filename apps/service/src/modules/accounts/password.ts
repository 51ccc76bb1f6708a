import { type CallInput, calls } from '@clinic/contract';
import { passwordText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import {
  calendarDate,
  digitsOf,
  isOwnNameOrEmail,
  isProvince,
  normaliseCardNumber,
  normaliseEmail,
  whyPasswordRefused,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { hasDone, ofPatient } from '../../security/audit.store.ts';
import {
  CODE_VALID_FOR,
  RESET_TRIES,
  countTry,
  endCode,
  isCode,
  issueCode,
  latestCode,
  readResetCode,
  takeCode,
} from '../../security/one-time-codes.store.ts';
import { forgetDevices } from '../../security/known-devices.store.ts';
import { hashPassword, isCommonPassword, passwordMatches } from '../../security/passwords.ts';
import { openCard } from '../../security/keyring.ts';
import { checkProof } from '../../server/ports.ts';
import { success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import {
  type Asking,
  countGuess,
  knownBrowserOf,
  knownBrowserSubject,
  placeOf,
} from '../../server/known-browser.ts';
import type { CountUses } from '../../server/rate-limit.store.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { standingOfAddress } from './address/address-change.store.ts';
import { EMAILS_ARRIVE } from './address/bounces.ts';
import { enqueueAccountEmail } from './account-emails.ts';
import { type Account, findAccount, isPasswordStill, updatePatient } from './store.ts';

/** Within this time the same change is asked for again because its answer was lost. */
const AGAIN_SECONDS = 600;

/**
 * Setting a new password. A patient who forgot the old one identifies themselves and is mailed a code;
 * a signed-in patient gives the old one.
 */
export function registerPasswords(app: FastifyInstance, platform: Platform): void {
  const { captcha, rateLimit, config, database, sessions, appendAudit, outbox, ids } = platform;
  const { rates } = config;

  route(app, calls.validateRecovery, async ({ body, locale, now, ...asking }) => {
    const unproven = await checkProof(captcha, body.recaptcha, now);
    if (unproven !== null) return unproven;
    const email = normaliseEmail(body.email);
    const refused = await identify(platform, body, { ...asking, email, now });
    return refused ?? recovered(locale, 'identityConfirmed');
  });

  // Strangers' requests never use up the owner's limits: a mail is counted at the identity check that it
  // is sent for, and each code has five guesses of its own.
  route(app, calls.sendResetCode, async ({ body, locale, now, ...asking }) => {
    const account = await findAccount(database.db, { email: body.email });
    const place = await placeOf(platform, { ...asking, personId: account?.id ?? null, now });
    const counted = await asking.countUses([[rates.recoveryPerAddress, place]]);
    if (counted instanceof Refusal) return counted;
    // Mailed to an identified owner, once. For anybody else it writes the same row and mails nothing.
    const nobody = ids.uuid();
    await database.inTransaction(async (tx) => {
      const mark = await latestCode(tx, 'recovery', account?.id ?? nobody, now);
      const isFirst = mark !== null && (await takeCode(tx, mark.id, now));
      const patientId = isFirst ? mark.patientId : nobody;
      await enqueueAccountEmail(outbox, tx, { email: 'resetCode', patientId, at: now });
    });
    return recovered(locale, 'resetCodeSent');
  });

  route(app, calls.resetPassword, async ({ body, deviceToken, locale, now, ...asking }) => {
    const email = normaliseEmail(body.email);
    const badPassword = refusedPassword('password', body.password, null);
    if (badPassword !== null) return badPassword;
    const account = await findAccount(database.db, { email: body.email });
    const whose = { ...asking, deviceToken, personId: account?.id ?? null, now };
    const place = await placeOf(platform, whose);
    const counted = await asking.countUses([[rates.recoveryPerAddress, place]]);
    if (counted instanceof Refusal) return counted;
    const refused = await resetPassword(platform, account, { ...body, now });
    if (refused !== null) return refused;
    // The owner may sign in at once: earlier guesses were at the old password.
    await rateLimit.forgive(rates.loginPerAccount, email);
    if (account !== null && deviceToken !== null)
      await rateLimit.forgive(rates.loginPerAccount, knownBrowserSubject(account.id, deviceToken));
    return recovered(locale, 'passwordReset');
  });

  route(
    app,
    calls.changePassword,
    async ({ body, patient, deviceToken, countUses, locale, now }) => {
      const { currentPassword, newPassword } = body;
      const { id } = patient;
      const account = await findAccount(database.db, { id });
      if ((await standingOfAddress(database.db, id, now)).isWatched)
        return refuse('accountWatched');
      const badPassword = refusedPassword('newPassword', newPassword, account);
      if (badPassword !== null) return badPassword;
      // Counted apart from guesses at the sign-in, so that strangers keep nobody from a new password.
      const guess = await countUses([[rates.loginPerAccount, `patient:${id}`]]);
      if (guess instanceof Refusal) return guess;
      guess.begun();
      const wrong = invalid('currentPassword', 'passwordWrong');
      const done = success({ message: text(locale, 'passwordChanged') });
      if (account === null) return wrong;
      if (!(await passwordMatches(currentPassword, account.passwordHash))) {
        // Asked again after a lost answer: the new password is the current one by now. Compared only after
        // a change, so that it is no second guess for a user who does not know the password.
        const change = ofPatient(id, 'password changed', now);
        const isChanged = await hasDone(database.db, change, now - AGAIN_SECONDS);
        if (!isChanged || !(await passwordMatches(newPassword, account.passwordHash))) return wrong;
        await guess.giveBack();
        return done;
      }
      await guess.giveBack();
      const passwordHash = await hashPassword(newPassword, config.passwordCost);
      return database.inTransaction(async (tx) => {
        if (!(await isPasswordStill(tx, account))) return wrong;
        await updatePatient(tx, id, { passwordHash });
        await sessions.endAll(tx, id, now, patient);
        await forgetDevices(tx, id, deviceToken);
        await appendAudit(tx, ofPatient(id, 'password changed', now));
        await enqueueAccountEmail(outbox, tx, { email: 'passwordChanged', patientId: id, at: now });
        return done;
      });
    },
  );
}

/** Refuses a password that nobody, or not this owner, may choose; null when it may be chosen. */
export function refusedPassword(
  field: string,
  password: string,
  owner: Pick<Account, 'firstName' | 'lastName' | 'email'> | null,
): Refusal | null {
  const isCommon = isCommonPassword(password) || (owner && isOwnNameOrEmail(password, owner));
  const why = whyPasswordRefused(password) ?? (isCommon ? 'tooCommon' : null);
  return (
    why && refuse('invalidInput', { errors: [{ field, message: (to) => passwordText(to, why) }] })
  );
}

function recovered(locale: Locale, code: 'identityConfirmed' | 'resetCodeSent' | 'passwordReset') {
  return { success: true as const, status: true as const, extras: { message: text(locale, code) } };
}

type TypedDetails = CallInput<'validateRecovery'>['body'];

/**
 * Null when the details fit, and one refusal for whatever does not fit. A fit is kept for 15 minutes and
 * allows one mail, which is counted here, so that only the owner is ever told of too many mails.
 */
async function identify(
  platform: Platform,
  typed: TypedDetails,
  asking: Omit<Asking, 'personId'> & { readonly email: string; readonly countUses: CountUses },
): Promise<Refusal | null> {
  const { database, keyring, ids, config } = platform;
  const { email, now, countUses } = asking;
  const { recoveryPerAccount: perAccount, recoveryPerAddress: perAddress } = config.rates;
  const account = await findAccount(database.db, { email: typed.email });
  const known = await knownBrowserOf(platform, { ...asking, personId: account?.id ?? null });
  const guess = await countGuess({ perAccount, perAddress }, { ...asking, known });
  if (guess instanceof Refusal) return guess;
  guess.begun();
  if (account === null) return refuse('recoveryRefused');
  const cardNumber = openCard(keyring, account.id, account.cardSealed);
  if (!isOwner(account, cardNumber, typed)) return refuse('recoveryRefused');
  await guess.giveBack();
  // Only a user who knows the details is told.
  if (!(await standingOfAddress(database.db, account.id, now)).recovers)
    return refuse('recoveryOff');
  const mail = await countUses([[config.rates.resetMailsPerAccount, email]]);
  if (mail instanceof Refusal) return mail;
  const id = ids.uuid();
  const code = { id, patientId: account.id, secret: id, now, validFor: CODE_VALID_FOR.recovery };
  await database.inTransaction((tx) => {
    database.afterCommit(mail.begun);
    return issueCode(tx, keyring, { ...code, purpose: 'recovery' });
  });
  return null;
}

/** Whether the full birth date fits, and the card number when one was given. */
function isOwner(
  { birthDate, cardProvince }: Account,
  cardNumber: string,
  { birthYear, birthMonth, birthDay, hin }: TypedDetails,
): boolean {
  if (calendarDate(birthYear, birthMonth, birthDay) !== birthDate) return false;
  const typed = hin?.trim() ?? '';
  if (typed === '') return true;
  if (cardNumber === '' || !isProvince(cardProvince)) return false;
  // The field takes digits only, so the letters of a card may be missing.
  return normaliseCardNumber(cardProvince, typed) === cardNumber || typed === digitsOf(cardNumber);
}

/**
 * Null when the password is set. The guess is counted and committed before it is judged, so that
 * parallel guesses count and the sixth is refused even when it is right. A new password ends every
 * session.
 */
async function resetPassword(
  platform: Platform,
  account: Account | null,
  { code, password, now }: CallInput<'resetPassword'>['body'] & { readonly now: number },
): Promise<Refusal | null> {
  const { database, keyring, ids, sessions, appendAudit, outbox, config } = platform;
  const patientId = account?.id ?? ids.uuid();
  const waiting = await latestCode(database.db, 'reset', patientId, now);
  if (waiting === null) return refuse('resetRefused');
  if (!(await standingOfAddress(database.db, patientId, now)).recovers)
    return refuse('resetRefused');
  const tries = await database.inTransaction((tx) => countTry(tx, waiting.id));
  const guessed = `${patientId}:${readResetCode(code)}`;
  const fits = isCode(keyring, waiting, guessed);
  if (tries > RESET_TRIES || !fits) return refuse('resetRefused');
  // Checked only after the code, as a refusal may reveal the owner's name.
  const badPassword = refusedPassword('password', password, account);
  if (badPassword !== null) return badPassword;
  const passwordHash = await hashPassword(password, config.passwordCost);
  return database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, waiting.id, now))) return refuse('resetRefused');
    await updatePatient(tx, patientId, { passwordHash, passwordResetAt: now, ...EMAILS_ARRIVE });
    await endCode(tx, 'recovery', patientId, now);
    await sessions.endAll(tx, patientId, now);
    // A browser of the account may have made the guesses, so none is known from now on.
    await forgetDevices(tx, patientId);
    await appendAudit(tx, ofPatient(patientId, 'password reset', now));
    await enqueueAccountEmail(outbox, tx, { email: 'passwordChanged', patientId, at: now });
    return null;
  });
}
