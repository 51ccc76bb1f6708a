import {
  changePassword,
  confirmInformation,
  endSessions,
  exportData,
  listSessions,
  updateMe,
} from './account.ts';
import { captchaChallenge, login, logout, renewSession } from './auth.ts';
import { createDemographics, findDemographics, saveAgreement } from './demographics.ts';
import { shouldUploadDocument, uploadDocuments } from './documents.ts';
import { reportProblem, saveError } from './feedback.ts';
import { readMedicalProfile, saveMedicalProfile } from './medical-profile.ts';
import {
  changeMessage,
  listMessages,
  readAttachment,
  readMessage,
  startMessage,
} from './messages.ts';
import { addPreferredPharmacy, listPharmacies } from './pharmacies.ts';
import {
  confirmEmail,
  mintDashboardLink,
  register,
  resendConfirmation,
  resetPassword,
  sendResetCode,
  validateRecovery,
} from './registration.ts';
import {
  doctorSchedule,
  doctorStatus,
  earliestSlot,
  getPatientRecord,
  getProvider,
  listDoctors,
} from './doctors.ts';
import { checkNoPcp, getMe, listAppointments } from './me.ts';
import { charge } from './charge.ts';
import type { CallId } from './routes.ts';
import {
  cancelAppointment,
  createBooking,
  placeHold,
  readHold,
  releaseHold,
  saveDraft,
} from './schedule.ts';
import { appState, getConfig, recordsStatus } from './services.ts';

/** Every registered call, once. The service registers no other, and the system tests go through this list. */
export const calls = {
  getMe,
  checkNoPcp,
  listAppointments,
  shouldUploadDocument,
  updateMe,
  confirmInformation,
  listSessions,
  endSessions,
  changePassword,
  exportData,
  listDoctors,
  getProvider,
  doctorStatus,
  doctorSchedule,
  earliestSlot,
  getPatientRecord,
  createBooking,
  cancelAppointment,
  placeHold,
  readHold,
  releaseHold,
  saveDraft,
  charge,
  appState,
  recordsStatus,
  getConfig,
  findDemographics,
  createDemographics,
  saveAgreement,
  saveMedicalProfile,
  readMedicalProfile,
  reportProblem,
  saveError,
  listPharmacies,
  addPreferredPharmacy,
  listMessages,
  startMessage,
  uploadDocuments,
  readMessage,
  changeMessage,
  readAttachment,
  captchaChallenge,
  login,
  register,
  confirmEmail,
  resendConfirmation,
  validateRecovery,
  sendResetCode,
  resetPassword,
  mintDashboardLink,
  logout,
  renewSession,
} as const satisfies { readonly [Id in CallId]: { readonly id: Id } };

export type Calls = typeof calls;

export {
  answersOf,
  type Call,
  type CallLimit,
  type CallShape,
  type FilesShape,
  type RefusalStatus,
} from './call.ts';
export { fieldError, refusal } from './envelope.ts';
export { appointment, appointmentTypeEntry, doctor, user } from './me.ts';
export { agreementKind } from './demographics.ts';
export { medicalProfile } from './medical-profile.ts';
export {
  attachment,
  messageEntry,
  messageSummary,
  messageThread,
  MESSAGE_LENGTH,
} from './messages.ts';
export { pharmacy } from './pharmacies.ts';
export { doctorStatusEntry, scheduleDay } from './doctors.ts';
export { slotChange } from './live.ts';
export { bookingAnswers, bookingResult, hold } from './schedule.ts';
export { clinicConfig } from './services.ts';
export { threeFiles } from './api-types.ts';
export { routes, type Access, type CallId, type Method } from './routes.ts';
export type * from './types.ts';
