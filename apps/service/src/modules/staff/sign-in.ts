import { type ApiPasskeyShown, deskCalls } from '@clinic/contract';
import { isOwnNameOrEmail, normaliseEmail, whyPasswordRefused } from '@clinic/domain';
import { passwordText } from '@clinic/contract/identity-texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { hashPassword, isCommonPassword, passwordMatches } from '../../security/passwords.ts';
import { totpStep, totpUri } from '../../security/totp.ts';
import { WithCookie, route } from '../../server/http.ts';
import { type RateUse, countAll, giveBackAll } from '../../server/rate-limit.store.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { computerCookie, deskCookie } from './door.ts';
import {
  type Factor,
  codeShown,
  newRecoveryCodes,
  recoveryCodeShown,
  recoveryHash,
  sealSecret,
  secretOfInvitation,
} from './factor.ts';
import { invitationHashes, ofStaff } from './members.ts';
import { inSession, passkeyShown, toSignIn } from './passkeys.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { LOCK_AFTER, SESSION_LIMIT, type StaffSessions } from './sessions.store.ts';
import {
  type StaffMember,
  openInvitation,
  setFactors,
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
  const { database, keyring, config, ids, appendAudit, rateLimit } = platform;
  const { rates } = config;
  const cookie = deskCookie(config.publicUrl);
  const computers = computerCookie(config.publicUrl, platform);
  // A hash of the usual cost, made once, so that a sign-in to an absent account takes as long.
  let nobodysHash: Promise<string> | undefined;
  const ports: SignInPorts = {
    ...platform,
    staffSessions,
    async fits(password, stored) {
      nobodysHash ??= hashPassword(ids.token(), config.passwordCost);
      return passwordMatches(password, stored ?? (await nobodysHash));
    },
  };

  route(app, deskCalls.deskSignIn, async ({ body, address, cookie: given, now }) => {
    const computer = computers.read(given, now);
    const signedIn = await signIn(ports, { ...body, address, computer, now });
    if (signedIn instanceof Refusal) return signedIn;
    const { member, token } = signedIn;
    const session = { ...member, createdAt: now, lastActiveAt: now, isLocked: false };
    return new WithCookie(answered(session), cookie.set(token), computers.set(computer, now));
  });

  route(app, deskCalls.deskSession, async ({ staff, now, isBackground }) =>
    answered({ ...staff, lastActiveAt: isBackground || staff.isLocked ? staff.lastActiveAt : now }),
  );

  route(app, deskCalls.deskLock, async ({ staff, now }) => {
    await database.inTransaction(async (tx) => {
      await staffSessions.lock(tx, staff, now);
      await appendAudit(tx, ofStaff(staff.id, 'screen locked', now));
    });
    return { success: true as const };
  });

  route(app, deskCalls.deskUnlock, async ({ body, staff, now }) => {
    const refused = await unlock(ports, staff, body, now);
    return refused ?? answered({ ...staff, lastActiveAt: now, isLocked: false });
  });

  route(app, deskCalls.deskSignOut, async ({ staff, now }) => {
    await database.inTransaction(async (tx) => {
      await staffSessions.end(tx, staff, now);
      await appendAudit(tx, ofStaff(staff.id, 'signed out', now));
    });
    return new WithCookie({ success: true as const }, cookie.cleared());
  });

  route(app, deskCalls.deskReadInvitation, async ({ body, address, now }) => {
    const tooMany = await rateLimit.use(rates.staffPerAddress, address, now);
    if (tooMany !== null) return tooMany;
    const invitation = await openInvitation(
      database.db,
      invitationHashes(keyring, body.token),
      now,
    );
    if (invitation === null) return refuse('invitationNotValid');
    const { name, email, invitationId } = invitation;
    const secret = secretOfInvitation(keyring, invitationId);
    const extras = { name, email, secret, uri: totpUri(secret, email, config.clinic.name) };
    return { success: true as const, extras };
  });

  route(app, deskCalls.deskAcceptInvitation, async ({ body, address, now }) => {
    const tooMany = await rateLimit.use(rates.staffPerAddress, address, now);
    if (tooMany !== null) return tooMany;
    return acceptInvitation(platform, body, now);
  });
}

type Session = Pick<SignedInStaff, 'name' | 'roles' | 'isLocked' | 'createdAt' | 'lastActiveAt'>;

function answered({ name, roles, isLocked, createdAt, lastActiveAt }: Session) {
  const endsAt = createdAt + SESSION_LIMIT;
  const locksAt = Math.min(lastActiveAt + LOCK_AFTER, endsAt);
  return { success: true as const, extras: { name, roles: [...roles], isLocked, locksAt, endsAt } };
}

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** A one-time code or a recovery code; a passkey may take its place. */
  readonly code?: string | undefined;
  readonly passkey?: ApiPasskeyShown | undefined;
  readonly address: string;
  /** The word in the cookie of a computer from which staff have signed in; null on any other. */
  readonly computer: string | null;
  readonly now: number;
}

