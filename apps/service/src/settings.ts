import { ENGLISH } from '@clinic/texts';
import { z } from 'zod';
import {
  AN_EXAMPLES,
  address,
  bareEmail,
  base,
  dollars,
  email,
  keyMaterial,
  languageList,
  longSecret,
  onOff,
  ownFile,
  page,
  port,
  providerNumber,
  RESERVED_PHONE,
  rsaKey,
  setting,
  shown,
  site,
  text,
  walkInHours,
} from './setting-kinds.ts';

/** The settings that a service also reads outside production. */
export const startSettings = {
  HOST: setting(text.default('127.0.0.1'), {
    group: 'Addresses',
    means: 'the network address at which it listens',
    such: '127.0.0.1',
    usual: '127.0.0.1',
  }),
  PORT: setting(port.default(3000), {
    group: 'Addresses',
    means: 'the port at which it listens',
    such: '3000',
    usual: '3000',
  }),
  LOG_LEVEL: setting(z.enum(['info', 'warn'], 'must be info or warn').optional(), {
    group: 'More',
    means: '`warn` leaves out the lines of ordinary requests',
    such: 'warn',
    usual: 'info',
  }),
};

const STRIPE_KEYS = 'Take it from the dashboard of Stripe, under Developers';
export const stripeSettings = {
  STRIPE_SECRET_KEY: setting(text.optional(), {
    group: 'Cards',
    means: 'signs our calls to Stripe; all three keys or none, without which nothing is charged',
    cure: STRIPE_KEYS,
    isSecret: true,
  }),
  STRIPE_PUBLISHABLE_KEY: setting(text.optional(), {
    group: 'Cards',
    means: 'what the browser hands a card to Stripe with',
    cure: STRIPE_KEYS,
  }),
  STRIPE_WEBHOOK_SECRET: setting(text.optional(), {
    group: 'Cards',
    means: 'what Stripe signs its events with',
    cure: STRIPE_KEYS,
    isSecret: true,
  }),
  STRIPE_API_HOST: setting(text.optional(), {
    group: 'Cards',
    means: 'another server that answers as Stripe does, for tests',
    such: '127.0.0.1',
  }),
  STRIPE_API_PORT: setting(port.optional(), {
    group: 'Cards',
    means: 'its port',
    such: '12111',
  }),
  STRIPE_API_PROTOCOL: setting(z.enum(['http', 'https'], 'must be http or https').optional(), {
    group: 'Cards',
    means: 'how it is spoken to',
    such: 'http',
    usual: 'https',
  }),
};

const RECAPTCHA_KEYS = 'Take it from the reCAPTCHA console of Google';
const A_SECRET = 'Make one: openssl rand -base64 32';

