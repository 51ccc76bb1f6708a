import type { Captcha } from '../ports/captcha.ts';
import type { ClinicRecords } from '../ports/clinic-records.ts';
import type { Clock } from '../ports/clock.ts';
import type { ErrorReports } from '../ports/error-reports.ts';
import type { Ids } from '../ports/ids.ts';
import type { Mail } from '../ports/mail.ts';
import type { AppendAudit } from './audit.ts';
import type { CardPayments } from './card-payments.ts';
import type { ServiceConfig } from './config.ts';
import type { Database } from './db.ts';
import type { KeyStore } from './keyring-reload.ts';
import type { Keyring } from './keyring.ts';
import type { Outbox } from './outbox.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Realtime } from './realtime.ts';
import type { ReportedLog } from './reported-log.ts';
import type { Sessions } from './sessions.ts';

/** What the application needs from outside; `main`, tests and bench each bring their own. */
export interface Ports {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where the keys are kept; left out, they cannot be changed while the service runs. */
  readonly keyStore?: KeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly records: ClinicRecords;
  readonly mail: Mail;
  readonly captcha: Captcha;
  /** Keeps the schedule three months ahead of now; left out where nobody expands one. */
  readonly keepSchedule?: () => Promise<unknown>;
  readonly log: ReportedLog;
  readonly reports: ErrorReports;
  /** Left out, no card can be charged: only types that cost nothing are booked. */
  readonly cardPayments?: CardPayments;
}

/** What a module's plugin picks its parts from. */
export interface Platform extends Ports {
  readonly sessions: Sessions;
  readonly appendAudit: AppendAudit;
  readonly outbox: Outbox;
  readonly rateLimit: RateLimit;
  readonly realtime: Realtime;
}
