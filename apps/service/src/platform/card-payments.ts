import type { ErrorReports } from '../ports/error-reports.ts';
import type { PaymentGateway } from '../ports/payments.ts';
import type { RateRule } from './rate-limit.ts';

/** How cards are taken, and what an installation decides about it. */
export interface CardPayments {
  readonly gateway: PaymentGateway;
  readonly reports: ErrorReports;
  /** Origins to which a patient may be sent for 3-D Secure: `https://hooks.stripe.com`. */
  readonly bankOrigins: readonly string[];
  readonly rates: ChargeRates;
}

/** S-5. */
export interface ChargeRates {
  readonly perAccount: RateRule;
  readonly perAccountDaily: RateRule;
  readonly perAddress: RateRule;
  /** The same request with the same card, asked again after a lost answer: no new try. */
  readonly repeats: RateRule;
}

export const CHARGE_RATES: ChargeRates = {
  perAccount: { name: 'charge-account', count: 5, seconds: 900 },
  perAccountDaily: { name: 'charge-account-day', count: 20, seconds: 86_400 },
  /** A clinic's own network is one address. */
  perAddress: { name: 'charge-address', count: 100, seconds: 900 },
  /** A page asks some twelve times in its minute. */
  repeats: { name: 'charge-repeat', count: 60, seconds: 900 },
};
