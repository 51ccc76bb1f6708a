import type { ErrorReports } from '../../server/log.ts';
import type { PaymentGateway } from './gateway.ts';

/** How cards are taken, and what an installation decides about it. */
export interface CardPayments {
  readonly gateway: PaymentGateway;
  readonly reports: ErrorReports;
  /** Origins to which a patient may be sent for 3-D Secure: `https://hooks.stripe.com`. */
  readonly bankOrigins: readonly string[];
}
