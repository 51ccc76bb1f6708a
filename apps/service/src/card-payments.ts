import { createLoggedErrorReports } from './adapters/error-reports-log.ts';
import { createSentryErrorReports } from './adapters/error-reports-sentry.ts';
import { createStripeGateway } from './adapters/payments-stripe/stripe-gateway.ts';
import type { StripeOptions } from './adapters/payments-stripe/stripe-gateway.ts';
import { type Environment, StartRefused } from './environment.ts';
import type { CardPayments } from './modules/payments/card-payments.ts';
import type { CardForm } from './server/config.ts';
import type { Log } from './server/log.ts';
import type { ErrorReports } from './server/error-reports.ts';
import type { Ids } from './server/ids.ts';

/** Where the bank sends patients back (§2 Payment success page). */
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
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}

/** What the browser must know to take cards for Stripe. */
export const stripeForm = ({ publishableKey }: StripeSettings): CardForm => ({
  kind: 'stripe',
  publishableKey,
});

/** Cards at Stripe. */
export function stripePayments(
  stripe: StripeSettings,
  publicUrl: string,
  reports: CardPayments['reports'],
): CardPayments {
  const { bankOrigins, publishableKey: _, ...settings } = stripe;
  return {
    gateway: createStripeGateway({ ...settings, returnUrl: returnUrl(publicUrl) }),
    reports,
    bankOrigins,
  };
}

/** Sentry with SENTRY_DSN; else the log counts. */
export function errorReports(
  env: Environment,
  { ids, log }: { readonly ids: Ids; readonly log: Log },
): ErrorReports {
  const dsn = env.SENTRY_DSN ?? '';
  if (dsn === '') return createLoggedErrorReports((code) => log.event(code));
  if (!URL.canParse(dsn) || !dsn.startsWith('https://'))
    throw new StartRefused('SENTRY_DSN must be an https address.');
  return createSentryErrorReports({
    dsn,
    newId: () => ids.uuid(),
    now: () => Math.floor(Date.now() / 1000),
    onLost: (error) => log.error('error-report-lost', error),
  });
}
