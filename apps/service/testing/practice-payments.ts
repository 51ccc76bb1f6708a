import { randomIds } from '../src/server/ports.ts';
import { keptReports, type KeptReports } from './kept-reports.ts';
import {
  type FaultSwitch,
  type PracticeGateway,
  createPracticeGateway,
} from '@clinic/practice/payments/practice-gateway.ts';
import type { CardPayments } from '../src/modules/payments/gateway.ts';
import type { Database } from '../src/database/db.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';

export interface PracticePayments {
  readonly gateway: PracticeGateway;
  readonly reports: KeptReports;
  readonly cardPayments: CardPayments;
}

/** Cards at the practice gateway. */
export function practicePayments(
  database: Database,
  clock: { now(): number },
  faults?: FaultSwitch,
): PracticePayments {
  const gateway = createPracticeGateway({
    database,
    clock,
    ids: randomIds,
    secret: 'practice-webhooks',
    publicUrl: PUBLIC_URL,
    ...(faults ? { faults } : {}),
  });
  const reports = keptReports();
  return {
    gateway,
    reports,
    cardPayments: { gateway, bankOrigins: [PUBLIC_URL] },
  };
}