/** Every setting of production. In the service only `main` reads the environment. */
export const productionSettings = {
  CLINIC_NAME: setting(shown(), {
    group: 'Clinic',
    means: 'the clinic’s name, on pages and in emails',
    such: 'Kerrisdale Family Practice',
  }),
  CLINIC_EMAIL: setting(email, {
    group: 'Clinic',
    means: 'the e-mail address at which patients reach the clinic; answers to its emails go there',
    such: 'office@kerrisdalepractice.ca',
  }),
  CLINIC_PHONE: setting(
    text.refine((value) => !RESERVED_PHONE.test(value.replaceAll(/\D/g, '')), AN_EXAMPLES),
    {
      group: 'Clinic',
      means: 'the clinic’s phone number',
      such: '604-261-4500',
    },
  ),
  CLINIC_ADDRESS: setting(shown('lines'), {
    group: 'Clinic',
    means: 'the clinic’s street address',
    such: '2130 West 41st Avenue, Vancouver, BC V6M 1Z1',
  }),
  WALK_IN_HOURS: setting(walkInHours, {
    group: 'Clinic',
    means: 'when patients are seen without an appointment, shown on /walkin',
    such: 'Monday to Friday: 9am to noon; Saturday: 10am to 1pm',
  }),
  BOOKING_FEE: setting(dollars, {
    group: 'Clinic',
    means: 'the ordinary booking fee in dollars, told to patients (R-43)',
    such: '10.00',
  }),
  NO_SHOW_FEE: setting(dollars, {
    group: 'Clinic',
    means: 'the No Show fee in dollars, told to patients (R-38)',
    such: '50.00',
  }),
  LANGUAGES: setting(languageList.default([ENGLISH.id]), {
    group: 'Clinic',
    means: 'the languages that patients are offered, English among them (R-99)',
    such: 'en,fr',
    usual: 'en',
  }),
  PREFERRED_PHARMACY_PROMPT: setting(onOff.default(false), {
    group: 'Clinic',
    means: '`on` asks patients for the pharmacy that they prefer (R-73)',
    such: 'on',
    usual: 'off',
  }),
  MEDICATION_SITE_URL: setting(page(address('https://')).optional(), {
    group: 'Clinic',
    means: 'where type F leads; without it F is not offered (R-20)',
    such: 'https://medication.kerrisdalepractice.ca',
  }),
  FAMILY_DOCTOR_ID_YES: setting(text.default('1998'), {
    group: 'Clinic',
    means: 'what ‘yes’ to the question for a family doctor is in the records (§9)',
    such: '1998',
    usual: '1998',
  }),
  FAMILY_DOCTOR_ID_NO: setting(text.default('1999'), {
    group: 'Clinic',
    means: 'what ‘no’ to it is (§9)',
    such: '1999',
    usual: '1999',
  }),
  PUBLIC_URL: setting(site(address('https://')), {
    group: 'Addresses',
    means:
      'the https address that patients use, without a path; stands in links, emails and origin checks',
    such: 'https://booking.kerrisdalepractice.ca',
  }),
  ...startSettings,
  DESK: setting(onOff.default(false), {
    group: 'Addresses',
    means: '`on` opens the front desk for staff at `/desk`',
    such: 'on',
    usual: 'off',
  }),
  TRUST_PROXY: setting(onOff.default(false), {
    group: 'Addresses',
    means:
      '`on` behind one proxy that sets or adds to `X-Forwarded-For`, of which the last entry counts',
    such: 'on',
    usual: 'off',
  }),
  DATABASE_URL: setting(address('postgres://', 'postgresql://'), {
    group: 'Database',
    means: 'the PostgreSQL server, or the pooler before it',
    such: 'postgres://clinic:PASSWORD@127.0.0.1/clinic',
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: setting(address('postgres://', 'postgresql://').optional(), {
    group: 'Database',
    means: 'the PostgreSQL server itself, where `DATABASE_URL` is a pooler',
    such: 'postgres://clinic:PASSWORD@10.0.0.5/clinic',
    isSecret: true,
  }),
  DATABASE_REPLICA_URL: setting(address('postgres://', 'postgresql://').optional(), {
    group: 'Database',
    means:
      'a streaming replica of the server, from which reports are read ([operating.md](operating.md#a-replica-to-read-from))',
    such: 'postgres://clinic:PASSWORD@10.0.0.6/clinic',
    isSecret: true,
  }),
  KEYRING: setting(keyMaterial, {
    group: 'Keys',
    means: 'the keys that seal health data; as `KEYRING_FILE` they can be changed while it runs',
    cure: 'Make them: docs/configuration.md, Keys',
    isSecret: true,
  }),
  KEYRING_FILE: setting(ownFile.optional(), {
    group: 'Keys',
    means: 'the file with the keys, which is its owner’s alone',
    cure: 'Make it its owner’s alone: chmod 600',
  }),
  SMTP_URL: setting(address('smtp://', 'smtps://'), {
    group: 'Emails',
    means: 'the mail server; `smtp://` goes over to TLS where the server offers it',
    such: 'smtps://clinic:PASSWORD@mail.kerrisdalepractice.ca',
    isSecret: true,
  }),
  MAIL_FROM: setting(email, {
    group: 'Emails',
    means: 'the sender of the clinic’s emails',
    such: 'Kerrisdale Family Practice <booking@kerrisdalepractice.ca>',
  }),
  MAIL_DKIM_SELECTOR: setting(text.optional(), {
    group: 'Emails',
    means: 'the name under which the sender’s DKIM key stands in DNS',
    such: 'mail2026',
  }),
  MAIL_DKIM_KEY: setting(rsaKey.optional(), {
    group: 'Emails',
    means: 'what the emails are signed with, in PEM; without it that is left to the mail server',
    cure: 'Make one: openssl genrsa -out dkim.pem 2048',
    isSecret: true,
  }),
  MAIL_BOUNCES_TO: setting(bareEmail.optional(), {
    group: 'Emails',
    means:
      'the mailbox to which undeliverable emails come back, with `+` and a mark before its `@` ([operating.md](operating.md#emails-that-come-back)); else they go to `MAIL_FROM`',
    such: 'bounces@kerrisdalepractice.ca',
  }),
  ...stripeSettings,
  EMR_URL: setting(base(address('https://')).optional(), {
    group: 'EMR',
    means: 'the clinic’s OSCAR, with its context; without it our tables are the book',
    such: 'https://oscar.kerrisdalepractice.ca/oscar',
  }),
  EMR_FALLBACK_URL: setting(base(address('https://')).optional(), {
    group: 'EMR',
    means: 'its second address, asked where the first is not reached (§7)',
    such: 'https://oscar2.kerrisdalepractice.ca/oscar',
  }),
  EMR_TICKLERS_TO: setting(providerNumber.optional(), {
    group: 'EMR',
    means:
      'the provider number there of whoever gets the ticklers ([emr.md](emr.md#what-is-added-to-a-record)), such as reception’s; else the doctor does',
    such: '300',
  }),
  DASHBOARD_URL: setting(page(address('https://')).optional(), {
    group: 'More',
    means: 'the clinic’s main site that signs patients in (R-69)',
    such: 'https://kerrisdalepractice.ca/patients',
  }),
  DASHBOARD_LOGOUT_URL: setting(page(address('https://')).optional(), {
    group: 'More',
    means: 'its logout, for the header; the same as `DASHBOARD_URL` unless it is set',
    such: 'https://kerrisdalepractice.ca/logout',
  }),
  DASHBOARD_SECRET: setting(longSecret.optional(), {
    group: 'More',
    means: 'what that site signs with ([dashboard.md](dashboard.md), R-68)',
    cure: A_SECRET,
    isSecret: true,
  }),
  STAFF_DASHBOARD_URL: setting(page(address('https://')).optional(), {
    group: 'More',
    means: 'where staff go when their session ends (R-72)',
    such: 'https://kerrisdalepractice.ca/staff',
  }),
  RECAPTCHA_SECRET: setting(text.optional(), {
    group: 'More',
    means:
      'with `RECAPTCHA_SITE_KEY` Google’s captcha in place of the clinic’s own; its hosts then stand in the CSP (S-6, S-9)',
    cure: RECAPTCHA_KEYS,
    isSecret: true,
  }),
  RECAPTCHA_SITE_KEY: setting(text.optional(), {
    group: 'More',
    means: 'its key for the page',
    cure: RECAPTCHA_KEYS,
  }),
  METRICS_PORT: setting(port.optional(), {
    group: 'Watching',
    means:
      'the port of `/metrics`, for Prometheus; never the one that patients reach. Without it there are none',
    such: '9464',
  }),
  METRICS_HOST: setting(text.default('127.0.0.1'), {
    group: 'Watching',
    means: 'the network address at which `/metrics` listens',
    such: '10.0.0.7',
    usual: '127.0.0.1',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(address('http://', 'https://').optional(), {
    group: 'Watching',
    means:
      'the OpenTelemetry collector (OTLP over HTTP) to which traces go; without it there are none',
    such: 'http://127.0.0.1:4318',
  }),
  BACKUP_MARKER_FILE: setting(text.optional(), {
    group: 'Database',
    means: 'a file that your backup touches when it has ended well; for `doctor` alone',
    such: '/var/lib/clinic/backup-done',
  }),
  SENTRY_DSN: setting(address('https://').optional(), {
    group: 'More',
    means:
      'where errors of the service and failures of charges and of browsers are reported, scrubbed; without it the log counts them',
    such: 'https://KEY@o1.ingest.sentry.io/1',
    isSecret: true,
  }),
};

/** For `npm run clinic -- clinics` alone: it reaches every clinic, so a service with it refuses to start. */
export const clinicsSettings = {
  DATABASE_ADMIN_URL: setting(address('postgres://', 'postgresql://'), {
    group: 'Clinics',
    means: 'PostgreSQL itself, as whoever may make roles, and schemas in this database',
    such: 'postgres://postgres:PASSWORD@10.0.0.5/clinics',
    isSecret: true,
  }),
};

/** Groups of settings: all of a group are set, or none. */
export const TOGETHER: readonly (readonly string[])[] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['RECAPTCHA_SECRET', 'RECAPTCHA_SITE_KEY'],
];

/** Settings of no effect on their own, each with the setting that it needs. */
export const NEEDS = {
  MAIL_DKIM_KEY: 'MAIL_DKIM_SELECTOR',
  EMR_FALLBACK_URL: 'EMR_URL',
  EMR_TICKLERS_TO: 'EMR_URL',
} as const;

export type Shape = Readonly<Record<string, z.ZodType>>;
export type Read<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> };
export type Settings = Read<typeof productionSettings>;
