import type { Captcha, Clock, Ids, Mail } from './server/ports.ts';
import type { Emr } from './modules/records/emr.ts';
import type { ErrorReports, ReportedLog } from './server/log.ts';
import type { AppendAudit } from './security/audit.store.ts';
import type { CardPayments } from './modules/payments/gateway.ts';
import type { ServiceConfig } from './server/config.ts';
import type { Database, Part } from './database/db.ts';
import type { Keyring, KeyStore } from './security/keyring.ts';
import type { Outbox } from './database/outbox.store.ts';
import type { RateLimit } from './server/rate-limit.store.ts';
import type { Realtime } from './server/realtime.ts';
import type { Sessions } from './security/sessions.store.ts';

/** What the application needs from outside; `main`, tests and bench each bring their own. */
export interface Ports {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where the keys are kept; left out, they cannot be changed while the service runs. */
  readonly keyStore?: KeyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Null where the clinic has none. */
  readonly emr: Emr | null;
  readonly mail: Mail;
  readonly captcha: Captcha;
  /** Keeps the schedule three months ahead of now; left out where nobody expands one. */
  readonly keepSchedule?: () => Promise<unknown>;
  readonly log: ReportedLog;
  readonly reports: ErrorReports;
  /** Left out, no card can be charged: only types that cost nothing are booked. */
  readonly cardPayments?: CardPayments;
}

/** Parts over tables whose owner comes after the module whose statements join them. */
export interface LaterParts {
  /** What decides what a patient may book, and where their emails go, by id. */
  readonly patients: Part;
  /** The patients whose immigration form was kept, as `patient_id`. */
  readonly medicalProfiles: Part;
  /** What was paid, by `appointment_id`. */
  readonly receipts: Part;
  /** The update that has the money of `ended.id` go to `ended.moved_to`, at `ended.at_s`. */
  readonly moneyMoved: Part;
  /** The update that keeps the money of `ended.id` where that is `gone`, at `ended.at_s`. */
  readonly moneyKept: Part;
}

/** What a module's plugin picks its parts from. */
export interface Platform extends Ports {
  readonly parts: LaterParts;
  readonly sessions: Sessions;
  readonly appendAudit: AppendAudit;
  readonly outbox: Outbox;
  readonly rateLimit: RateLimit;
  readonly realtime: Realtime;
}
