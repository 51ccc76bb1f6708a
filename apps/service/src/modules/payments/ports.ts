import type { Database } from '../../database/db.ts';
import type { ErrorReports, Log } from '../../server/log.ts';
import type { Clock } from '../../server/clock.ts';
import type { PaymentGateway } from './gateway.ts';
import type { BookingPorts } from '../appointments/index.ts';
import type { PaymentStore } from './store.ts';

/** What the payment use cases need; wired in `routes.ts`, wrapped by fault tests. */
export interface PaymentPorts extends BookingPorts {
  readonly database: Database;
  readonly payments: PaymentStore;
  readonly gateway: PaymentGateway;
  readonly reports: ErrorReports;
  readonly clock: Clock;
  /** Waits a moment for whoever is at a payment. */
  readonly pause: () => Promise<void>;
  readonly log: Pick<Log, 'error' | 'event'>;
}
