import { deskCalls } from '@clinic/contract';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { hasDone, timesDone } from '../../security/audit.store.ts';
import { deviceTokenFor, keepDevice } from '../../security/known-devices.store.ts';
import { hashPassword, passwordCheck } from '../../security/passwords.ts';
import { totpStep, totpUri } from '../../security/totp.ts';
import { DONE, WithCookie, success } from '../../server/answers.ts';
import { route } from '../../server/http.ts';
import { countGuess, deviceCookie, knownHere } from '../../server/known.ts';
import { checkProof } from '../../server/ports.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { deviceOf } from '../accounts/index.ts';
import { deskCookie } from './door.ts';
import {
  type Factor,
  codeShown,
  newRecoveryCodes,
  recoveryCodeShown,
  recoveryHash,
  sealSecret,
  secretOfInvitation,
  secretsOfInvitation,
} from './factor.ts';
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
  staffByEmail,
  staffById,
  takeInvitation,
} from './store.ts';

/** The most computers at which one person is known: staff move between those of a clinic. */
const MOST_COMPUTERS = 20;
/** Within this time wrong codes count together, and are mailed once. */
const WRONG_CODES_WITHIN = 60 * 60;
/** At so many the owner of the password is mailed. */
const WRONG_CODES_TOLD = 3;

