import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAccountLinks } from './account-link.ts';
import { registerAddressChanges } from './address-change.ts';
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
  registerAddressChanges(app, platform);
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
export { type Decider, changeShown, decideAddress, workOnAddresses } from './address-change.ts';
export {
  accountsToCall,
  isSilenced,
  openChangeOf,
  spentEmailChanges,
  standingOfAddress,
} from './address-change.store.ts';
export { linkOfRecord, spentAccountLinks } from './account-link.store.ts';
export {
  type PatientChange,
  blockPatient,
  changePatient,
  offersOf,
  closeAccount,
  findPatients,
  unblockPatient,
} from './administration.ts';
export { findCharts, openChart } from './found-in-emr.ts';
export { correctDetails } from './corrections.ts';
export { chartsOfPatient, decideChart, isChartOfAnother, lookAtCharts } from './charts.ts';
export type { ChartsOfPatient, ComparedChart } from './charts.ts';
export { foldNames, tellApart } from './likely.ts';
export {
  type SignUpsToSeeTo,
  signUpsToSeeTo,
  unclearPatients,
  waitingPairs,
} from './likely.store.ts';
export { spentPairs } from './likely.store.ts';
export { addPatient, likelyPatients } from './new-patient.ts';
export { foreseeMerge, mergePatients, undoMerge } from './merge.ts';
export { refusedPassword } from './password.ts';
export { deviceOf } from './sign-in.ts';
export { recordBounce, returnAddress } from './bounces.ts';
export { type Bounce, bounceOf, bouncedAccounts, emailsOfAccounts } from './bounces.store.ts';
export {
  type DocumentDecision,
  LONGEST_DOCUMENT_REASON,
  decideDocument,
  listDocuments,
  openDocument,
} from './documents.ts';
export { type DocumentPlace, countDocumentsNotInEmr } from './documents.store.ts';
export {
  type Person,
  cardNumberOf,
  identityOf,
  personOf,
  versionOfPerson,
} from './open-patient.ts';
export { dashboardSignature } from './dashboard-link.ts';
export { patientNames, recordsOf, spentFoldedNames } from './find-patients.store.ts';
export {
  KEPT_PEOPLE,
  type FoundPatient,
  PATIENTS_WHO_BOOK,
  PATIENTS_WHO_SIGN_IN,
  PATIENT_EMAILS,
  eraseOfRecord,
  erasePatient,
  findPatient,
  patientOf,
  patientsByName,
  noteSignUpSeen,
  pendingSignUps,
  refusedSignUps,
  spentSignUps,
} from './store.ts';
