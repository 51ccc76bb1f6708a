import { type ApiPasskeyShown, deskCalls } from '@clinic/contract';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { hasDone, timesDone } from '../../security/audit.store.ts';
import { deviceTokenFor, keepDevice } from '../../security/known-devices.store.ts';
import { hashPassword, passwordCheck } from '../../security/passwords.ts';
import { totpStep, totpUri } from '../../security/totp.ts';
import { DONE, WithCookie, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import {
  type Asking,
  countGuess,
  deviceCookie,
  knownBrowserOf,
} from '../../server/known-browser.ts';
import { checkProof } from '../../server/ports.ts';
import type { CountUses } from '../../server/rate-limit.store.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { deviceOf } from '../accounts/index.ts';
import { deskCookie } from './authorize-staff.ts';
import {
  type Factor,
  codeShown,
  newRecoveryCodes,
  recoveryCodeShown,
  recoveryHash,
  sealSecret,
  secretOfInvitation,
  secretsOfInvitation,
} from './second-factor.ts';
import { OUTBOX_KIND, invitationHashes, ofStaff } from './members.ts';
import { guessInSession, refusedStaffPassword } from './own-sign-in.ts';
import { inSession, passkeyShown, toSignIn } from './passkeys.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { SESSION_LIMIT, type StaffSessions, locksAt } from './sessions.store.ts';
import {
  type StaffMember,
  lockStaff,
  openInvitation,
  setFactors,
  setLanguage,
  staffByEmail,
  staffById,
  takeInvitation,
} from './store.ts';

interface SignInPorts extends Platform {
  readonly staffSessions: StaffSessions;
  /** Whether the password fits; takes the same time when none is stored (null). */
  readonly fits: (password: string, stored: string | null) => Promise<boolean>;
}

/** Signing in and out, locking and unlocking a screen, and accepting an invitation. */
export function registerStaffSignIn(
  app: FastifyInstance,
  platform: Platform,
  staffSessions: StaffSessions,
): void {
  const { database, keyring, config, ids, appendAudit } = platform;
  const cookie = deskCookie(config.publicUrl);
  const devices = deviceCookie(config.publicUrl);
  const fits = passwordCheck(config.passwordCost, () => ids.token());
  const ports: SignInPorts = { ...platform, staffSessions, fits };

  route(app, deskCalls.deskSignIn, async ({ body, cookies, userAgent, ...asked }) => {
    const { address, deviceToken, countUses, now } = asked;
    const browser = { former: cookie.read(cookies), name: deviceOf(userAgent) };
    const asking = { address, deviceToken, now, countUses, browser };
    const signedIn = await signIn(ports, { ...body, ...asking });
    if (signedIn instanceof Refusal) return signedIn;
    const { member, token, device } = signedIn;
    const session = { ...member, createdAt: now, lastActiveAt: now, isLocked: false };
    return new WithCookie(answered(session), cookie.set(token), devices.set(device));
  });

  route(app, deskCalls.deskSession, async ({ staff, now, isBackground }) =>
    answered({ ...staff, lastActiveAt: isBackground || staff.isLocked ? staff.lastActiveAt : now }),
  );

  route(app, deskCalls.deskLock, async ({ staff, now }) => {
    await database.inTransaction(async (tx) => {
      await staffSessions.lock(tx, staff, now);
      await appendAudit(tx, ofStaff(staff.id, 'screen locked', now));
    });
    return DONE;
  });

  route(app, deskCalls.deskUnlock, async ({ body, staff, countUses, now }) => {
    const refused = await unlock(ports, staff, { ...body, countUses }, now);
    return refused ?? answered({ ...staff, lastActiveAt: now, isLocked: false });
  });

  route(app, deskCalls.deskChooseLanguage, async ({ body, staff }) => {
    await setLanguage(database.db, staff.id, body.language);
    return DONE;
  });

  route(app, deskCalls.deskSignOut, async ({ staff, now }) => {
    await database.inTransaction(async (tx) => {
      await staffSessions.end(tx, staff, now);
      await appendAudit(tx, ofStaff(staff.id, 'signed out', now));
    });
    return new WithCookie(DONE, cookie.cleared());
  });

  route(app, deskCalls.deskReadInvitation, async ({ body, now }) => {
    const invitation = await openInvitation(
      database.db,
      invitationHashes(keyring, body.token),
      now,
    );
    if (invitation === null) return refuse('invitationNotValid');
    const { name, email, invitationId } = invitation;
    const secret = secretOfInvitation(keyring, invitationId);
    const extras = { name, email, secret, uri: totpUri(secret, email, config.clinic.name) };
    return success(extras);
  });

  route(app, deskCalls.deskAcceptInvitation, async ({ body, now }) =>
    acceptInvitation(platform, body, now),
  );
}

type Session = Pick<
  SignedInStaff,
  'name' | 'roles' | 'isLocked' | 'createdAt' | 'lastActiveAt' | 'language'
>;

function answered(session: Session) {
  const { name, roles, isLocked, createdAt, language } = session;
  const times = { locksAt: locksAt(session), endsAt: createdAt + SESSION_LIMIT };
  return success({ name, roles: [...roles], isLocked, language, ...times });
}

/** The most computers at which one person is known: staff move between those of a clinic. */
const MOST_COMPUTERS = 20;

interface SignedIn {
  readonly member: StaffMember;
  readonly token: string;
  /** What the browser's device cookie is to hold. */
  readonly device: string;
}

interface SignInRequest extends Omit<Asking, 'personId'> {
  readonly email: string;
  readonly password: string;
  /** A one-time code or a recovery code; a passkey may take its place. */
  readonly code?: string | undefined;
  readonly passkey?: ApiPasskeyShown | undefined;
  /** The proof for the captcha, which is asked for where they are not known. */
  readonly recaptcha?: string | undefined;
  readonly countUses: CountUses;
  readonly browser: Browser;
}

interface Browser {
  /** The token of its session so far, which ends. */
  readonly former: string | null;
  /** 'Chrome, Windows', as far as it says. */
  readonly name: string;
}

/**
 * Answers alike for an absent account, a wrong password, and a wrong code or passkey, so that a stranger
 * never learns which was right. A code is used up only together with the right password.
 */
async function signIn(
  ports: SignInPorts,
  { email: typed, password, code = '', passkey, recaptcha, ...asking }: SignInRequest,
): Promise<SignedIn | Refusal> {
  const { database, keyring, ids, appendAudit, config, staffSessions } = ports;
  const { now, address, deviceToken, countUses, browser } = asking;
  const email = normaliseEmail(typed);
  const member = await staffByEmail(database.db, typed);
  const known = await knownBrowserOf(ports, { ...asking, personId: member?.id ?? null });
  if (known === null) {
    if (recaptcha === undefined) return refuse('captchaNeeded');
    const unproven = await checkProof(ports.captcha, recaptcha, now);
    if (unproven !== null) return unproven;
  }
  const { staffPerAccount: perAccount, staffPerAddress: perAddress } = config.rates;
  const guess = await countGuess({ perAccount, perAddress }, { email, address, known, countUses });
  if (guess instanceof Refusal) return guess;
  guess.begun();
  const fits = await ports.fits(password, member?.passwordHash ?? null);
  const isOpen =
    fits && member !== null && member.passwordHash !== null && member.closedAt === null;
  const whose = isOpen ? member : null;
  let factor: Factor | null = null;
  if (passkey !== undefined) {
    const use = toSignIn(keyring, email);
    factor = await passkeyShown(ports, { answer: passkey, use, staffId: whose?.id ?? null }, now);
  } else if (whose !== null)
    factor = codeShown(keyring, whose, code, now) ?? recoveryCodeShown(keyring, whose, code, now);
  const device = deviceTokenFor(keyring, ids, deviceToken);
  const token = await database.inTransaction<string | null>(async (tx, rollBack) => {
    if (whose === null || factor === null) return null;
    if (!(await factor.take(tx))) return rollBack(null);
    const details = { by: factor.by };
    await appendAudit(tx, { ...ofStaff(whose.id, 'signed in', now), details });
    await keepDevice(tx, { personId: whose.id, token: device }, now, MOST_COMPUTERS);
    if (browser.former !== null) await staffSessions.endFormer(tx, browser.former, now);
    return staffSessions.start(tx, whose.id, now, browser.name);
  });
  if (token === null || member === null) {
    await noteRefused(ports, { email, whose, now });
    return refuse('deskSignInRefused');
  }
  await guess.giveBack();
  return { member, token, device };
}

/** Within this time wrong codes count together, and are mailed once. */
const WRONG_CODES_WITHIN = 60 * 60;
/** At so many whoever's password it is is told. */
const WRONG_CODES_TOLD = 3;

interface Refused {
  readonly email: string;
  /** Whose password was right. */
  readonly whose: StaffMember | null;
  readonly now: number;
}

/** Notes a refused sign-in. Wrong codes behind somebody's right password are mailed to them, once an hour. */
async function noteRefused(
  { database, keyring, appendAudit, outbox }: SignInPorts,
  { email, whose, now }: Refused,
): Promise<void> {
  const mac = Buffer.from(keyring.mac('audit.email', email)).toString('hex', 0, 16);
  const entry =
    whose === null
      ? { action: 'staff sign-in refused', subject: `account:${mac}` }
      : { action: 'wrong code behind the right password', subject: `staff:${whose.id}` };
  const told = { ...entry, actor: 'system', action: 'told of wrong codes', at: now };
  const since = now - WRONG_CODES_WITHIN + 1;
  await database.inTransaction(async (tx) => {
    if (whose !== null) await lockStaff(tx, [whose.id]);
    // Asked whosever the password is, so that both take as long.
    const before = await timesDone(tx, { ...entry, actor: 'visitor' }, since);
    const isTold = await hasDone(tx, told, since);
    await appendAudit(tx, { ...entry, actor: 'visitor', at: now });
    if (whose === null || isTold || before + 1 < WRONG_CODES_TOLD) return;
    await appendAudit(tx, told);
    await outbox.enqueue(tx, OUTBOX_KIND, { email: 'wrongCodes', staffId: whose.id, at: now }, now);
  });
}

interface Unlocking {
  /** A password or a one-time code; a passkey may take its place. */
  readonly secret?: string | undefined;
  readonly passkey?: ApiPasskeyShown | undefined;
  readonly countUses: CountUses;
}

/** Unlocks a screen with a password, a one-time code or a passkey. Null when it is unlocked. */
async function unlock(
  ports: SignInPorts,
  staff: SignedInStaff,
  { secret = '', passkey, countUses }: Unlocking,
  now: number,
): Promise<Refusal | null> {
  const { database, keyring, appendAudit, staffSessions, fits } = ports;
  const guess = await guessInSession(ports, staff, countUses);
  if (guess instanceof Refusal) return guess;
  const refusal = refuse(passkey === undefined ? 'deskUnlockRefused' : 'passkeyRefused');
  const member = await staffById(database.db, staff.id);
  if (member === null) return refusal;
  if (passkey === undefined) guess.begun();
  const challenge = inSession('unlock', staff);
  const factor =
    passkey === undefined
      ? codeShown(keyring, member, secret, now)
      : await passkeyShown(
          ports,
          { answer: passkey, use: challenge, staffId: staff.id, begun: guess.begun },
          now,
        );
  const isPassword =
    factor === null && passkey === undefined && (await fits(secret, member.passwordHash));
  const isOpen = await database.inTransaction(async (tx) => {
    if (!isPassword && (factor === null || !(await factor.take(tx)))) return false;
    await staffSessions.open(tx, staff, now, factor !== null);
    const details = { by: factor === null ? 'password' : factor.by };
    await appendAudit(tx, { ...ofStaff(staff.id, 'screen opened', now), details });
    return true;
  });
  if (!isOpen) return refusal;
  await guess.giveBack();
  return null;
}

interface Acceptance {
  readonly token: string;
  readonly password: string;
  readonly code: string;
}

async function acceptInvitation(
  { database, keyring, ids, config, appendAudit }: Platform,
  { token, password, code }: Acceptance,
  now: number,
) {
  const invitation = await openInvitation(database.db, invitationHashes(keyring, token), now);
  if (invitation === null) return refuse('invitationNotValid');
  const { staffId: id, invitationId } = invitation;
  const refused = refusedStaffPassword('password', password, invitation);
  if (refused !== null) return refused;
  const shown = secretsOfInvitation(keyring, invitationId)
    .flatMap((secret) => {
      const step = totpStep(secret, code, now);
      return step === null ? [] : [{ secret, step }];
    })
    .at(0);
  if (shown === undefined) return refuse('codeRefused');
  const passwordHash = await hashPassword(password, config.passwordCost);
  const recoveryCodes = newRecoveryCodes(ids);
  return database.inTransaction(async (tx) => {
    if (!(await takeInvitation(tx, invitationId, now))) return refuse('invitationNotValid');
    const totpSealed = sealSecret(keyring, id, shown.secret);
    const hashes = recoveryCodes.map((each) => recoveryHash(keyring, id, each));
    await setFactors(tx, {
      id,
      passwordHash,
      totpSealed,
      totpStep: shown.step,
      recoveryHashes: hashes,
    });
    await appendAudit(tx, ofStaff(id, 'invitation accepted', now));
    return success({ recoveryCodes });
  });
}
