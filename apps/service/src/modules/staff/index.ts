import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAuditAtDesk } from './audit.ts';
import { registerBookingAtDesk } from './booking.ts';
import { registerDaySheet } from './day-sheet.ts';
import { deskCookie, deskDoor } from './door.ts';
import { registerEmrAtDesk } from './emr.ts';
import { handleManyEmails } from './many.ts';
import { handleStaffEmails, registerMembers } from './members.ts';
import { registerCharts } from './charts.ts';
import { registerMerging } from './merge.ts';
import { registerMoney } from './money.ts';
import { registerOwnSignIn } from './own-sign-in.ts';
import { registerPasskeys } from './passkeys.ts';
import { registerReports } from './reports.ts';
import { registerScheduleAtDesk } from './schedule.ts';
import { registerMessagesAtDesk } from './messages.ts';
import { registerPatientsAtDesk } from './patients.ts';
import { createStaffSessions, locksAt } from './sessions.store.ts';
import { registerSetUp } from './set-up.ts';
import { registerStaffSignIn } from './sign-in.ts';
import { registerTexts } from './texts.ts';
import { registerWaiting } from './waiting.ts';

/** Registers the front desk: signing in, and everything that staff see and do there. */
export function registerStaff(app: FastifyInstance, platform: Platform): void {
  const { config, clock, realtime } = platform;
  const sessions = createStaffSessions(platform);
  const cookie = deskCookie(config.publicUrl);
  app.callHost.admitStaff = deskDoor(platform, sessions);
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
  registerDaySheet(app, platform);
  registerBookingAtDesk(app, platform);
  registerScheduleAtDesk(app, platform);
  registerWaiting(app, platform);
  registerEmrAtDesk(app, platform);
  registerMessagesAtDesk(app, platform);
  registerPatientsAtDesk(app, platform);
  registerCharts(app, platform);
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
export { workOnInvitations } from './waiting.ts';
export { spentActs } from './waiting.store.ts';
export { listColleagues, listStaff, rolesOf, staffByEmail } from './store.ts';