/** Signing in and out, locking and unlocking a screen, and accepting an invitation. */
export function registerStaffSignIn(
  app: FastifyInstance,
  platform: Platform,
  staffSessions: StaffSessions,
): void {
  const { database, keyring, config, ids, appendAudit, outbox, captcha } = platform;
  const cookie = deskCookie(config.publicUrl);
  const devices = deviceCookie(config.publicUrl);
  /** Whether the password fits; takes the same time when none is stored (null). */
  const fits = passwordCheck(config.passwordCost, () => ids.token());

  // Answers alike for an absent account, a wrong password, and a wrong code or passkey, so that a stranger
  // never learns which was right. A code is used up only together with the right password.
  route(app, deskCalls.deskSignIn, async ({ body, cookies, userAgent, ...asking }) => {
    const { password, code = '', passkey, recaptcha } = body;
    const { address, countUses, now } = asking;
    const email = normaliseEmail(body.email);
    const member = await staffByEmail(database.db, body.email);
    const known = await knownHere(platform, { ...asking, personId: member?.id ?? null });
    if (known === null) {
      if (recaptcha === undefined) return refuse('captchaNeeded');
      const unproven = await checkProof(captcha, recaptcha, now);
      if (unproven !== null) return unproven;
    }
    const { staffPerAccount: perAccount, staffPerAddress: perAddress } = config.rates;
    const guess = await countGuess(
      { perAccount, perAddress },
      { email, address, known, countUses },
    );
    if (guess instanceof Refusal) return guess;
    guess.begun();
    const isRight = await fits(password, member?.passwordHash ?? null);
    const isOpen =
      isRight && member !== null && member.passwordHash !== null && member.closedAt === null;
    const whose = isOpen ? member : null;
    let factor: Factor | null = null;
    if (passkey !== undefined) {
      const use = toSignIn(keyring, email);
      const shown = { answer: passkey, use, staffId: whose?.id ?? null };
      factor = await passkeyShown(platform, shown, now);
    } else if (whose !== null)
      factor = codeShown(keyring, whose, code, now) ?? recoveryCodeShown(keyring, whose, code, now);
    const device = deviceTokenFor(keyring, ids, asking.deviceToken);
    // The session that the browser had so far ends.
    const former = cookie.read(cookies);
    const token = await database.inTransaction<string | null>(async (tx, rollBack) => {
      if (whose === null || factor === null) return null;
      if (!(await factor.take(tx))) return rollBack(null);
      const details = { by: factor.by };
      await appendAudit(tx, { ...ofStaff(whose.id, 'signed in', now), details });
      await keepDevice(tx, { personId: whose.id, token: device }, now, MOST_COMPUTERS);
      if (former !== null) await staffSessions.endFormer(tx, former, now);
      return staffSessions.start(tx, whose.id, now, deviceOf(userAgent));
    });
    if (token === null || member === null) {
      await noteRefused(email, whose, now);
      return refuse('deskSignInRefused');
    }
    await guess.giveBack();
    const session = { ...member, createdAt: now, lastActiveAt: now, isLocked: false };
    return new WithCookie(answered(session), cookie.set(token), devices.set(device));
  });

  /**
   * Notes a refused sign-in; `whose` is the owner of the password where it was right. Wrong codes behind it
   * are mailed to them, once an hour.
   */
  async function noteRefused(email: string, whose: StaffMember | null, now: number): Promise<void> {
    const mac = Buffer.from(keyring.mac('audit.email', email)).toString('hex', 0, 16);
    const entry =
      whose === null
        ? { action: 'staff sign-in refused', subject: `account:${mac}` }
        : { action: 'wrong code behind the right password', subject: `staff:${whose.id}` };
    const told = { ...entry, actor: 'system', action: 'told of wrong codes', at: now };
    const since = now - WRONG_CODES_WITHIN + 1;
    await database.inTransaction(async (tx) => {
      if (whose !== null) await lockStaff(tx, [whose.id]);
      // Asked in either case, so that both take as long.
      const before = await timesDone(tx, { ...entry, actor: 'visitor' }, since);
      const isTold = await hasDone(tx, told, since);
      await appendAudit(tx, { ...entry, actor: 'visitor', at: now });
      if (whose === null || isTold || before + 1 < WRONG_CODES_TOLD) return;
      await appendAudit(tx, told);
      const mail = { email: 'wrongCodes', staffId: whose.id, at: now };
      await outbox.enqueue(tx, OUTBOX_KIND, mail, now);
    });
  }

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

  // By a password or a one-time code, or by a passkey in their place.
  route(app, deskCalls.deskUnlock, async ({ body, staff, countUses, now }) => {
    const { secret = '', passkey } = body;
    const guess = await guessInSession(platform, staff, countUses);
    if (guess instanceof Refusal) return guess;
    const { begun } = guess;
    const refusal = refuse(passkey === undefined ? 'deskUnlockRefused' : 'passkeyRefused');
    const member = await staffById(database.db, staff.id);
    if (member === null) return refusal;
    if (passkey === undefined) begun();
    const use = inSession('unlock', staff);
    const factor =
      passkey === undefined
        ? codeShown(keyring, member, secret, now)
        : await passkeyShown(platform, { answer: passkey, use, staffId: staff.id, begun }, now);
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
    return answered({ ...staff, lastActiveAt: now, isLocked: false });
  });

  route(app, deskCalls.deskSignOut, async ({ staff, now }) => {
    await database.inTransaction(async (tx) => {
      await staffSessions.end(tx, staff, now);
      await appendAudit(tx, ofStaff(staff.id, 'signed out', now));
    });
    return new WithCookie(DONE, cookie.cleared());
  });

  const invitationOf = (token: string, now: number) =>
    openInvitation(database.db, invitationHashes(keyring, token), now);

  route(app, deskCalls.deskReadInvitation, async ({ body, now }) => {
    const invitation = await invitationOf(body.token, now);
    if (invitation === null) return refuse('invitationNotValid');
    const { name, email, invitationId } = invitation;
    const secret = secretOfInvitation(keyring, invitationId);
    const extras = { name, email, secret, uri: totpUri(secret, email, config.clinic.name) };
    return success(extras);
  });

  route(app, deskCalls.deskAcceptInvitation, async ({ body, now }) => {
    const invitation = await invitationOf(body.token, now);
    if (invitation === null) return refuse('invitationNotValid');
    const { staffId: id, invitationId } = invitation;
    const refused = refusedStaffPassword('password', body.password, invitation);
    if (refused !== null) return refused;
    const shown = secretsOfInvitation(keyring, invitationId)
      .flatMap((secret) => {
        const step = totpStep(secret, body.code, now);
        return step === null ? [] : [{ secret, step }];
      })
      .at(0);
    if (shown === undefined) return refuse('codeRefused');
    const passwordHash = await hashPassword(body.password, config.passwordCost);
    const recoveryCodes = newRecoveryCodes(ids);
    return database.inTransaction(async (tx) => {
      if (!(await takeInvitation(tx, invitationId, now))) return refuse('invitationNotValid');
      const totpSealed = sealSecret(keyring, id, shown.secret);
      const recoveryHashes = recoveryCodes.map((each) => recoveryHash(keyring, id, each));
      const factors = { passwordHash, totpSealed, totpStep: shown.step, recoveryHashes };
      await setFactors(tx, { id, ...factors });
      await appendAudit(tx, ofStaff(id, 'invitation accepted', now));
      return success({ recoveryCodes });
    });
  });
}

type Session = Pick<SignedInStaff, 'name' | 'roles' | 'isLocked' | 'createdAt' | 'lastActiveAt'>;

function answered(session: Session) {
  const { name, roles, isLocked, createdAt } = session;
  const times = { locksAt: locksAt(session), endsAt: createdAt + SESSION_LIMIT };
  return success({ name, roles: [...roles], isLocked, ...times });
}
