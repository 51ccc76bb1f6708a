import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAuditAtDesk } from './audit.ts';
import { registerBookingAtDesk } from './booking.ts';
import { registerDaySheet } from './day-sheet.ts';
import { deskCookie, deskDoor } from './door.ts';
import { handleStaffEmails, registerMembers } from './members.ts';
import { registerMerging } from './merge.ts';
import { registerMoney } from './money.ts';
import { registerPasskeys } from './passkeys.ts';
import { registerReports } from './reports.ts';
import { registerScheduleAtDesk } from './schedule.ts';
import { registerMessagesAtDesk } from './messages.ts';
import { registerPatientsAtDesk } from './patients.ts';
import { createStaffSessions } from './sessions.store.ts';
import { registerSetUp } from './set-up.ts';
import { registerStaffSignIn } from './sign-in.ts';
import { registerTexts } from './texts.ts';

/** Registers the front desk: signing in, and everything that staff see and do there. */
export function registerStaff(app: FastifyInstance, platform: Platform): void {
  const { database, ids, config, clock, realtime } = platform;
  const sessions = createStaffSessions(database, ids);
  const cookie = deskCookie(config.publicUrl);
  app.callHost.admitStaff = deskDoor(platform, sessions);
  realtime.admitToDesk(async (cookies) => {
    const token = cookie.read(cookies);
    const staff = token === null ? null : await sessions.find(token, clock.now());
    return staff !== null && !staff.isLocked;
  });
  handleStaffEmails(platform);
  registerStaffSignIn(app, platform, sessions);
  registerPasskeys(app, platform);
  registerDaySheet(app, platform);
  registerBookingAtDesk(app, platform);
  registerScheduleAtDesk(app, platform);
  registerMessagesAtDesk(app, platform);
  registerPatientsAtDesk(app, platform);
  registerMerging(app, platform);
  registerAuditAtDesk(app, platform);
  registerMembers(app, platform);
  registerMoney(app, platform);
  registerReports(app, platform);
  registerSetUp(app, platform);
  registerTexts(app, platform);
}

export { closeStaffAccount, inviteStaff, resetFactor } from './members.ts';
export { spentChallenges } from './passkeys.store.ts';
export { spentStaffSessions } from './sessions.store.ts';
export { listStaff, rolesOf, staffByEmail } from './store.ts';
