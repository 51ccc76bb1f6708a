import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { deskCookie, staffAuthorizer } from './authorize-staff.ts';
import { handleManyEmails } from './harm-limits.ts';
import { handleStaffEmails, registerMembers } from './members.ts';
import { registerOwnSignIn } from './own-sign-in.ts';
import { registerPasskeys } from './passkeys.ts';
import { createStaffSessions, locksAt } from './sessions.store.ts';
import { registerStaffSignIn } from './sign-in.ts';

/** Registers who comes in to the front desk, by which factor, and whom they let in. */
export function registerStaff(app: FastifyInstance, platform: Platform): void {
  const { config, clock, realtime } = platform;
  const sessions = createStaffSessions(platform);
  const cookie = deskCookie(config.publicUrl);
  app.callHost.admitStaff = staffAuthorizer(platform, sessions);
  realtime.admitToDesk(async (cookies) => {
    const token = cookie.read(cookies);
    const staff = token === null ? null : await sessions.find(token, clock.now());
    return staff === null || staff.isLocked ? null : { staffId: staff.id, until: locksAt(staff) };
  });
  handleStaffEmails(platform);
  handleManyEmails(platform);
  registerStaffSignIn(app, platform, sessions);
  registerPasskeys(app, platform);
  registerOwnSignIn(app, platform, sessions);
  registerMembers(app, platform);
}

export { spentChallenges } from './passkeys.store.ts';
export { spentStaffSessions } from './sessions.store.ts';
export { harmAtDesk } from './harm-limits.ts';
export {
  type Colleague,
  type NameOfStaff,
  listColleagues,
  lockStaff,
  namesIn,
  namesOfStaff,
  staffByEmail,
  staffById,
} from './store.ts';
export {
  type WaitingAct,
  actById,
  endAct,
  sameAct,
  shownActs,
  spentActs,
  stopAct,
  takeDueInvitation,
} from './acts.store.ts';
export { isFactorRecent, ownOnly } from './authorize-staff.ts';
export { type Invited, closeStaffAccount, inviteIn, inviteStaff, resetFactor } from './members.ts';
