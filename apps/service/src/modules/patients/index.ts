export { registerAccount } from './account-routes.ts';
export { dashboardSignature } from './dashboard-link.ts';
export { deviceCookie, guessLimits, knownGuesser } from './device.ts';
export { isFamilyDoctorAnswer, saidFamilyDoctor } from './family-doctor.ts';
export { DEVICE_KNOWN_FOR, forgetDevices } from './known-devices.store.ts';
export {
  type FoundPatient,
  type PatientChange,
  accountToClose,
  blockPatient,
  changePatient,
  closeAccount,
  findPatient,
  listPatients,
  unblockPatient,
} from './patient-administration.store.ts';
export { PATIENTS_WHO_BOOK } from './parts.store.ts';
export { type PatientRow, patientOf } from './patients.store.ts';
export {
  type PendingSignUp,
  SIGN_UP_TRIES,
  type SignUpForm,
  countPasswordTry,
  endFormsOf,
  forgetPasswordTries,
  insertForm,
  lockFormsOf,
  newestFormOf,
  pendingSignUps,
  signUpForm,
  waitingFormsBeside,
} from './pending-sign-ups.store.ts';
export { registerClinic } from './record-routes.ts';
export { registerRecovery } from './recovery-routes.ts';
export { registerRegistration } from './registration-routes.ts';
export {
  type AccountEmail,
  enqueueAccountEmail,
  handleAccountEmails,
} from './send-account-email.ts';
export { registerAuth } from './sign-in-routes.ts';
