import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { hasDone } from '../../security/audit.store.ts';
import { forgetDevices } from '../../security/known-devices.store.ts';
import { hashPassword, passwordMatches } from '../../security/passwords.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { DONE, success } from '../../server/responses.ts';
import { type RequestContext, route } from '../../server/http.ts';
import type { CountUses } from '../../server/rate-limit.store.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { refusedPassword } from '../accounts/index.ts';
import { AGAIN_SECONDS, OUTBOX_KIND, ofStaff, whyNotChanged } from './members.ts';
import { type StaffSessions, endStaffSessions } from './sessions.store.ts';
import { type StaffMember, lockStaff, setPassword, staffById } from './store.ts';

/** Changing one's own password, and seeing and ending sessions: one's own, and as a manager a colleague's. */
export function registerOwnSignIn(
  app: FastifyInstance,
  platform: Platform,
  sessions: StaffSessions,
): void {
  const { database, appendAudit } = platform;

  route(app, deskCalls.deskChangePassword, async ({ body, staff, deviceToken, countUses, now }) => {
    const change = { ...body, deviceToken, countUses };
    const refused = await changePassword(platform, staff, change, now);
    return refused ?? DONE;
  });

  route(app, deskCalls.deskOwnSessions, async ({ staff, now }) =>
    success({ sessions: await sessions.list(staff.id, staff, now) }),
  );

  route(app, deskCalls.deskEndOwnSessions, async ({ body: { id }, staff, now }) => {
    await database.inTransaction((tx) => end(tx, staff.id, { id, staff, now }));
    return DONE;
  });

  route(app, deskCalls.deskStaffSessions, async ({ params: { id }, staff, now }) => {
    if ((await staffById(database.db, id)) === null) return refuse('notFound');
    return success({ sessions: await sessions.list(id, staff, now) });
  });

  route(app, deskCalls.deskEndStaffSessions, async ({ params, body: { id }, staff, now }) => {
    if (params.id === staff.id) return refuse('ownStaffAccount');
    if ((await staffById(database.db, params.id)) === null) return refuse('notFound');
    return database.inTransaction(async (tx) => {
      // A manager who was closed or reset a moment ago ends nobody's session.
      const why = await whyNotChanged(tx, params.id, staff.id);
      if (why === 'deskSignedOut') return refuse(why);
      await end(tx, params.id, { id, staff, now });
      return DONE;
    });
  });

  interface Ended {
    readonly id: string | undefined;
    readonly staff: SignedInStaff;
    readonly now: number;
  }
  /** Ends one session of a member of staff, or all but the one that asks. */
  async function end(tx: Tx, staffId: string, { id, staff, now }: Ended): Promise<void> {
    const ended = await endStaffSessions(platform, tx, { staffId, id, but: staff }, now);
    if (ended === 0) return;
    const entry = { ...ofStaff(staffId, 'sessions ended', now), actor: `staff:${staff.id}` };
    await appendAudit(tx, { ...entry, details: { sessions: ended } });
  }
}

/**
 * Counts a guess within a session: for that one screen, so that a wrong one there keeps nobody from their
 * others, and for all of the person's together. Apart from guesses at the sign-in, so that strangers keep
 * nobody out of their own screen.
 */
export const guessInSession = (
  { config: { rates } }: Pick<Platform, 'config'>,
  { id, tokenHash }: Pick<SignedInStaff, 'id' | 'tokenHash'>,
  countUses: CountUses,
) =>
  countUses(
    [
      [rates.staffPerSession, Buffer.from(tokenHash).toString('hex')],
      [rates.staffAllSessions, id],
    ],
    { inTurn: true },
  );

/** Refuses a password that nobody, or not this member of staff, may choose. */
export function refusedStaffPassword(
  field: string,
  password: string,
  { name, email }: Pick<StaffMember, 'name' | 'email'>,
): Refusal | null {
  const [firstName = '', lastName = ''] = name.split(/\s+(?=\S+$)/);
  return refusedPassword(field, password, { firstName, lastName, email });
}

type NewPassword = RequestContext<typeof deskCalls.deskChangePassword>['body'] & {
  /** Of the browser in which it is changed. */
  readonly deviceToken: string | null;
  readonly countUses: CountUses;
};

/** Null when the password is the new one, every other session has ended and every other computer is forgotten. */
async function changePassword(
  platform: Platform,
  staff: SignedInStaff,
  { currentPassword, newPassword, deviceToken, countUses }: NewPassword,
  now: number,
): Promise<Refusal | null> {
  const { database, config, appendAudit, outbox } = platform;
  const member = await staffById(database.db, staff.id);
  if (member === null || member.passwordHash === null) return refuse('deskSignedOut');
  const { id, passwordHash: before } = member;
  const refused = refusedStaffPassword('newPassword', newPassword, member);
  if (refused !== null) return refused;
  const guess = await guessInSession(platform, staff, countUses);
  if (guess instanceof Refusal) return guess;
  guess.begun();
  const change = ofStaff(id, 'password changed', now);
  const wrong = invalid('currentPassword', 'passwordWrong');
  if (!(await passwordMatches(currentPassword, before))) {
    // Asked again after a lost answer: the new password is the current one by now. Compared only after
    // a change, so that it is no second guess for whoever does not know the password.
    const isChanged = await hasDone(database.db, change, now - AGAIN_SECONDS);
    if (!isChanged || !(await passwordMatches(newPassword, before))) return wrong;
    await guess.giveBack();
    return null;
  }
  await guess.giveBack();
  const passwordHash = await hashPassword(newPassword, config.passwordCost);
  return database.inTransaction(async (tx) => {
    const [locked] = await lockStaff(tx, [id]);
    if (locked === undefined || locked.closedAt !== null) return refuse('deskSignedOut');
    if (locked.passwordHash !== before) return wrong;
    await setPassword(tx, id, passwordHash);
    await endStaffSessions(platform, tx, { staffId: id, but: staff }, now);
    await forgetDevices(tx, id, deviceToken);
    await appendAudit(tx, change);
    await outbox.enqueue(tx, OUTBOX_KIND, { email: 'passwordChanged', staffId: id, at: now }, now);
    return null;
  });
}
