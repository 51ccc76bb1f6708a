import { deskCalls } from '@clinic/contract';
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
  newRecoveryCodes,
  recoveryHash,
  recoveryHashes,
  sealSecret,
  secretOf,
  secretOfInvitation,
} from './factor.ts';
import { invitationHashes, ofStaff } from './members.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { LOCK_AFTER, SESSION_LIMIT, type StaffSessions } from './sessions.store.ts';
import {
  type StaffMember,
  openInvitation,
  setFactors,
  staffByEmail,
  staffById,
  takeInvitation,
  takeRecoveryCode,
  takeTotpStep,
} from './store.ts';

interface SignInPorts extends Platform {
  readonly staffSessions: StaffSessions;
  /** Whether the password fits; takes as long where there is none (null). */
  readonly fits: (password: string, stored: string | null) => Promise<boolean>;
}

/** How staff come in, lock their screen and leave, and how they set what they come in with. */
export function registerStaffSignIn(
  app: FastifyInstance,
  platform: Platform,
  staffSessions: StaffSessions,
): void {
  const { database, keyring, config, ids, appendAudit, rateLimit } = platform;
  const { rates } = config;
  const cookie = deskCookie(config.publicUrl);
  const computers = computerCookie(config.publicUrl, platform);
  // Made once, at the cost of a real one: absent accounts take as long.
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
    const refused = await unlock(ports, staff, body.secret, now);
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
  readonly code: string;
  readonly address: string;
  /** The word of a computer from which staff have signed in; null of any other. */
  readonly computer: string | null;
  readonly now: number;
}

/**
 * One answer for an absent account, a wrong password and a wrong code: nobody learns which of them
 * was right. A code is used up only with the right password beside it.
 */
async function signIn(
  ports: SignInPorts,
  { email: typed, password, code, address, computer, now }: SignInRequest,
): Promise<{ readonly member: StaffMember; readonly token: string } | Refusal> {
  const { database, keyring, appendAudit, rateLimit, config, staffSessions } = ports;
  const email = normaliseEmail(typed);
  // The address first: one that is over its limit could still use up the account's.
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
  const token = await database.inTransaction<string | null>(async (tx, rollBack) => {
    if (!isOpen) return null;
    const step = totpStep(secretOf(keyring, member) ?? '', code, now);
    const isTaken =
      step === null
        ? await takeRecoveryCode(tx, member.id, recoveryHashes(keyring, member.id, code), now)
        : await takeTotpStep(tx, member.id, step);
    if (!isTaken) return rollBack(null);
    const details = { by: step === null ? 'recovery code' : 'one-time code' };
    await appendAudit(tx, { ...ofStaff(member.id, 'signed in', now), details });
    return staffSessions.start(tx, member.id, now);
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

/** Null when the password or a one-time code was right. */
async function unlock(
  { database, keyring, appendAudit, rateLimit, config, staffSessions, fits }: SignInPorts,
  staff: SignedInStaff,
  secret: string,
  now: number,
): Promise<Refusal | null> {
  // Apart from guesses at the sign-in: strangers keep nobody out of their own screen.
  const use = [config.rates.staffPerAccount, `staff:${staff.id}`] as const;
  const tooMany = await rateLimit.use(...use, now);
  if (tooMany !== null) return tooMany;
  const member = await staffById(database.db, staff.id);
  if (member === null) return refuse('deskUnlockRefused');
  const step = totpStep(secretOf(keyring, member) ?? '', secret, now);
  const isPassword = step === null && (await fits(secret, member.passwordHash));
  const isOpen = await database.inTransaction(async (tx) => {
    if (!isPassword && (step === null || !(await takeTotpStep(tx, staff.id, step)))) return false;
    await staffSessions.open(tx, staff, now, !isPassword);
    const details = { by: isPassword ? 'password' : 'one-time code' };
    await appendAudit(tx, { ...ofStaff(staff.id, 'screen opened', now), details });
    return true;
  });
  if (!isOpen) return refuse('deskUnlockRefused');
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
