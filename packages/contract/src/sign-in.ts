import { z } from 'zod';
import { call } from './call.ts';
import {
  done,
  doneWithMessage,
  emailInForm,
  emailOfAccount,
  envelope,
  epochSeconds,
  line,
  nameInForm,
  proof,
  text,
  typedPhone,
} from './shapes.ts';

const token = text(200).min(16);

/** the calls of password recovery also answer `status`. */
const recovered = z.object({
  success: z.literal(true),
  status: z.literal(true),
  extras: z.object({ message: z.string() }),
});

export const signInCalls = {
  captchaChallenge: call('captchaChallenge', {
    summary: 'A proof-of-work challenge for the self-hosted captcha.',
    section: 'S-6 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.looseObject({}),
  }),
  login: call('login', {
    summary: 'Sign in with e-mail and password.',
    section: '§5 Login, §7, R-3, R-60',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({
      method: z.literal('email'),
      email: emailOfAccount,
      password: text(128).min(1),
      recaptcha: proof,
    }),
    answer: envelope({ accessToken: z.string(), message: z.string() }),
    refusals: [401, 403],
  }),
  logout: call('logout', {
    summary:
      'End this session everywhere it is used; a slot in hand is given back unless it is kept.',
    section: 'R-3, R-30 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    query: z.object({ hold: z.enum(['keep']).optional() }),
    answer: done,
  }),
  renewSession: call('renewSession', {
    summary: 'The patient is still there: the idle limit starts again.',
    section: 'R-3 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    answer: done,
  }),
  register: call('register', {
    summary: 'Sign up. The answer is the same whether address or card are known or not.',
    section: '§3 Registration payload, §5 Sign-up, §7, R-65',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({
      firstName: nameInForm(100),
      lastName: nameInForm(100),
      gender: line(20),
      address: line(200),
      city: line(100),
      province: line(100),
      postal: line(20),
      phone: typedPhone.nullish(),
      mobilePhone: typedPhone.nullish(),
      internationalPhone: typedPhone.nullish(),
      email: emailInForm,
      emailConfirm: emailInForm,
      password: text(128),
      passwordConfirm: text(128),
      healthCardProvince: text(100).nullish(),
      healthCardNumber: text(40).nullish(),
      healthCardNumberConfirm: text(40).nullish(),
      country: line(100),
      birthDay: z.int().min(0).max(99),
      birthMonth: z.int().min(0).max(99),
      birthYear: z.int().min(0).max(9999),
      /** A pharmacy's id. */
      preferredPharmacy: text(64).nullish(),
      /** Whether the consent was ticked, with the version of its text. */
      consent: z.strictObject({ given: z.boolean(), version: text(40) }).nullish(),
      recaptcha: proof,
    }),
    /** the answer stands under `data` as well. */
    answer: doneWithMessage.extend({ data: doneWithMessage }),
  }),
  confirmEmail: call('confirmEmail', {
    summary:
      'Follow the link of the confirmation mail, valid for 6 hours, with the password of its form; 5 tries.',
    section: '§2 Sign Up, R-66, R-97 (ours)',
    limit: 'tokens',
    idempotency: 'natural',
    body: z.strictObject({ token, password: text(128) }),
    answer: doneWithMessage,
    refusals: [409],
  }),
  resendConfirmation: call('resendConfirmation', {
    summary:
      'Send the confirmation mail again. The answer never says whether the address is known.',
    section: 'R-66, R-97 (ours)',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ email: emailOfAccount, recaptcha: proof }),
    answer: doneWithMessage,
  }),
  validateRecovery: call('validateRecovery', {
    summary: 'Whether e-mail, birth date and, when given, card number belong to one account.',
    section: '§2 Password recovery, §5 Forgot password, §7, R-67',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({
      email: emailOfAccount,
      birthDay: z.int().min(0).max(99),
      birthMonth: z.int().min(0).max(99),
      birthYear: z.int().min(0).max(9999),
      hin: text(40).nullish(),
      recaptcha: proof,
    }),
    answer: recovered,
    refusals: [409],
  }),
  sendResetCode: call('sendResetCode', {
    summary: 'Mail the code with which a password is reset; 8 characters, 15 minutes, 5 tries.',
    section: '§7, R-67',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ email: emailOfAccount }),
    answer: recovered,
  }),
  resetPassword: call('resetPassword', {
    summary: 'Set a new password with the mailed code; every session of the account ends.',
    section: '§5 Forgot password, §7, R-67',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ email: emailOfAccount, code: text(40), password: text(128) }),
    answer: recovered,
  }),
  readAccountLink: call('readAccountLink', {
    summary: 'What a link does that the clinic had mailed, and what its page asks for.',
    section: 'R-97 (ours)',
    limit: 'tokens',
    idempotency: 'natural',
    body: z.strictObject({ token }),
    answer: envelope({
      /** A new address for an account, or a new account for a patient whom the clinic knows. */
      kind: z.enum(['email', 'invitation']),
      email: z.string(),
      asksForCard: z.boolean(),
    }),
    refusals: [409],
  }),
  acceptAccountLink: call('acceptAccountLink', {
    summary:
      'Open such a link with the birth date, and of an invitation the card, a password and the consent; 5 tries.',
    section: 'R-97 (ours)',
    limit: 'tokens',
    idempotency: 'natural',
    body: z.strictObject({
      token,
      birthDay: z.int().min(0).max(99),
      birthMonth: z.int().min(0).max(99),
      birthYear: z.int().min(0).max(9999),
      card: text(40).nullish(),
      password: text(128).nullish(),
      consent: z.strictObject({ given: z.boolean(), version: text(40) }).nullish(),
    }),
    answer: done.extend({
      extras: z
        .object({
          /** From when on a new address counts; it counts already when this is missing. */
          countsFrom: epochSeconds,
        })
        .optional(),
    }),
    refusals: [409],
  }),
  answerAddressChange: call('answerAddressChange', {
    summary:
      'From the mailbox that an account has, or had until seven days ago: let its new address count at once, or stop it.',
    section: 'R-97 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ token, answer: z.enum(['confirm', 'stop']) }),
    answer: done,
    refusals: [409],
  }),
  mintDashboardLink: call('mintDashboardLink', {
    summary:
      'Server to server: a one-time sign-in link for a patient, asked for by the clinic’s dashboard.',
    section: '§1, R-68 (ours)',
    limit: 'tokens',
    idempotency: 'none',
    headers: z.object({
      /** Epoch seconds, within 60 of the service's clock. */
      'x-dashboard-time': z.string().regex(/^\d{9,11}$/),
      /** Hex HMAC-SHA-256 of `<time>.<body>` under the shared secret. */
      'x-dashboard-signature': z.string().regex(/^[0-9a-f]{64}$/),
    }),
    body: z.strictObject({
      email: emailOfAccount,
      selectedAppType: z.enum(['I', 'D', 'Z']).nullish(),
    }),
    answer: envelope({ url: z.string(), expiresAt: z.int() }),
    refusals: [401, 403],
  }),
};