/**
 * Answers alike for an absent account, a wrong password, and a wrong code or passkey, so that a stranger
 * never learns which was right. A code is used up only together with the right password.
 */
async function signIn(
  ports: SignInPorts,
  { email: typed, password, code = '', passkey, address, computer, now }: SignInRequest,
): Promise<{ readonly member: StaffMember; readonly token: string } | Refusal> {
  const { database, keyring, appendAudit, rateLimit, config, staffSessions } = ports;
  const email = normaliseEmail(typed);
  // The network address is counted first: over its limit, it must not use up the account's guesses.
  const uses: readonly RateUse[] = [
    [config.rates.staffPerAddress, address],
    [config.rates.staffPerAccount, computer === null ? email : `${email} ${computer}`],
  ];
  const tooMany = await countAll(rateLimit, now, uses, { inTurn: true });
  if (tooMany !== null) return tooMany;
  const member = await staffByEmail(database.db, email);
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
  const token = await database.inTransaction<string | null>(async (tx, rollBack) => {
    if (whose === null || factor === null) return null;
    if (!(await factor.take(tx))) return rollBack(null);
    const details = { by: factor.by };
    await appendAudit(tx, { ...ofStaff(whose.id, 'signed in', now), details });
    return staffSessions.start(tx, whose.id, now);
  });
  if (token === null || member === null) {
    const subject = `account:${Buffer.from(keyring.mac('audit.email', email)).toString('hex', 0, 16)}`;
    await database.inTransaction((tx) =>
      appendAudit(tx, { actor: 'visitor', action: 'staff sign-in refused', subject, at: now }),
    );
    return refuse('deskSignInRefused');
  }
  await giveBackAll(rateLimit, now, uses);
  return { member, token };
}

interface Unlocking {
  /** A password or a one-time code; a passkey may take its place. */
  readonly secret?: string | undefined;
  readonly passkey?: ApiPasskeyShown | undefined;
}

/** Unlocks a screen with a password, a one-time code or a passkey. Null when it is unlocked. */
async function unlock(
  ports: SignInPorts,
  staff: SignedInStaff,
  { secret = '', passkey }: Unlocking,
  now: number,
): Promise<Refusal | null> {
  const { database, keyring, appendAudit, rateLimit, config, staffSessions, fits } = ports;
  // Counted apart from guesses at the sign-in, so that strangers keep nobody out of their own screen.
  const use = [config.rates.staffPerAccount, `staff:${staff.id}`] as const;
  const tooMany = await rateLimit.use(...use, now);
  if (tooMany !== null) return tooMany;
  const refusal = refuse(passkey === undefined ? 'deskUnlockRefused' : 'passkeyRefused');
  const member = await staffById(database.db, staff.id);
  if (member === null) return refusal;
  const challenge = inSession('unlock', staff);
  const factor =
    passkey === undefined
      ? codeShown(keyring, member, secret, now)
      : await passkeyShown(ports, { answer: passkey, use: challenge, staffId: staff.id }, now);
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
  await rateLimit.giveBack(...use, now);
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
  const { staffId: id, invitationId, name, email } = invitation;
  const [firstName = '', lastName = ''] = name.split(/\s+(?=\S+$)/);
  const isTooCommon =
    isCommonPassword(password) || isOwnNameOrEmail(password, { firstName, lastName, email });
  const why = whyPasswordRefused(password) ?? (isTooCommon ? 'tooCommon' : null);
  if (why !== null)
    return refuse('invalidInput', {
      errors: [{ field: 'password', message: (to) => passwordText(to, why) }],
    });
  const secret = secretOfInvitation(keyring, invitationId);
  const step = totpStep(secret, code, now);
  if (step === null) return refuse('codeRefused');
  const passwordHash = await hashPassword(password, config.passwordCost);
  const recoveryCodes = newRecoveryCodes(ids);
  return database.inTransaction(async (tx) => {
    if (!(await takeInvitation(tx, invitationId, now))) return refuse('invitationNotValid');
    const totpSealed = sealSecret(keyring, id, secret);
    const hashes = recoveryCodes.map((each) => recoveryHash(keyring, id, each));
    await setFactors(tx, {
      id,
      passwordHash,
      totpSealed,
      totpStep: step,
      recoveryHashes: hashes,
    });
    await appendAudit(tx, ofStaff(id, 'invitation accepted', now));
    return { success: true as const, extras: { recoveryCodes } };
  });
}
