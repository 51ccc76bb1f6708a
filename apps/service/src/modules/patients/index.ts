import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAccountLinks } from './account-link.ts';
import { registerAccount } from './account.ts';
import { registerDashboardLinks } from './dashboard-link.ts';
import { fileAcceptedDocuments, tellOfUploads } from './documents.ts';
import { handleAccountEmails } from './emails.ts';
import { registerPasswords } from './password.ts';
import { registerRecord } from './record.ts';
import { registerSignIn } from './sign-in.ts';
import { registerSignUp } from './sign-up.ts';

export function registerPatients(app: FastifyInstance, platform: Platform): void {
  handleAccountEmails(platform);
  fileAcceptedDocuments(platform);
  tellOfUploads(platform);
  registerSignIn(app, platform);
  registerDashboardLinks(app, platform);
  registerSignUp(app, platform);
  registerPasswords(app, platform);
  registerAccountLinks(app, platform);
  registerAccount(app, platform);
  registerRecord(app, platform);
}

export {
  agreementsOf,
  insertAgreement,
  insertVersion,
  publishedAgreements,
  versionsOf,
  wordsByHash,
} from './agreements.store.ts';
export { correctEmail, invitePatient } from './account-link.ts';
export { linkOfRecord, spentAccountLinks } from './account-link.store.ts';
export {
  type PatientChange,
  blockPatient,
  changePatient,
  closeAccount,
  findPatients,
  listPatients,
  matchRecord,
  unblockPatient,
} from './administration.ts';
export { addPatient, correctDetails } from './corrections.ts';
export { foreseeMerge, mergePatients, undoMerge } from './merge.ts';
export { recordBounce, returnAddress } from './bounces.ts';
export { type Bounce, bounceOf, bouncedAccounts } from './bounces.store.ts';
export {
  type DocumentDecision,
  LONGEST_DOCUMENT_REASON,
  decideDocument,
  listDocuments,
  openDocument,
} from './documents.ts';
export { type DocumentPlace, countDocumentsNotInEmr } from './documents.store.ts';
export { type Person, cardNumberOf, personOf, versionOfPerson } from './open-patient.ts';
export { dashboardSignature } from './dashboard-link.ts';
export { patientNames } from './find-patients.store.ts';
export {
  ACCOUNTS,
  type FoundPatient,
  PATIENTS_WHO_BOOK,
  PATIENTS_WHO_SIGN_IN,
  PATIENT_EMAILS,
  erasePatient,
  findPatient,
  patientOf,
  pendingSignUps,
  spentDevices,
  spentSignUps,
} from './store.ts';
