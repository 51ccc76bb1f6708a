import { MEDICAL_PROFILE_FIELDS } from '@clinic/domain';
import { z } from 'zod';
import type { DeskCallId, deskRoutes } from './desk-routes.ts';
import type { CallId, routes } from './routes.ts';
import { text } from './shapes.ts';

/**
 * What a form says of itself when it is saved. Both are optional: a call without them saves all that it sends.
 * In headers, as version 0.2.0 refuses a body with a field that it does not know.
 */
export const formHeaders = z.object({
  /** Names of the fields that were changed in the form, with commas between them. The others stay as they are. */
  'x-changed': text(300).optional(),
  /** The `formVersion` of what the form was made of. */
  'x-form-version': text(2000).optional(),
});

/** Identifies the values that a form is made of, field by field: `city:1x7bQ2aZ,…`. */
export const formVersion = z.string();

/**
 * What a call that changes something does with a form that was opened before somebody else saved:
 * - `fields`: with the version of what the form was made of (`of` is the call that gives it), it keeps what
 * somebody else saved, and is refused with 409 and the names of those fields that both changed.
 * - `seen`: it names what its sender saw, and is refused when that has changed.
 * - `adds`: it adds something of its own, and replaces nothing.
 * - `act`: it does one thing that is asked for now; the service decides whether it still may.
 * - `latest`: it is one choice, or answers that are saved while they are typed; the last one holds.
 * - `looks`: it changes nothing.
 */
export type OlderForm =
  | { readonly fields: readonly string[]; readonly of: CallId | DeskCallId }
  | 'seen'
  | 'adds'
  | 'act'
  | 'latest'
  | 'looks';

type AllRoutes = typeof routes & typeof deskRoutes;
/** Every call but those that only read. */
export type ChangingCallId = {
  [Id in keyof AllRoutes]: AllRoutes[Id][0] extends 'GET' ? never : Id;
}[keyof AllRoutes];

const PROFILE = [
  'address',
  'city',
  'province',
  'postal',
  'country',
  'sex',
  'phone',
  'mobile',
  'internationalPhone',
  'familyDoc',
  'preferredPharmacy',
];

