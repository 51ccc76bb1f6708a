/**
 * Method, path and access of every patients' call, without schemas, so that browsers load this table and not
 * zod.
 *
 * `patient` needs an access token; `public` does not. Paths are relative to `/api`; one that ends in a slash
 * is found without it too.
 */
export const routes = {
  getMe: ['GET', '/me', 'patient'],
  checkNoPcp: ['GET', '/me/check-nopcp', 'patient'],
  listAppointments: ['GET', '/me/appointments', 'patient'],
  shouldUploadDocument: ['GET', '/me/should-upload-document', 'patient'],
  updateMe: ['POST', '/me', 'patient'],
  confirmInformation: ['POST', '/me/shouldupdate', 'patient'],
  listSessions: ['GET', '/me/sessions', 'patient'],
  endSessions: ['DELETE', '/me/sessions', 'patient'],
  changePassword: ['POST', '/me/password', 'patient'],
  exportData: ['GET', '/me/export', 'patient'],

  listDoctors: ['GET', '/doctors', 'patient'],
  getProvider: ['GET', '/doctors/provider/:id', 'patient'],
  doctorStatus: ['GET', '/doctors/status', 'patient'],
  doctorSchedule: ['GET', '/doctors/schedule', 'patient'],
  earliestSlot: ['GET', '/doctors/earliest', 'patient'],
  getPatientRecord: ['GET', '/clinic/admin/patient/:demographicNo', 'patient'],

  createBooking: ['POST', '/schedule/create', 'patient'],
  cancelAppointment: ['DELETE', '/schedule/:id', 'patient'],
  placeHold: ['POST', '/schedule/hold', 'patient'],
  readHold: ['GET', '/schedule/hold', 'patient'],
  releaseHold: ['DELETE', '/schedule/hold', 'patient'],
  saveDraft: ['PUT', '/schedule/hold/draft', 'patient'],

  charge: ['POST', '/services/charge', 'patient'],
  appState: ['GET', '/services/appstate', 'patient'],
  recordsStatus: ['GET', '/services/oscarStatus', 'public'],
  getConfig: ['GET', '/services/config', 'public'],
  findDemographics: ['GET', '/demographics', 'patient'],
  createDemographics: ['POST', '/demographics/create', 'patient'],
  saveAgreement: ['POST', '/services/agreement/save', 'patient'],
  saveMedicalProfile: ['POST', '/services/emedical/getorcreate', 'patient'],
  readMedicalProfile: ['GET', '/services/emedical', 'patient'],
  reportProblem: ['POST', '/services/problem', 'patient'],
  saveError: ['POST', '/services/saveerror', 'public'],

  listPharmacies: ['GET', '/pharmacy/all', 'public'],
  addPreferredPharmacy: ['POST', '/pharmacy/addPreferredPharmacy', 'patient'],

  listMessages: ['GET', '/message/', 'patient'],
  startMessage: ['POST', '/message', 'patient'],
  uploadDocuments: ['POST', '/message/upload', 'patient'],
  readMessage: ['GET', '/message/:id', 'patient'],
  changeMessage: ['PUT', '/message/:id', 'patient'],
  readAttachment: ['GET', '/message/file/:id', 'patient'],

  captchaChallenge: ['GET', '/captcha/challenge', 'public'],
  login: ['POST', '/login', 'public'],
  register: ['POST', '/register', 'public'],
  confirmEmail: ['POST', '/register/confirm', 'public'],
  resendConfirmation: ['POST', '/register/resend', 'public'],
  validateRecovery: ['POST', '/login/forgot/validate', 'public'],
  sendResetCode: ['POST', '/login/forgot', 'public'],
  resetPassword: ['POST', '/login/reset', 'public'],
  readAccountLink: ['POST', '/account/link', 'public'],
  acceptAccountLink: ['POST', '/account/link/accept', 'public'],
  answerAddressChange: ['POST', '/account/address', 'public'],
  mintDashboardLink: ['POST', '/dashboard/link', 'public'],
  logout: ['POST', '/logout', 'patient'],
  renewSession: ['POST', '/session/renew', 'patient'],
} as const satisfies Record<string, readonly [Method, string, Access]>;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Access = 'public' | 'patient';
export type CallId = keyof typeof routes;
