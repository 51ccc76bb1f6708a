import type { AppendAudit } from '../../platform/audit.ts';
import type { Database } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { ClinicRecords } from '../../ports/clinic-records.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ErrorReports } from '../../ports/error-reports.ts';
import type { Ids } from '../../ports/ids.ts';
import type { PaymentGateway } from '../../ports/payments.ts';
import type { PaymentStore } from './payments.store.ts';

/** What the payment use cases need; wired in `routes.ts`, wrapped by fault tests. */
export interface PaymentPorts {
  readonly database: Database;
  readonly payments: PaymentStore;
  readonly gateway: PaymentGateway;
  readonly reports: ErrorReports;
  readonly records: ClinicRecords;
  readonly keyring: Keyring;
  readonly appendAudit: AppendAudit;
  readonly outbox: Pick<Outbox, 'enqueue'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Waits a moment for whoever is at a payment. */
  readonly pause: () => Promise<void>;
  readonly log: Pick<Log, 'trouble' | 'event'>;
}
