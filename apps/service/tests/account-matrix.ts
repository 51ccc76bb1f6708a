import type { CallId } from '@clinic/contract';
import { type MatrixRow, notOwned, owned, words } from './matrix-rules.ts';
import type { TwoPatients } from './two-patients.ts';

const othersEmail = ({ other }: TwoPatients) => [other.row.email];
const proof = words('a proof of work');
const form = words('a field of the form');
/** What a form says of itself. */
export const olderForm = {
  'headers.x-changed': words('names of fields'),
  'headers.x-form-version': words('hashes of one’s own fields'),
};

/** Sign-in, sign-up, recovery and My Account: who asks is told nothing about anybody else (S-7). */
export const accountMatrix = {
  login: {
    'body.email': owned({
      others: othersEmail,
      unknown: 'nobody@test.example',
      status: 401,
      code: 'wrongCredentials',
    }),
    'body.password': words('a password'),
    'body.recaptcha': proof,
  },
  updateMe: {
    ...olderForm,
    'body.firstName': words('a name that is not believed (R-8)'),
    'body.lastName': words('a name that is not believed (R-8)'),
    'body.address': form,
    'body.city': form,
    'body.province': form,
    'body.postal': form,
    'body.phone': form,
    'body.mobile': form,
    'body.internationalPhone': form,
    'body.sex': form,
    'body.country': form,
    'body.familyDoc': words('yes or no, by a number of the configuration'),
    'body.preferredPharmacy': notOwned('a pharmacy'),
  },
  confirmInformation: {
    ...olderForm,
    'body.familyDoc': words('yes or no, by a number of the configuration'),
    'body.language': words('a language that the clinic offers'),
  },
  listSessions: {},
  endSessions: {},
  changePassword: {
    'body.currentPassword': words('a password'),
    'body.newPassword': words('a password'),
  },
  register: {
    'body.firstName': form,
    'body.lastName': form,
    'body.gender': form,
    'body.address': form,
    'body.city': form,
    'body.province': form,
    'body.postal': form,
    'body.phone': form,
    'body.mobilePhone': form,
    'body.internationalPhone': form,
    'body.email': words('an address; of a known one its owner is told (R-65)'),
    'body.emailConfirm': form,
    'body.password': words('a password'),
    'body.passwordConfirm': words('a password'),
    'body.healthCardProvince': form,
    'body.healthCardNumber': words('a card; of a known one is told behind the link (R-65)'),
    'body.healthCardNumberConfirm': form,
    'body.country': form,
    'body.preferredPharmacy': notOwned('a pharmacy'),
    'body.consent.version': words('a version'),
    'body.recaptcha': proof,
  },
  confirmEmail: {
    'body.token': words('a secret that was mailed'),
    'body.password': words('a password'),
  },
  resendConfirmation: {
    'body.email': words('an address; the answer is the same for every one (S-7)'),
    'body.recaptcha': proof,
  },
  validateRecovery: {
    'body.email': owned({
      others: othersEmail,
      unknown: 'nobody@test.example',
      status: 422,
      code: 'recoveryRefused',
    }),
    'body.hin': owned({
      others: ({ other }) => [other.cardNumber],
      unknown: '9000000002',
      status: 422,
      code: 'recoveryRefused',
    }),
    'body.recaptcha': proof,
  },
  sendResetCode: {
    'body.email': words('an address; the answer is the same for every one (S-7)'),
  },
  resetPassword: {
    'body.email': owned({
      others: othersEmail,
      unknown: 'nobody@test.example',
      status: 422,
      code: 'resetRefused',
    }),
    'body.code': words('a secret that was mailed'),
    'body.password': words('a password'),
  },
  readAccountLink: { 'body.token': words('a secret that was mailed') },
  acceptAccountLink: {
    'body.token': words('a secret that was mailed'),
    'body.card': words('a card, behind a secret that was mailed'),
    'body.password': words('a password'),
    'body.consent.version': words('a version'),
  },
  answerAddressChange: {
    'body.token': words('a secret that was mailed'),
  },
  mintDashboardLink: {
    'headers.x-dashboard-time': words('a time'),
    'headers.x-dashboard-signature': words('a signature'),
    'body.email': words('an address, under the dashboard’s signature'),
  },
} satisfies Partial<Record<CallId, MatrixRow>>;

export const publicAccountCalls = [
  'login',
  'register',
  'confirmEmail',
  'resendConfirmation',
  'validateRecovery',
  'sendResetCode',
  'resetPassword',
  'readAccountLink',
  'acceptAccountLink',
  'answerAddressChange',
  'mintDashboardLink',
];
