import type { Privilege } from '@clinic/domain';
import type { Method } from './routes.ts';

/**
 * Method, path and privilege of every front-desk call, apart from the patients' table so that their browsers
 * do not load it. Staff sign in by cookie; `public` calls are those of the sign-in itself.
 */
export const deskRoutes = {
  deskSignIn: ['POST', '/desk/sign-in', 'public'],
  deskAskPasskey: ['POST', '/desk/passkey/sign-in', 'public'],
  deskReadInvitation: ['POST', '/desk/invitation', 'public'],
  deskAcceptInvitation: ['POST', '/desk/invitation/accept', 'public'],

  deskSession: ['GET', '/desk/session', { staff: 'ownSession' }],
  deskLock: ['POST', '/desk/lock', { staff: 'ownSession' }],
  deskUnlock: ['POST', '/desk/unlock', { staff: 'ownSession' }],
  deskSignOut: ['POST', '/desk/sign-out', { staff: 'ownSession' }],
  deskAskOwnPasskey: ['POST', '/desk/passkey/unlock', { staff: 'ownSession' }],
  deskPasskeys: ['GET', '/desk/passkeys', { staff: 'ownSession' }],
  deskAskNewPasskey: ['POST', '/desk/passkeys/new', { staff: 'ownSignIn' }],
  deskAddPasskey: ['POST', '/desk/passkeys', { staff: 'ownSignIn' }],
  deskRemovePasskey: ['DELETE', '/desk/passkeys/:id', { staff: 'ownSignIn' }],

  deskChangePassword: ['PUT', '/desk/password', { staff: 'ownSignIn' }],
  deskOwnSessions: ['GET', '/desk/sessions', { staff: 'ownSession' }],
  deskEndOwnSessions: ['POST', '/desk/sessions/end', { staff: 'ownSignIn' }],

  deskDay: ['GET', '/desk/day/:date', { staff: 'daySheet' }],
  deskOpenAppointment: ['POST', '/desk/appointment/:id/open', { staff: 'openAppointment' }],
  deskNoteAttendance: ['PUT', '/desk/appointment/:id/attendance', { staff: 'appointmentStatus' }],
  deskCancelAppointment: ['POST', '/desk/appointment/:id/cancel', { staff: 'cancelAppointment' }],

  deskFindPatients: ['POST', '/desk/patients/find', { staff: 'findPatient' }],
  deskFindCharts: ['POST', '/desk/charts/find', { staff: 'findPatient' }],
  deskBookingOptions: ['POST', '/desk/book/:id/options', { staff: 'bookAppointment' }],
  deskFreeTimes: ['POST', '/desk/book/:id/times', { staff: 'bookAppointment' }],
  deskBook: ['POST', '/desk/book/:id', { staff: 'bookAppointment' }],
  deskMoveAppointment: ['POST', '/desk/appointment/:id/move', { staff: 'bookAppointment' }],
  deskPayAtClinic: ['PUT', '/desk/appointment/:id/due', { staff: 'bookAppointment' }],
  deskConsents: ['GET', '/desk/appointment/:id/consents', { staff: 'bookAppointment' }],
  deskNoteConsents: ['POST', '/desk/appointment/:id/consents', { staff: 'bookAppointment' }],
  deskTakeFee: ['PUT', '/desk/appointment/:id/fee', { staff: 'takeFee' }],
  deskFeeBack: ['PUT', '/desk/appointment/:id/fee/back', { staff: 'takeFee' }],

  deskWaiting: ['GET', '/desk/waiting', { staff: 'stopMany' }],
  deskDecideGone: ['PUT', '/desk/appointment/:id/gone', { staff: 'cancelAppointment' }],
  deskStop: ['PUT', '/desk/waiting/:id/stopped', { staff: 'stopMany' }],

  deskEmr: ['GET', '/desk/emr', { staff: 'stopMany' }],
  deskReadEmr: ['POST', '/desk/emr/read', { staff: 'seeSchedule' }],
  deskOutsideEmr: ['GET', '/desk/emr/outside', { staff: 'seeSchedule' }],

  deskClosings: ['GET', '/desk/closings', { staff: 'seeSchedule' }],
  deskForeseeClosing: ['POST', '/desk/closings/foresee', { staff: 'seeSchedule' }],
  deskForeseenPatients: ['POST', '/desk/closings/foresee/patients', { staff: 'seeSchedule' }],
  deskCloseTime: ['POST', '/desk/closings', { staff: 'closeTime' }],
  deskClosing: ['GET', '/desk/closings/:id', { staff: 'seeSchedule' }],
  deskReopenTime: ['PUT', '/desk/closings/:id/opened', { staff: 'seeSchedule' }],
  deskWeek: ['GET', '/desk/weeks/:providerId', { staff: 'seeSchedule' }],
  deskSaveWeek: ['POST', '/desk/weeks/:providerId', { staff: 'editSchedule' }],
  deskSingleDay: ['GET', '/desk/weeks/:providerId/days/:date', { staff: 'seeSchedule' }],
  deskSaveDay: ['POST', '/desk/weeks/:providerId/days/:date', { staff: 'editSchedule' }],

  deskInbox: ['GET', '/desk/messages', { staff: 'readMessages' }],
  deskMessageCounts: ['GET', '/desk/messages/counts', { staff: 'readMessages' }],
  deskOpenMessage: ['POST', '/desk/messages/:id/open', { staff: 'readMessages' }],
  deskReadAttachment: ['GET', '/desk/attachments/:id', { staff: 'readMessages' }],
  deskAnswerMessage: ['POST', '/desk/messages/:id/answer', { staff: 'answerMessages' }],
  deskNoteMessage: ['PUT', '/desk/messages/:id/notes/:noteId', { staff: 'answerMessages' }],
  deskAssignMessage: ['PUT', '/desk/messages/:id/assignee', { staff: 'answerMessages' }],
  deskCloseMessage: ['PUT', '/desk/messages/:id/closed', { staff: 'answerMessages' }],
  deskSavedReplies: ['GET', '/desk/saved-replies', { staff: 'answerMessages' }],
  deskKeepReply: ['PUT', '/desk/saved-replies/:id', { staff: 'answerMessages' }],
  deskDropReply: ['DELETE', '/desk/saved-replies/:id', { staff: 'answerMessages' }],
  deskSuggestions: ['GET', '/desk/suggestions', { staff: 'readSuggestions' }],
  deskOpenSuggestion: ['POST', '/desk/suggestions/:id/open', { staff: 'readSuggestions' }],
  deskPatientsWaiting: ['POST', '/desk/patients/waiting', { staff: 'decideDocument' }],
  deskOpenPatient: ['POST', '/desk/patient/:id/open', { staff: 'openPatient' }],
  deskShowCard: ['POST', '/desk/patient/:id/card', { staff: 'openPatient' }],
  deskOpenDocument: ['POST', '/desk/document/:id/open', { staff: 'openPatient' }],
  deskDecideDocument: ['PUT', '/desk/document/:id/decision', { staff: 'decideDocument' }],
  deskBlockPatient: ['PUT', '/desk/patient/:id/block', { staff: 'changePatient' }],
  deskChangePatient: ['PUT', '/desk/patient/:id/offers', { staff: 'changePatient' }],
  deskCorrectPatient: ['PUT', '/desk/patient/:id/details', { staff: 'correctPatient' }],
  deskCorrectEmail: ['POST', '/desk/patient/:id/email', { staff: 'correctPatient' }],
  deskDecideAddress: ['POST', '/desk/patient/:id/address', { staff: 'decideAddress' }],
  deskLikelyPatients: ['POST', '/desk/patients/likely', { staff: 'addPatient' }],
  deskOpenChart: ['POST', '/desk/charts/open', { staff: 'addPatient' }],
  deskLikelyCharts: ['POST', '/desk/patient/:id/charts', { staff: 'addPatient' }],
  deskDecideChart: ['PUT', '/desk/patient/:id/chart', { staff: 'addPatient' }],
  deskSeeToSignUp: ['PUT', '/desk/sign-up/:id/seen', { staff: 'addPatient' }],
  deskTellApart: ['PUT', '/desk/patients/apart', { staff: 'addPatient' }],
  deskAddPatient: ['POST', '/desk/patients', { staff: 'addPatient' }],
  deskInvitePatient: ['POST', '/desk/patient/:id/invitation', { staff: 'addPatient' }],
  deskForeseeMerge: ['POST', '/desk/patient/:id/merge/foresee', { staff: 'mergePatients' }],
  deskMergePatients: ['POST', '/desk/patient/:id/merge', { staff: 'mergePatients' }],
  deskUndoMerge: ['POST', '/desk/merge/:id/undo', { staff: 'mergePatients' }],
  deskCloseAccount: ['POST', '/desk/patient/:id/close', { staff: 'closeAccount' }],

  deskAuditTrail: ['POST', '/desk/audit', { staff: 'auditTrail' }],
  deskAuditStaff: ['GET', '/desk/audit/staff', { staff: 'auditTrail' }],
  deskExportAudit: ['POST', '/desk/audit/export', { staff: 'export' }],

  deskInvite: ['POST', '/desk/staff', { staff: 'staff' }],
  deskStaffList: ['GET', '/desk/staff', { staff: 'setUp' }],
  deskResetFactor: ['POST', '/desk/staff/:id/reset-factor', { staff: 'staff' }],
  deskCloseStaff: ['POST', '/desk/staff/:id/close', { staff: 'staff' }],
  deskStaffSessions: ['GET', '/desk/staff/:id/sessions', { staff: 'setUp' }],
  deskEndStaffSessions: ['POST', '/desk/staff/:id/sessions/end', { staff: 'staff' }],

  deskMoney: ['GET', '/desk/money', { staff: 'money' }],
  deskRefund: ['POST', '/desk/payment/:id/refund', { staff: 'refund' }],
  deskReconcile: ['POST', '/desk/money/reconcile', { staff: 'money' }],

  deskReports: ['GET', '/desk/reports', { staff: 'reports' }],
  deskStatistics: ['POST', '/desk/reports/statistics', { staff: 'export' }],

  deskSetUp: ['GET', '/desk/set-up', { staff: 'setUp' }],
  deskTexts: ['GET', '/desk/texts', { staff: 'setUp' }],
  deskText: ['GET', '/desk/texts/:kind', { staff: 'setUp' }],
  deskPublishText: ['POST', '/desk/texts/:kind', { staff: 'setUp' }],
  deskMaintenance: ['PUT', '/desk/maintenance', { staff: 'setUp' }],
  deskExportTable: ['POST', '/desk/table/:what/export', { staff: 'export' }],
  deskImportTable: ['POST', '/desk/table/:what/import', { staff: 'setUp' }],
} as const satisfies Record<string, readonly [Method, string, DeskAccess]>;

export type DeskAccess = 'public' | { readonly staff: Privilege };
export type DeskCallId = keyof typeof deskRoutes;
