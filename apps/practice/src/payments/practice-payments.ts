import type { Database } from '@clinic/service/database/db.ts';
import type { CardPayments } from '@clinic/service/modules/payments/card-payments.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import type { Clock } from '@clinic/service/server/clock.ts';
import type { Ids } from '@clinic/service/server/ids.ts';
import type { ErrorReports } from '@clinic/service/server/error-reports.ts';
import type { SignedEvent } from './faults.ts';
import { type PracticeGateway, createPracticeGateway } from './practice-gateway.ts';
import { createPracticeLedger } from './practice-ledger.ts';

export interface PracticePaymentParts {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly reports: ErrorReports;
  readonly publicUrl: string;
  /** Takes the gateway's webhook calls. */
  readonly send: (event: SignedEvent) => Promise<void>;
}

/** Cards at the practice gateway, whose books stand in the practice clinic's own database. */
export function practicePayments(parts: PracticePaymentParts): {
  readonly gateway: PracticeGateway;
  readonly cardPayments: CardPayments;
} {
  const { database, keyring, clock, ids, reports, publicUrl, send } = parts;
  const gateway = createPracticeGateway({
    ledger: createPracticeLedger(database),
    clock,
    ids,
    secret: keyring.secretFor('practice-webhooks'),
    publicUrl,
    send,
  });
  return {
    gateway,
    cardPayments: {
      gateway,
      reports,
      bankOrigins: [new URL(publicUrl).origin],
    },
  };
}
