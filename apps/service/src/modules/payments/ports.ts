import type { AppendAudit } from '../../security/audit.ts';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { Log } from '../../server/log.ts';
import type { Outbox } from '../../database/outbox.ts';
import type { Emr } from '../records/emr.ts';
import type { Clock } from '../../server/clock.ts';
import type { ErrorReports } from '../../server/error-reports.ts';
import type { Ids } from '../../server/ids.ts';
import type { PaymentGateway } from './gateway.ts';
import type { PaymentStore } from './payments.store.ts';

/** What the payment use cases need; wired in `routes.ts`, wrapped by fault tests. */
export interface PaymentPorts {
  readonly database: Database;
  readonly payments: PaymentStore;
  readonly gateway: PaymentGateway;
  readonly reports: ErrorReports;
  readonly emr: Emr;
  readonly keyring: Keyring;
  readonly appendAudit: AppendAudit;
  readonly outbox: Pick<Outbox, 'enqueue'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Waits a moment for whoever is at a payment. */
  readonly pause: () => Promise<void>;
  readonly log: Pick<Log, 'error' | 'event'>;
}
