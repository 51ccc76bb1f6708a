import type { CallId } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { dashboardSignature } from '../src/modules/accounts/index.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { type AskOptions, PASSWORD } from '../testing/index.ts';
import { DASHBOARD_SECRET, type TwoPatients } from './two-patients.ts';

let asked = 0;
const proof = () => `ok:${crypto.randomUUID()}`;
const email = ({ asker }: TwoPatients) => asker.row.email;
const token = ({ asker }: TwoPatients) => asker.token;

/** Requests of sign-up, recovery, the dashboard and My Account that are answered with 200. */
export const accountRequests = {
  updateMe: (clinic) => ({
    token: token(clinic),
    body: {
      address: '2 Main Street',
      city: 'Vancouver',
      province: 'BC',
      postal: 'V5K 0A1',
      phone: '6045550101',
      sex: 'Other',
      country: 'Canada',
      preferredPharmacy: 'pharmacy-main',
    },
  }),
  confirmInformation: (clinic) => ({ token: token(clinic), body: { shouldUpdate: false } }),
  listSessions: (clinic) => ({ token: token(clinic) }),
  endSessions: (clinic) => ({ token: token(clinic) }),
  changePassword: (clinic) => ({
    token: token(clinic),
    body: { currentPassword: PASSWORD, newPassword: 'Another-2026' },
  }),
  register: () => {
    const address = `stranger${++asked}@test.example`;
    const card = validBcNumber(50_000 + asked);
    return {
      body: {
        firstName: 'Bea',
        lastName: 'Stranger',
        gender: 'Female',
        address: '9 Main Street',
        city: 'Vancouver',
        province: 'BC',
        postal: 'V5K 0A1',
        mobilePhone: '6045550190',
        email: address,
        emailConfirm: address,
        password: 'Practice-2026',
        passwordConfirm: 'Practice-2026',
        healthCardProvince: 'BC',
        healthCardNumber: card,
        healthCardNumberConfirm: card,
        country: 'Canada',
        birthDay: 17,
        birthMonth: 5,
        birthYear: 1984,
        preferredPharmacy: 'pharmacy-main',
        consent: { given: true, version: currentAgreement('signUp').version },
        recaptcha: proof(),
      },
    };
  },
  confirmEmail: ({ mailed }) => ({ body: { token: mailed.confirmToken, password: PASSWORD } }),
  resendConfirmation: (clinic) => ({ body: { email: email(clinic), recaptcha: proof() } }),
  validateRecovery: (clinic) => {
    const [year, month, day] = clinic.asker.row.birthDate.split('-').map(Number);
    const hin = clinic.asker.cardNumber;
    const born = { birthYear: year, birthMonth: month, birthDay: day };
    return { body: { email: email(clinic), ...born, hin, recaptcha: proof() } };
  },
  sendResetCode: (clinic) => ({ body: { email: email(clinic) } }),
  readAccountLink: ({ mailed }) => ({ body: { token: mailed.linkToken } }),
  acceptAccountLink: ({ mailed, asker }) => {
    const [birthYear, birthMonth, birthDay] = asker.row.birthDate.split('-').map(Number);
    return { body: { token: mailed.linkToken, birthYear, birthMonth, birthDay } };
  },
  answerAddressChange: ({ mailed }) => ({
    body: { token: mailed.changeToken, answer: 'confirm' },
  }),
  resetPassword: (clinic) => ({
    body: { email: email(clinic), code: clinic.mailed.resetCode, password: 'Another-2026' },
  }),
  // A signature is good once, so no two bodies are the same.
  mintDashboardLink: (clinic) =>
    signed(clinic, { email: `${' '.repeat(++asked % 100)}${email(clinic)}`, selectedAppType: 'I' }),
} satisfies Partial<Record<CallId, (clinic: TwoPatients) => AskOptions>>;

function signed({ clock }: TwoPatients, body: object): AskOptions {
  const time = String(clock.now());
  const signature = dashboardSignature(DASHBOARD_SECRET, time, JSON.stringify(body));
  return { body, headers: { 'x-dashboard-time': time, 'x-dashboard-signature': signature } };
}
