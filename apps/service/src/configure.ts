import { createLoggedErrorReports, createSentryErrorReports } from './adapters/error-reports.ts';
import type { SmtpOptions } from './adapters/email-smtp.ts';
import { type StripeOptions, createStripeGateway } from './adapters/payments-stripe.ts';
import type { CardPayments } from './modules/payments/gateway.ts';
import { keyFile } from './security/keyring-file.ts';
import {
  type KeyStore,
  type Keyring,
  createKeyring,
  reloadingKeyring,
} from './security/keyring.ts';
import { PASSWORD_COST } from './security/passwords.ts';
import type { CardForm, ServiceConfig } from './server/config.ts';
import type { ErrorReports, Log } from './server/log.ts';
import { randomIds } from './server/ports.ts';
import { RATES } from './server/rates.ts';
import type { Settings } from './settings.ts';

/** The configuration of the service from the settings of production. */
export function serviceConfig(
  settings: Settings,
  webRoot: string,
  deskRoot: string | null = null,
): ServiceConfig {
  const stripe = stripeOf(settings);
  const siteKey = settings.RECAPTCHA_SITE_KEY ?? null;
  return {
    publicUrl: settings.PUBLIC_URL,
    practice: false,
    clinic: {
      name: settings.CLINIC_NAME,
      email: settings.CLINIC_EMAIL,
      phone: settings.CLINIC_PHONE,
      address: settings.CLINIC_ADDRESS,
      walkInHours: settings.WALK_IN_HOURS,
    },
    languages: settings.LANGUAGES,
    dashboardUrl: settings.DASHBOARD_URL ?? null,
    dashboardLogoutUrl: settings.DASHBOARD_LOGOUT_URL ?? null,
    dashboardSecret: settings.DASHBOARD_SECRET ?? null,
    staffDashboardUrl: settings.STAFF_DASHBOARD_URL ?? null,
    medicationSiteUrl: settings.MEDICATION_SITE_URL ?? null,
    preferredPharmacyPrompt: settings.PREFERRED_PHARMACY_PROMPT,
    captcha: { kind: siteKey === null ? 'altcha' : 'recaptcha', siteKey },
    bookingFeeCents: settings.BOOKING_FEE,
    noShowFeeCents: settings.NO_SHOW_FEE,
    familyDoctorIds: { yes: settings.FAMILY_DOCTOR_ID_YES, no: settings.FAMILY_DOCTOR_ID_NO },
    payments: stripe && stripeForm(stripe),
    rates: RATES,
    mailConnections: settings.MAIL_CONNECTIONS,
    emrAddresses: [settings.EMR_URL, settings.EMR_FALLBACK_URL].filter(
      (each) => each !== undefined,
    ),
    ticklersTo: settings.EMR_TICKLERS_TO ?? null,
    passwordCost: PASSWORD_COST,
    webRoot,
    deskRoot: settings.DESK ? deskRoot : null,
    trustProxy: settings.TRUST_PROXY,
    strictAnswers: false,
  };
}

export interface Keys {
  readonly keyring: Keyring;
  /** Where the keys can be changed; null when the environment holds them. */
  readonly keyStore: KeyStore | null;
}

export const keysIn = (keyStore: KeyStore): Keys => ({
  keyStore,
  keyring: reloadingKeyring(keyStore),
});

export const keysOf = ({ KEYRING, KEYRING_FILE: file }: Settings): Keys =>
  file === undefined
    ? { keyStore: null, keyring: createKeyring(KEYRING) }
    : keysIn(keyFile(file, 'KEYRING_FILE'));

/** Where the bank sends patients back. */
export const returnUrl = (publicUrl: string) => `${publicUrl}/booking/payment/success`;

/** Where Stripe serves its 3-D Secure pages. */
const STRIPE_BANK_ORIGINS = ['https://hooks.stripe.com', 'https://stripe.com'];

export interface StripeSettings extends Omit<StripeOptions, 'returnUrl'> {
  readonly publishableKey: string;
  readonly bankOrigins: readonly string[];
}

/** The settings of Stripe; null unless all its keys are set. */
export function stripeOf(
  settings: Partial<Pick<Settings, Extract<keyof Settings, `STRIPE_${string}`>>>,
): StripeSettings | null {
  const { STRIPE_API_HOST: host, STRIPE_API_PORT: port, STRIPE_API_PROTOCOL: protocol } = settings;
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = settings;
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined)
    return null;
  const local =
    host === undefined ? [] : [`${protocol ?? 'https'}://${host}${port ? `:${port}` : ''}`];
  return {
    secretKey,
    publishableKey,
    webhookSecret,
    bankOrigins: [...STRIPE_BANK_ORIGINS, ...local],
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
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
  const { bankOrigins, publishableKey: _, ...options } = stripe;
  const gateway = createStripeGateway({ ...options, returnUrl: returnUrl(publicUrl) });
  return { gateway, bankOrigins };
}

/** The key that signs emails; empty when none is set, so that the mail server signs them. */
export const dkimOf = ({
  MAIL_DKIM_KEY: privateKey,
  MAIL_DKIM_SELECTOR: selector,
}: Partial<Settings>): Pick<SmtpOptions, 'dkim'> =>
  privateKey !== undefined && selector !== undefined ? { dkim: { selector, privateKey } } : {};

/** Reports errors to Sentry when it is set up; otherwise the log counts them. */
export function errorReports(dsn: string | undefined, log: Log): ErrorReports {
  if (dsn === undefined) return createLoggedErrorReports((code) => log.event(code));
  return createSentryErrorReports({
    dsn,
    newId: () => randomIds.uuid(),
    now: () => Math.floor(Date.now() / 1000),
    onLost: (error) => log.error('error-report-lost', error),
  });
}
