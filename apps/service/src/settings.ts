import { z } from 'zod';
import {
  AN_EXAMPLES,
  address,
  bareEmail,
  base,
  countUpTo,
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
  HOST: setting('Addresses', text.prefault('127.0.0.1'), {
    means: 'the network address at which it listens',
    such: '127.0.0.1',
  }),
  PORT: setting('Addresses', port.prefault('3000'), {
    means: 'the port at which it listens',
    such: '3000',
  }),
  LOG_LEVEL: setting('More', z.enum(['info', 'warn'], 'must be info or warn').optional(), {
    means: '`warn` leaves out the lines of ordinary requests',
    such: 'warn',
    usual: 'info',
  }),
};

const STRIPE_KEYS = 'Take it from the dashboard of Stripe, under Developers';
export const stripeSettings = {
  STRIPE_SECRET_KEY: setting('Cards', text.optional(), {
    means: 'signs our calls to Stripe; all three keys or none, without which nothing is charged',
    cure: STRIPE_KEYS,
    isSecret: true,
  }),
  STRIPE_PUBLISHABLE_KEY: setting('Cards', text.optional(), {
    means: 'what the browser hands a card to Stripe with',
    cure: STRIPE_KEYS,
  }),
  STRIPE_WEBHOOK_SECRET: setting('Cards', text.optional(), {
    means: 'what Stripe signs its events with',
    cure: STRIPE_KEYS,
    isSecret: true,
  }),
  STRIPE_API_HOST: setting('Cards', text.optional(), {
    means: 'another server that answers as Stripe does, for tests',
    such: '127.0.0.1',
  }),
  STRIPE_API_PORT: setting('Cards', port.optional(), {
    means: 'its port',
    such: '12111',
  }),
  STRIPE_API_PROTOCOL: setting(
    'Cards',
    z.enum(['http', 'https'], 'must be http or https').optional(),
    {
      means: 'how it is spoken to',
      such: 'http',
      usual: 'https',
    },
  ),
};

const RECAPTCHA_KEYS = 'Take it from the reCAPTCHA console of Google';
const A_SECRET = 'Make one: openssl rand -base64 32';

