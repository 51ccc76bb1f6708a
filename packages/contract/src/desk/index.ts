import type { DeskCallId } from '../desk-routes.ts';
import { deskAuditCalls } from './audit.ts';
import { deskBookingCalls } from './booking.ts';
import { deskCardCalls } from './card.ts';
import { deskChartCalls } from './charts.ts';
import { deskDayCalls } from './day.ts';
import { deskEmrCalls } from './emr.ts';
import { deskMergingCalls } from './merging.ts';
import { deskMoneyCalls } from './money.ts';
import { deskOwnDayCalls } from './own-day.ts';
import { deskReportCalls } from './reports.ts';
import { deskSetUpCalls } from './set-up.ts';
import { deskScheduleCalls } from './schedule.ts';
import { deskMessageCalls } from './messages.ts';
import { deskPatientCalls } from './patients.ts';
import { deskSignInCalls } from './sign-in.ts';
import { deskWaitingCalls } from './waiting.ts';

/** Every call of the front desk. */
export const deskCalls = {
  ...deskSignInCalls,
  ...deskDayCalls,
  ...deskOwnDayCalls,
  ...deskBookingCalls,
  ...deskMoneyCalls,
  ...deskReportCalls,
  ...deskSetUpCalls,
  ...deskScheduleCalls,
  ...deskMessageCalls,
  ...deskPatientCalls,
  ...deskCardCalls,
  ...deskChartCalls,
  ...deskMergingCalls,
  ...deskAuditCalls,
  ...deskWaitingCalls,
  ...deskEmrCalls,
} as const satisfies { readonly [Id in DeskCallId]: { readonly id: Id } };

export type * from './audit.ts';
export type * from './booking.ts';
export type * from './card.ts';
export type * from './changed-fee.ts';
export type * from './day.ts';
export type * from './emr.ts';
export type * from './money.ts';
export type * from './own-day.ts';
export type * from './reports.ts';
export type * from './set-up.ts';
export type * from './schedule.ts';
export type * from './messages.ts';
export type * from './patients.ts';
export type * from './sign-in.ts';
export type * from './waiting.ts';
