import { randomIds } from '../src/adapters/ids.ts';
import { createPracticeErrorReports } from '../src/adapters/error-reports-practice/practice-error-reports.ts';
import type { PracticeErrorReports } from '../src/adapters/error-reports-practice/practice-error-reports.ts';
import type { FaultSwitch } from '../src/adapters/payments-practice/faults.ts';
import { createPracticeGateway } from '../src/adapters/payments-practice/practice-gateway.ts';
import type { PracticeGateway } from '../src/adapters/payments-practice/practice-gateway.ts';
import { createPracticeLedger } from '../src/adapters/payments-practice/practice-ledger.ts';
import type { CardPayments } from '../src/platform/card-payments.ts';
import type { Database } from '../src/platform/db.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';

export interface PracticePayments {
  readonly gateway: PracticeGateway;
  readonly reports: PracticeErrorReports;
  readonly cardPayments: CardPayments;
}

/** Cards at the practice gateway. */
export function practicePayments(
  database: Database,
  clock: { now(): number },
  faults?: FaultSwitch,
): PracticePayments {
  const gateway = createPracticeGateway({
    ledger: createPracticeLedger(database),
    clock,
    ids: randomIds,
    secret: 'practice-webhooks',
    publicUrl: PUBLIC_URL,
    ...(faults ? { faults } : {}),
  });
  const reports = createPracticeErrorReports();
  return {
    gateway,
    reports,
    cardPayments: {
      gateway,
      reports,
      bankOrigins: [PUBLIC_URL],
    },
  };
}
