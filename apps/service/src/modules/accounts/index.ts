import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { registerAccount } from './account.ts';
import { registerAddressChanges } from './address/address-change.ts';
import { registerDashboardLinks } from './dashboard-link.ts';
import { handleAccountEmails } from './account-emails.ts';
import { registerPasswords } from './password.ts';
import { registerSignIn } from './sign-in.ts';
import { registerAccountLinks } from './sign-up/account-link.ts';
import { registerEmailConfirmation } from './sign-up/confirm-email.ts';
import { registerSignUp } from './sign-up/sign-up.ts';

export function registerAccounts(app: FastifyInstance, platform: Platform): void {
  handleAccountEmails(platform);
  registerSignIn(app, platform);
  registerDashboardLinks(app, platform);
  registerSignUp(app, platform);
  registerEmailConfirmation(app, platform);
  registerPasswords(app, platform);
  registerAccountLinks(app, platform);
  registerAddressChanges(app, platform);
  registerAccount(app, platform);
}

export {
  agreementsOf,
  insertAgreement,
  insertVersion,
  publishedAgreements,
  versionsOf,
  wordsByHash,
} from './agreements.store.ts';
export { correctEmail, invitePatient } from './sign-up/account-link.ts';
export { refusedPassword } from './password.ts';
export { deviceOf } from './sign-in.ts';
export { recordBounce, returnAddress } from './address/bounces.ts';
export {
  type Bounce,
  bounceOf,
  bouncedAccounts,
  emailsOfAccounts,
} from './address/bounces.store.ts';
export { dashboardSignature } from './dashboard-link.ts';
export {
  noteSignUpSeen,
  pendingSignUps,
  refusedSignUps,
  spentSignUps,
} from './sign-up/sign-ups.store.ts';
export {
  ACCOUNTS,
  type Account,
  KEPT_PEOPLE,
  PATIENTS_WHO_BOOK,
  PATIENTS_WHO_SIGN_IN,
  PATIENT_EMAILS,
  accountsOfRecords,
  eraseLinksOfRecord,
  erasePatient,
  findAccount,
  findPatient,
  isCardTaken,
  lockAccount,
  patientOf,
  patientsByName,
  updatePatient,
} from './store.ts';
export {
  type Decider,
  NO_DECIDER,
  decideAddress,
  openChangeShown,
  refusedByStanding,
  workOnAddresses,
} from './address/address-change.ts';
export { enqueueAccountEmail } from './account-emails.ts';
export {
  isChartOfAnother,
  accountOfChart,
  likelyCharts,
  recordOfAnother,
  whyItIsUnsure,
} from './chart-owners.ts';
export {
  type OwnDetails,
  type Person,
  cardNumberOf,
  identityOf,
  newChartOf,
  newRecordOf,
  ownDetails,
  personOf,
  versionOfPerson,
} from './open-patient.ts';
export { type CardIndexes, cardIndexes, lockPerson, wordOf } from './same-person.ts';
export { endLinksOf, linkOfRecord, spentAccountLinks } from './sign-up/account-link.store.ts';
export { UPLOAD_TO_EMR } from './account.ts';
export { readFamilyDoctor } from './family-doctor.ts';
export {
  accountsToCall,
  isSilenced,
  spentEmailChanges,
  standingOfAddress,
} from './address/address-change.store.ts';