/** Sunday first, as a week is sent. */
export const WEEK_FIELDS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** How each call treats an older form. A call without a row does not compile. */
export const olderForms = {
  updateMe: { fields: PROFILE, of: 'getMe' },
  confirmInformation: { fields: ['familyDoc'], of: 'getMe' },
  addPreferredPharmacy: { fields: ['preferredPharmacy'], of: 'getMe' },
  saveMedicalProfile: { fields: MEDICAL_PROFILE_FIELDS, of: 'readMedicalProfile' },
  // Its JSON edits a text; its form adds one.
  changeMessage: { fields: ['message'], of: 'readMessage' },
  saveAgreement: 'seen',
  // What is booked is what the booking itself sends.
  saveDraft: 'latest',
  startMessage: 'adds',
  uploadDocuments: 'adds',
  reportProblem: 'adds',
  saveError: 'adds',
  register: 'adds',
  createDemographics: 'adds',
  endSessions: 'act',
  changePassword: 'act',
  createBooking: 'act',
  cancelAppointment: 'act',
  placeHold: 'act',
  releaseHold: 'act',
  charge: 'act',
  login: 'act',
  logout: 'act',
  renewSession: 'act',
  confirmEmail: 'act',
  resendConfirmation: 'act',
  sendResetCode: 'act',
  resetPassword: 'act',
  acceptAccountLink: 'act',
  answerAddressChange: 'act',
  mintDashboardLink: 'act',
  validateRecovery: 'looks',
  readAccountLink: 'looks',

  deskCorrectPatient: {
    fields: ['firstName', 'lastName', 'birthDate', 'card'],
    of: 'deskOpenPatient',
  },
  deskChangePatient: {
    fields: ['eligibility', 'providerId', 'withoutTypes'],
    of: 'deskOpenPatient',
  },
  deskBlockPatient: { fields: ['block'], of: 'deskOpenPatient' },
  deskDecideDocument: { fields: ['decision'], of: 'deskOpenPatient' },
  deskAssignMessage: { fields: ['staffId'], of: 'deskOpenMessage' },
  deskKeepReply: { fields: ['name', 'text'], of: 'deskSavedReplies' },
  deskSaveWeek: { fields: WEEK_FIELDS, of: 'deskWeek' },
  deskSaveDay: { fields: ['codes'], of: 'deskSingleDay' },
  deskMaintenance: { fields: ['maintenance'], of: 'deskSetUp' },
  deskDropReply: 'seen',
  deskAnswerMessage: 'seen',
  deskCloseMessage: 'seen',
  deskNoteAttendance: 'seen',
  deskNoteConsents: 'seen',
  // One choice of the clinician alone.
  deskSayLate: 'latest',
  // For good, and every language with the English that binds: never put together from two hands.
  deskPublishText: 'seen',
  // Its preview shows the rows that it replaces, and names them.
  deskImportTable: 'seen',
  deskNoteMessage: 'adds',
  deskNoteContact: 'adds',
  deskNoteOnCard: 'adds',
  deskNoteWish: 'adds',
  deskStrikeOnCard: 'act',
  deskNoteCall: 'adds',
  deskAddPatient: 'adds',
  deskInvite: 'adds',
  deskExportAudit: 'adds',
  deskAddPasskey: 'adds',
  deskCloseTime: 'adds',
  deskBook: 'adds',
  deskSignIn: 'act',
  deskAskPasskey: 'act',
  deskAcceptInvitation: 'act',
  deskLock: 'act',
  deskUnlock: 'act',
  deskSignOut: 'act',
  deskAskOwnPasskey: 'act',
  deskAskNewPasskey: 'act',
  deskRemovePasskey: 'act',
  deskChooseLanguage: 'latest',
  deskChangePassword: 'act',
  deskEndOwnSessions: 'act',
  deskCancelAppointment: 'act',
  deskUndo: 'act',
  deskMoveAppointment: 'act',
  deskPayAtClinic: 'act',
  deskTakeFee: 'act',
  deskWaiveFee: 'act',
  deskFeeBack: 'act',
  deskStrikeFee: 'act',
  deskApplyFees: 'act',
  deskTakeBackCall: 'act',
  deskReopenTime: 'act',
  deskDecideGone: 'act',
  deskStop: 'act',
  deskReadEmr: 'act',
  deskCorrectEmail: 'act',
  deskDecideAddress: 'act',
  deskInvitePatient: 'act',
  deskTellApart: 'act',
  deskSeeToSignUp: 'act',
  deskDecideChart: 'act',
  deskOpenChart: 'act',
  deskMergePatients: 'act',
  deskUndoMerge: 'act',
  deskCloseAccount: 'act',
  deskResetFactor: 'act',
  deskCloseStaff: 'act',
  deskEndStaffSessions: 'act',
  deskRefund: 'act',
  deskReconcile: 'act',
  deskReadInvitation: 'looks',
  deskPrintDay: 'looks',
  deskOpenAppointment: 'looks',
  deskFindPatients: 'looks',
  deskFindCharts: 'looks',
  deskLikelyPatients: 'looks',
  deskLikelyCharts: 'looks',
  deskBookingOptions: 'looks',
  deskFreeTimes: 'looks',
  deskForeseeClosing: 'looks',
  deskForeseenPatients: 'looks',
  deskOpenMessage: 'looks',
  deskOpenSuggestion: 'looks',
  deskPatientsWaiting: 'looks',
  deskOpenPatient: 'looks',
  deskShowCard: 'looks',
  deskOpenDocument: 'looks',
  deskForeseeMerge: 'looks',
  deskAuditTrail: 'looks',
  deskStatistics: 'looks',
  deskExportTable: 'looks',
} as const satisfies Readonly<Record<ChangingCallId, OlderForm>>;

/** The calls that save a form over what is stored. */
export type FormCallId = {
  [Id in ChangingCallId]: (typeof olderForms)[Id] extends { readonly fields: readonly string[] }
    ? Id
    : never;
}[ChangingCallId];