/** Every setting of production. In the service only `main` reads the environment. */
export const productionSettings = {
  CLINIC_NAME: setting('Clinic', shown(), {
    means: 'the clinic’s name, on pages and in emails',
    such: 'Kerrisdale Family Practice',
  }),
  CLINIC_EMAIL: setting('Clinic', email, {
    means: 'the e-mail address at which patients reach the clinic; answers to its emails go there',
    such: 'office@kerrisdalepractice.ca',
  }),
  CLINIC_PHONE: setting(
    'Clinic',
    text.refine((value) => !RESERVED_PHONE.test(value.replaceAll(/\D/g, '')), AN_EXAMPLES),
    {
      means: 'the clinic’s phone number',
      such: '604-261-4500',
    },
  ),
  CLINIC_ADDRESS: setting('Clinic', shown('lines'), {
    means: 'the clinic’s street address',
    such: '2130 West 41st Avenue, Vancouver, BC V6M 1Z1',
  }),
  WALK_IN_HOURS: setting('Clinic', walkInHours, {
    means: 'when patients are seen without an appointment, shown on /walkin',
    such: 'Monday to Friday: 9am to noon; Saturday: 10am to 1pm',
  }),
  BOOKING_FEE: setting('Clinic', dollars, {
    means: 'the ordinary booking fee in dollars, told to patients (R-43)',
    such: '10.00',
  }),
  NO_SHOW_FEE: setting('Clinic', dollars, {
    means: 'the No Show fee in dollars, told to patients (R-38)',
    such: '50.00',
  }),
  LANGUAGES: setting('Clinic', languageList.prefault('en'), {
    means: 'the languages that patients are offered, English among them (R-99)',
    such: 'en,fr',
  }),
  PREFERRED_PHARMACY_PROMPT: setting('Clinic', onOff.prefault('off'), {
    means: '`on` asks patients for the pharmacy that they prefer (R-73)',
    such: 'on',
  }),
  MEDICATION_SITE_URL: setting('Clinic', page(address('https://')).optional(), {
    means: 'where type F leads; without it F is not offered (R-20)',
    such: 'https://medication.kerrisdalepractice.ca',
  }),
  FAMILY_DOCTOR_ID_YES: setting('Clinic', text.prefault('1998'), {
    means: 'what ‘yes’ to the question for a family doctor is in the records (§9)',
    such: '1998',
  }),
  FAMILY_DOCTOR_ID_NO: setting('Clinic', text.prefault('1999'), {
    means: 'what ‘no’ to it is (§9)',
    such: '1999',
  }),
  PUBLIC_URL: setting('Addresses', site(address('https://')), {
    means:
      'the https address that patients use, without a path; stands in links, emails and origin checks',
    such: 'https://booking.kerrisdalepractice.ca',
  }),
  ...startSettings,
  DESK: setting('Addresses', onOff.prefault('off'), {
    means: '`on` opens the front desk for staff at `/desk`',
    such: 'on',
  }),
  TRUST_PROXY: setting('Addresses', onOff.prefault('off'), {
    means:
      '`on` behind one proxy that sets or adds to `X-Forwarded-For`, of which the last entry counts',
    such: 'on',
  }),
  DATABASE_URL: setting('Database', address('postgres://', 'postgresql://'), {
    means: 'the PostgreSQL server, or the pooler before it',
    such: 'postgres://clinic:PASSWORD@127.0.0.1/clinic',
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: setting('Database', address('postgres://', 'postgresql://').optional(), {
    means: 'the PostgreSQL server itself, where `DATABASE_URL` is a pooler',
    such: 'postgres://clinic:PASSWORD@10.0.0.5/clinic',
    isSecret: true,
  }),
  DATABASE_REPLICA_URL: setting('Database', address('postgres://', 'postgresql://').optional(), {
    means:
      'a streaming replica of the server, from which reports are read ([operating.md](operating.md#a-replica-to-read-from))',
    such: 'postgres://clinic:PASSWORD@10.0.0.6/clinic',
    isSecret: true,
  }),
  KEYRING: setting('Keys', keyMaterial, {
    means: 'the keys that seal health data; as `KEYRING_FILE` they can be changed while it runs',
    cure: 'Make them: docs/configuration.md, Keys',
    isSecret: true,
  }),
  KEYRING_FILE: setting('Keys', ownFile.optional(), {
    means: 'the file with the keys, which is its owner’s alone',
    cure: 'Make it its owner’s alone: chmod 600',
  }),
  SMTP_URL: setting('Emails', address('smtp://', 'smtps://'), {
    means: 'the mail server; `smtp://` goes over to TLS where the server offers it',
    such: 'smtps://clinic:PASSWORD@mail.kerrisdalepractice.ca',
    isSecret: true,
  }),
  MAIL_FROM: setting('Emails', email, {
    means: 'the sender of the clinic’s emails',
    such: 'Kerrisdale Family Practice <booking@kerrisdalepractice.ca>',
  }),
  MAIL_CONNECTIONS: setting('Emails', countUpTo(100).prefault('20'), {
    means:
      'how many emails an instance sends at once, each over a connection of its own: at most what the mail server allows, divided among the instances',
    such: '3',
  }),
  MAIL_DKIM_SELECTOR: setting('Emails', text.optional(), {
    means: 'the name under which the sender’s DKIM key stands in DNS',
    such: 'mail2026',
  }),
  MAIL_DKIM_KEY: setting('Emails', rsaKey.optional(), {
    means: 'what the emails are signed with, in PEM; without it that is left to the mail server',
    cure: 'Make one: openssl genrsa -out dkim.pem 2048',
    isSecret: true,
  }),
  MAIL_BOUNCES_TO: setting('Emails', bareEmail.optional(), {
    means:
      'the mailbox to which undeliverable emails come back, with `+` and a mark before its `@` ([operating.md](operating.md#emails-that-come-back)); else they go to `MAIL_FROM`',
    such: 'bounces@kerrisdalepractice.ca',
  }),
  ...stripeSettings,
  EMR_URL: setting('EMR', base(address('https://')).optional(), {
    means: 'the clinic’s OSCAR, with its context; without it our tables are the book',
    such: 'https://oscar.kerrisdalepractice.ca/oscar',
  }),
  EMR_FALLBACK_URL: setting('EMR', base(address('https://')).optional(), {
    means: 'its second address, asked where the first is not reached (§7)',
    such: 'https://oscar2.kerrisdalepractice.ca/oscar',
  }),
  EMR_TICKLERS_TO: setting('EMR', providerNumber.optional(), {
    means:
      'the provider number there of whoever gets the ticklers ([emr.md](emr.md#what-is-added-to-a-record)), such as reception’s; else the doctor does',
    such: '300',
  }),
  DASHBOARD_URL: setting('More', page(address('https://')).optional(), {
    means: 'the clinic’s main site that signs patients in (R-69)',
    such: 'https://kerrisdalepractice.ca/patients',
  }),
  DASHBOARD_LOGOUT_URL: setting('More', page(address('https://')).optional(), {
    means: 'its logout, for the header; the same as `DASHBOARD_URL` unless it is set',
    such: 'https://kerrisdalepractice.ca/logout',
  }),
  DASHBOARD_SECRET: setting('More', longSecret.optional(), {
    means: 'what that site signs with ([dashboard.md](dashboard.md), R-68)',
    cure: A_SECRET,
    isSecret: true,
  }),
  STAFF_DASHBOARD_URL: setting('More', page(address('https://')).optional(), {
    means: 'where staff go when their session ends (R-72)',
    such: 'https://kerrisdalepractice.ca/staff',
  }),
  RECAPTCHA_SECRET: setting('More', text.optional(), {
    means:
      'with `RECAPTCHA_SITE_KEY` Google’s captcha in place of the clinic’s own; its hosts then stand in the CSP (S-6, S-9)',
    cure: RECAPTCHA_KEYS,
    isSecret: true,
  }),
  RECAPTCHA_SITE_KEY: setting('More', text.optional(), {
    means: 'its key for the page',
    cure: RECAPTCHA_KEYS,
  }),
  METRICS_PORT: setting('Watching', port.optional(), {
    means:
      'the port of `/metrics`, for Prometheus; never the one that patients reach. Without it there are none',
    such: '9464',
  }),
  METRICS_HOST: setting('Watching', text.prefault('127.0.0.1'), {
    means: 'the network address at which `/metrics` listens',
    such: '10.0.0.7',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting('Watching', address('http://', 'https://').optional(), {
    means:
      'the OpenTelemetry collector (OTLP over HTTP) to which traces go; without it there are none',
    such: 'http://127.0.0.1:4318',
  }),
  BACKUP_MARKER_FILE: setting('Database', text.optional(), {
    means: 'a file that your backup touches when it has ended well; for `doctor` alone',
    such: '/var/lib/clinic/backup-done',
  }),
  SENTRY_DSN: setting('More', address('https://').optional(), {
    means:
      'where errors of the service and failures of charges and of browsers are reported, scrubbed; without it the log counts them',
    such: 'https://KEY@o1.ingest.sentry.io/1',
    isSecret: true,
  }),
};

/** For `npm run clinic -- clinics` alone: it reaches every clinic, so a service with it refuses to start. */
export const clinicsSettings = {
  DATABASE_ADMIN_URL: setting('Clinics', address('postgres://', 'postgresql://'), {
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
