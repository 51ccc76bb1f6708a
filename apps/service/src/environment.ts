import { ENGLISH, languageOf, languages } from '@clinic/texts';
import { createLoggedErrorReports, createSentryErrorReports } from './adapters/error-reports.ts';
import { type StripeOptions, createStripeGateway } from './adapters/payments-stripe.ts';
import type { CardPayments } from './modules/payments/gateway.ts';
import { PASSWORD_COST } from './security/passwords.ts';
import type { CardForm, ClinicIdentity, ServiceConfig } from './server/config.ts';
import type { ErrorReports, Log } from './server/log.ts';
import { randomIds } from './server/ports.ts';
import { RATES } from './server/rates.ts';

/** The environment does not say what it must; the sentence tells the operator what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Start {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
}

/** HOST, PORT and PUBLIC_URL. */
export function readStart(env: Environment): Start {
  const host = env.HOST ?? '127.0.0.1';
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartRefused(`PORT must be a number from 0 to 65535, not '${env.PORT}'.`);
  const publicUrl = (env.PUBLIC_URL ?? `http://${host}:${port}`).replace(/\/+$/, '');
  if (!URL.canParse(publicUrl) || !/^https?:/.test(publicUrl))
    throw new StartRefused(`PUBLIC_URL must be an http(s) address, not '${publicUrl}'.`);
  return { host, port, publicUrl };
}

/** Epoch seconds of an ISO instant with Z or an offset. */
export function readInstant(name: string, text: string): number {
  const written = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const milliseconds = written ? new Date(text).getTime() : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new StartRefused(
      `${name} must be an instant such as 2026-12-15T20:00:00Z, not '${text}'.`,
    );
  return Math.floor(milliseconds / 1000);
}

/** What production must be told, and what for. */
const REQUIRED = {
  DATABASE_URL: 'the PostgreSQL database; the embedded one is for practice',
  KEYRING: 'the keys that seal health data, or KEYRING_FILE (docs/operating.md)',
  PUBLIC_URL: 'the https address at which patients reach the clinic',
  SMTP_URL: 'the mail server; the practice mailbox sends nothing',
  MAIL_FROM: 'the sender of the clinic’s mails',
  CLINIC_NAME: 'the clinic’s name',
  CLINIC_EMAIL: 'the clinic’s e-mail address',
  CLINIC_PHONE: 'the clinic’s phone number',
  CLINIC_ADDRESS: 'the clinic’s street address',
  WALK_IN_HOURS:
    'when patients are seen without an appointment, such as Monday to Friday: 9am to noon; Saturday: 10am to 1pm',
  BOOKING_FEE: 'the ordinary booking fee in dollars, which patients are told (R-43)',
  NO_SHOW_FEE: 'the No Show fee in dollars, which patients are told (R-38)',
} as const;

type RequiredName = keyof typeof REQUIRED;
/** The keys stand in KEYRING, or in the file of KEYRING_FILE, where they can be changed. */
export type ProductionEnvironment = Environment &
  Readonly<Record<Exclude<RequiredName, 'KEYRING'>, string>>;

