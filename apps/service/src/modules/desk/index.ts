import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAuditAtDesk } from './audit/audit.ts';
import { registerCancelled } from './cancelled/cancelled.ts';
import { registerBookingAtDesk } from './day/booking.ts';
import { registerDaySheet } from './day/day-sheet.ts';
import { registerFees } from './day/fees.ts';
import { registerUndo } from './day/undo.ts';
import { registerMessagesAtDesk } from './messages.ts';
import { registerMoney } from './money/money.ts';
import { registerReports } from './money/reports.ts';
import { registerOwnDay } from './own-day/own-day.ts';
import { registerCard } from './patients/card.ts';
import { registerCharts } from './patients/choose-chart.ts';
import { registerCorrections } from './patients/corrections.ts';
import { registerMerging } from './patients/merge.ts';
import { registerPatientsAtDesk } from './patients/patients.ts';
import { registerPrinting } from './print/print-day.ts';
import { registerEmrAtDesk } from './schedule/emr.ts';
import { registerScheduleAtDesk } from './schedule/schedule.ts';
import { registerSetUp } from './set-up.ts';
import { registerTexts } from './texts.ts';
import { registerWaiting } from './waiting/waiting.ts';

/** Registers everything that staff see and do at the front desk, once they are signed in. */
export function registerDesk(app: FastifyInstance, platform: Platform): void {
  registerDaySheet(app, platform);
  registerCancelled(app, platform);
  registerPrinting(app, platform);
  registerOwnDay(app, platform);
  registerBookingAtDesk(app, platform);
  registerFees(app, platform);
  registerUndo(app, platform);
  registerScheduleAtDesk(app, platform);
  registerWaiting(app, platform);
  registerEmrAtDesk(app, platform);
  registerMessagesAtDesk(app, platform);
  registerPatientsAtDesk(app, platform);
  registerCard(app, platform);
  registerCorrections(app, platform);
  registerCharts(app, platform);
  registerMerging(app, platform);
  registerAuditAtDesk(app, platform);
  registerMoney(app, platform);
  registerReports(app, platform);
  registerSetUp(app, platform);
  registerTexts(app, platform);
}

export { workOnInvitations } from './waiting/waiting.ts';
