import { type Environment, StartRefused } from './environment.ts';
import { inventedClinic } from './invented-clinic.ts';
import type { ClinicIdentity, ServiceConfig } from './server/config.ts';
import { PASSWORD_COST } from './security/password-hash.ts';
import { RATES } from './server/rates.ts';

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

export type RequiredName = keyof typeof REQUIRED;
/** The keys stand in KEYRING, or in the file of KEYRING_FILE, where they can be changed. */
export type ProductionEnvironment = Environment &
  Readonly<Record<Exclude<RequiredName, 'KEYRING'>, string>>;

/** Names everything that is missing at once, with what it is for (S-16). */
export function demandEnvironment(env: Environment): ProductionEnvironment {
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const missing = Object.entries(REQUIRED).filter(
    ([name]) => !isSet(name) && !(name === 'KEYRING' && isSet('KEYRING_FILE')),
  );
  if (missing.length > 0)
    throw new StartRefused(
      `The clinic cannot open without:\n${missing.map(([name, what]) => `  ${name}: ${what}`).join('\n')}`,
    );
  for (const name of ['PRACTICE_NOW', 'PRACTICE_DASHBOARD', 'DATA_DIR'])
    if (env[name] !== undefined)
      throw new StartRefused(
        `${name} belongs to the practice clinic (npm start), not to production.`,
      );
  for (const name of Object.keys(REQUIRED))
    if (isNobodys(env[name] ?? ''))
      throw new StartRefused(`${name} still has a default value. Set it to the clinic's own.`);
  if (!env.PUBLIC_URL?.startsWith('https://'))
    throw new StartRefused('PUBLIC_URL must begin with https:// in production.');
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL ?? ''))
    throw new StartRefused('DATABASE_URL must begin with postgres://.');
  if (!/^smtps?:\/\//.test(env.SMTP_URL ?? ''))
    throw new StartRefused('SMTP_URL must begin with smtp:// or smtps://.');
  return env as ProductionEnvironment;
}

const INVENTED = [
  inventedClinic.name,
  inventedClinic.email,
  inventedClinic.phone,
  inventedClinic.address,
];
/** Left as it was in some example: a word of the value, or all of it. */
const PLACEHOLDER = /(?<![\w-])change-?me(?![\w-])|^(practice clinic|secret|password|test)$/i;
/** RFC 2606: addresses that nobody can own. */
const RESERVED_HOST =
  /(?<=[@/.])example\.(com|net|org)(?![\w.-])|\.(example|invalid|test)(?![\w.-])/i;

/** Whether a value is the practice clinic's or an example's, and so no clinic's. */
function isNobodys(value: string): boolean {
  const same = (one: string) => one.toLowerCase() === value.trim().toLowerCase();
  return INVENTED.some(same) || PLACEHOLDER.test(value.trim()) || RESERVED_HOST.test(value);
}

export function productionConfig(
  env: ProductionEnvironment,
  publicUrl: string,
  webRoot: string,
): ServiceConfig {
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
    dashboardUrl: optionalUrl(env, 'DASHBOARD_URL'),
    dashboardLogoutUrl: optionalUrl(env, 'DASHBOARD_LOGOUT_URL'),
    dashboardSecret: longSecret(env, 'DASHBOARD_SECRET'),
    staffDashboardUrl: optionalUrl(env, 'STAFF_DASHBOARD_URL'),
    medicationSiteUrl: optionalUrl(env, 'MEDICATION_SITE_URL'),
    preferredPharmacyPrompt: env.PREFERRED_PHARMACY_PROMPT === 'on',
    captcha: captchaForm(readRecaptcha(env)),
    bookingFeeCents: centsOf('BOOKING_FEE', env.BOOKING_FEE),
    noShowFeeCents: centsOf('NO_SHOW_FEE', env.NO_SHOW_FEE),
    familyDoctorIds: {
      yes: env.FAMILY_DOCTOR_ID_YES ?? '1998',
      no: env.FAMILY_DOCTOR_ID_NO ?? '1999',
    },
    payments: null,
    rates: RATES,
    passwordCost: PASSWORD_COST,
    webRoot,
    trustProxy: env.TRUST_PROXY === 'on',
    strictAnswers: false,
  };
}

function optionalUrl(env: Environment, name: string): string | null {
  const found = env[name];
  if (found === undefined || found === '') return null;
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

function captchaForm(recaptcha: { readonly siteKey: string } | null): ServiceConfig['captcha'] {
  return recaptcha === null
    ? { kind: 'altcha', siteKey: null }
    : { kind: 'recaptcha', siteKey: recaptcha.siteKey };
}

/** S-16: short enough to guess is as bad as none. */
function longSecret(env: Environment, name: string): string | null {
  const found = env[name];
  if (found === undefined || found === '') return null;
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
