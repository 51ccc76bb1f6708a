import type { Captcha, Mail } from './server/ports.ts';
import type { Emr } from './modules/records/emr.ts';
import type { CardPayments } from './modules/payments/gateway.ts';
import type { Part } from './database/db.ts';
import type { KeyStore } from './security/keyring.ts';
import type { Outbox } from './database/outbox.store.ts';
import type { RateLimit } from './server/rate-limit.store.ts';
import type { Realtime } from './server/realtime.ts';
import type { ServerPorts } from './server/server-ports.ts';

/** What the application needs from outside; `main`, tests and the benchmark each bring their own. */
export interface Ports extends Omit<ServerPorts, 'sessions' | 'appendAudit'> {
  /** Where the keys are kept; without it the keys cannot be changed while the service runs. */
  readonly keyStore?: KeyStore;
  /** Null when the clinic has no EMR. */
  readonly emr: Emr | null;
  readonly mail: Mail;
  readonly captcha: Captcha;
  /** Keeps the schedule filled three months ahead; left out where no schedule is expanded. */
  readonly keepSchedule?: () => Promise<unknown>;
  /** Without it no card can be charged, and only appointment types that cost nothing can be booked. */
  readonly cardPayments?: CardPayments;
}

/** Parts over tables of later modules, for the statements of earlier modules to join. */
export interface LaterParts {
  /** By id: what decides which types a patient may book, and where the patient's emails go. */
  readonly patients: Part;
  /** The patients whose immigration form was kept, as `patient_id`. */
  readonly medicalProfiles: Part;
  /** What is paid now, by `appointment_id`. */
  readonly receipts: Part;
  /** What is paid now for the appointment `c` of the surrounding statement, in cents. */
  readonly paidNow: Part;
  /** What had been paid for it when it ended, in cents; until then what is paid now. */
  readonly everPaid: Part;
  /** The update that moves the payment of `ended.id` to `ended.moved_to`, at `ended.at_s`. */
  readonly moneyMoved: Part;
  /** The update that keeps the fee of each `ended.id` that is in `gone`, at `ended.at_s`. */
  readonly moneyKept: Part;
  /** The update that has what is paid for `undone.id` stay, at `undone.at_s`; returns `amount_cents`. */
  readonly moneyRestored: Part;
  /** Whether closed time would end the appointment `c` of the surrounding statement. */
  readonly inClosedTime: Part;
}

/** The dependencies from which each module takes those that it needs. */
export interface Platform extends Ports, ServerPorts {
  readonly parts: LaterParts;
  readonly outbox: Outbox;
  readonly rateLimit: RateLimit;
  readonly realtime: Realtime;
}

declare module 'fastify' {
  interface FastifyInstance {
    platform: Platform;
  }
}
