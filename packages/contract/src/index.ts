import { captchaChallenge, login, logout, renewSession } from './auth.ts';
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
import { appState, findDemographics, getConfig, recordsStatus } from './services.ts';

/** Every registered call, once. The service registers no other, and the test houses walk this list. */
export const calls = {
  getMe,
  checkNoPcp,
  listAppointments,
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
  captchaChallenge,
  login,
  logout,
  renewSession,
} as const satisfies { readonly [Id in CallId]: { readonly id: Id } };

export type Calls = typeof calls;

export { answersOf, type Call, type CallShape, type RefusalStatus } from './call.ts';
export { fieldError, refusal } from './envelope.ts';
export { appointment, appointmentTypeEntry, doctor, user } from './me.ts';
export { doctorStatusEntry, scheduleDay } from './doctors.ts';
export { slotChange } from './live.ts';
export { bookingAnswers, bookingResult, hold } from './schedule.ts';
export { clinicConfig } from './services.ts';
export { routes, type Access, type CallId, type Method } from './routes.ts';
export type * from './types.ts';