/** Names everything that is missing at once, with what it is for. */
export function demandEnvironment(env: Environment): ProductionEnvironment {
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const missing = Object.entries(REQUIRED).filter(
    ([name]) => !isSet(name) && !(name === 'KEYRING' && isSet('KEYRING_FILE')),
  );
  if (missing.length > 0)
    throw new StartRefused(
      `The clinic cannot open without:\n${missing.map(([name, what]) => `  ${name}: ${what}`).join('\n')}`,
    );
  for (const name of [
    'PRACTICE_NOW',
    'PRACTICE_CLINIC',
    'PRACTICE_DASHBOARD',
    'PRACTICE_EMR',
    'DATA_DIR',
  ])
    if (env[name] !== undefined)
      throw new StartRefused(
        `${name} belongs to the practice clinic (npm start), not to production.`,
      );
  for (const name of Object.keys(REQUIRED))
    if (isNobodys(env[name] ?? ''))
      throw new StartRefused(`${name} still has a default value. Set it to the clinic's own.`);
  if (!env.PUBLIC_URL?.startsWith('https://'))
    throw new StartRefused('PUBLIC_URL must begin with https:// in production.');
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    if (env[name] && !/^postgres(ql)?:\/\//.test(env[name]))
      throw new StartRefused(`${name} must begin with postgres://.`);
  if (!/^smtps?:\/\//.test(env.SMTP_URL ?? ''))
    throw new StartRefused('SMTP_URL must begin with smtp:// or smtps://.');
  return env as ProductionEnvironment;
}

/** The practice clinic as its patients see it. Production refuses each of these as its own. */
export const inventedClinic: Omit<ClinicIdentity, 'walkInHours'> = {
  name: 'Harbour View Medical Clinic',
  email: 'booking@harbourview.example',
  phone: '604-555-0100',
  address: '1200 Burrard Street, Vancouver, BC V6Z 2C7',
};

/** Left as it was in some example: a word of the value, or all of it. */
const PLACEHOLDER = /(?<![\w-])change-?me(?![\w-])|^(practice clinic|secret|password|test)$/i;
/** RFC 2606: addresses that nobody can own. */
const RESERVED_HOST =
  /(?<=[@/.])example\.(com|net|org)(?![\w.-])|\.(example|invalid|test)(?![\w.-])/i;

/** Whether a value is the practice clinic's or an example's, and so no clinic's. */
function isNobodys(value: string): boolean {
  const same = (one: string) => one.toLowerCase() === value.trim().toLowerCase();
  return (
    Object.values(inventedClinic).some(same) ||
    PLACEHOLDER.test(value.trim()) ||
    RESERVED_HOST.test(value)
  );
}

/** R-99: 'en,fr' offers both; English is always among them. */
function readLanguages(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => languageOf(id) === undefined);
  if (unknown !== undefined) {
    const known = languages.map(({ id }) => id).join(', ');
    throw new StartRefused(`LANGUAGES has '${unknown}', which is none of: ${known}.`);
  }
  if (!ids.includes(ENGLISH.id))
    throw new StartRefused('LANGUAGES must name en: English is the text of record.');
  return ids;
}

export function productionConfig(
  env: ProductionEnvironment,
  publicUrl: string,
  webRoot: string,
): ServiceConfig {
  const recaptcha = readRecaptcha(env);
  const stripe = readStripe(env);
  return {
    publicUrl,
    practice: false,
    clinic: {
      name: env.CLINIC_NAME,
      email: env.CLINIC_EMAIL,
      phone: env.CLINIC_PHONE,
      address: env.CLINIC_ADDRESS,
      walkInHours: walkInHours(env.WALK_IN_HOURS),
    },
    languages: readLanguages(env.LANGUAGES ?? ENGLISH.id),
    dashboardUrl: optionalUrl(env, 'DASHBOARD_URL'),
    dashboardLogoutUrl: optionalUrl(env, 'DASHBOARD_LOGOUT_URL'),
    dashboardSecret: longSecret(env, 'DASHBOARD_SECRET'),
    staffDashboardUrl: optionalUrl(env, 'STAFF_DASHBOARD_URL'),
    medicationSiteUrl: optionalUrl(env, 'MEDICATION_SITE_URL'),
    preferredPharmacyPrompt: env.PREFERRED_PHARMACY_PROMPT === 'on',
    captcha: recaptcha
      ? { kind: 'recaptcha', siteKey: recaptcha.siteKey }
      : { kind: 'altcha', siteKey: null },
    bookingFeeCents: centsOf('BOOKING_FEE', env.BOOKING_FEE),
    noShowFeeCents: centsOf('NO_SHOW_FEE', env.NO_SHOW_FEE),
    familyDoctorIds: {
      yes: env.FAMILY_DOCTOR_ID_YES ?? '1998',
      no: env.FAMILY_DOCTOR_ID_NO ?? '1999',
    },
    payments: stripe && stripeForm(stripe),
    rates: RATES,
    passwordCost: PASSWORD_COST,
    webRoot,
    trustProxy: env.TRUST_PROXY === 'on',
    strictAnswers: false,
  };
}

function optionalUrl(env: Environment, name: string): string | null {
  const found = env[name];
  if (!found) return null;
  if (!URL.canParse(found) || !found.startsWith('https://'))
    throw new StartRefused(`${name} must be an https address.`);
  return found;
}

/** Google's captcha in place of the clinic's own; both keys or none. */
export function readRecaptcha(
  env: Environment,
): { readonly secret: string; readonly siteKey: string } | null {
  const { RECAPTCHA_SECRET: secret = '', RECAPTCHA_SITE_KEY: siteKey = '' } = env;
  if (secret === '' && siteKey === '') return null;
  if (secret === '' || siteKey === '')
    throw new StartRefused('RECAPTCHA_SECRET and RECAPTCHA_SITE_KEY belong together.');
  return { secret, siteKey };
}

/** Short enough to guess is as bad as none. */
function longSecret(env: Environment, name: string): string | null {
  const found = env[name];
  if (!found) return null;
  if (found.length < 32) throw new StartRefused(`${name} must have at least 32 characters.`);
  return found;
}

function centsOf(name: string, found: string): number {
  if (!/^\d{1,4}(\.\d{2})?$/.test(found))
    throw new StartRefused(`${name} must be an amount in dollars such as 25.00.`);
  return Math.round(Number(found) * 100);
}

/** Lines apart by semicolons, each of days and hours apart by a colon. */
function walkInHours(found: string): ClinicIdentity['walkInHours'] {
  return found.split(';').map((line) => {
    const [, days, hours] = /^\s*([^:]*[^:\s])\s*:\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (days === undefined || hours === undefined)
      throw new StartRefused(
        `WALK_IN_HOURS must be written as Monday to Friday: 9am to noon; Saturday: 10am to 1pm, not '${found}'.`,
      );
    return { days, hours };
  });
}

/** Where the bank sends patients back. */
export const returnUrl = (publicUrl: string) => `${publicUrl}/booking/payment/success`;

/** Where Stripe's 3-D Secure pages stand. */
const STRIPE_BANK_ORIGINS = ['https://hooks.stripe.com', 'https://stripe.com'];

export interface StripeSettings extends Omit<StripeOptions, 'returnUrl'> {
  readonly publishableKey: string;
  readonly bankOrigins: readonly string[];
}

/** STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET: all of them, or null. */
export function readStripe(env: Environment): StripeSettings | null {
  const keys = {
    STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY ?? '',
    STRIPE_PUBLISHABLE_KEY: env.STRIPE_PUBLISHABLE_KEY ?? '',
    STRIPE_WEBHOOK_SECRET: env.STRIPE_WEBHOOK_SECRET ?? '',
  };
  const missing = Object.entries(keys).flatMap(([name, value]) => (value === '' ? [name] : []));
  if (missing.length === Object.keys(keys).length) return null;
  if (missing.length > 0)
    throw new StartRefused(
      `Card payments need ${missing.join(' and ')} too; set all keys or none.`,
    );
  const { STRIPE_API_HOST: host, STRIPE_API_PORT: port, STRIPE_API_PROTOCOL: protocol } = env;
  if (protocol !== undefined && protocol !== 'http' && protocol !== 'https')
    throw new StartRefused(`STRIPE_API_PROTOCOL must be http or https, not '${protocol}'.`);
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new StartRefused(`STRIPE_API_PORT must be a number, not '${port}'.`);
  const local =
    host === undefined ? [] : [`${protocol ?? 'https'}://${host}${port ? `:${port}` : ''}`];
  return {
    secretKey: keys.STRIPE_SECRET_KEY,
    publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: keys.STRIPE_WEBHOOK_SECRET,
    bankOrigins: [...STRIPE_BANK_ORIGINS, ...local],
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: Number(port) }),
    ...(protocol !== undefined && { protocol }),
  };
}

/** What the browser must know to take cards for Stripe. */
export const stripeForm = ({ publishableKey }: StripeSettings): CardForm => ({
  kind: 'stripe',
  publishableKey,
});

/** Cards at Stripe. */
export function stripePayments(stripe: StripeSettings, publicUrl: string): CardPayments {
  const { bankOrigins, publishableKey: _, ...settings } = stripe;
  const gateway = createStripeGateway({ ...settings, returnUrl: returnUrl(publicUrl) });
  return { gateway, bankOrigins };
}

/** Sentry with SENTRY_DSN; else the log counts. */
export function errorReports(env: Environment, log: Log): ErrorReports {
  const dsn = env.SENTRY_DSN ?? '';
  if (dsn === '') return createLoggedErrorReports((code) => log.event(code));
  if (!URL.canParse(dsn) || !dsn.startsWith('https://'))
    throw new StartRefused('SENTRY_DSN must be an https address.');
  return createSentryErrorReports({
    dsn,
    newId: () => randomIds.uuid(),
    now: () => Math.floor(Date.now() / 1000),
    onLost: (error) => log.error('error-report-lost', error),
  });
}
