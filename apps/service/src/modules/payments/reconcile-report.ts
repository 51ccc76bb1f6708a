import { formatFee } from '@clinic/domain';

import type { ReconcileReport } from './reconcile.ts';

const WORDS = {
  stranger: 'stands at the gateway, and no payment here knows it',
  missingIntent: 'is not among the intents of the gateway',
  unsettled: 'did not rest',
} as const;

const OUTCOMES = {
  repaired: 'repaired',
  alarm: 'ALARM: look at it in the dashboard of the card provider',
  open: 'not finished yet; the service goes on by itself',
} as const;

/** What an operator reads: the sums, then a line for each difference. */
export function reconcileReport(report: ReconcileReport): string[] {
  const { intents, payments, capturedCents, refundedCents, differences } = report;
  return [
    `${intents} intents at the gateway, ${payments} payments here`,
    `taken ${formatFee(capturedCents)}, given back ${formatFee(refundedCents)}`,
    ...differences.map(
      ({ payment, intent, what, outcome }) =>
        `payment ${payment ?? '-'}, intent ${intent ?? '-'}: ${WORDS[what]}; ${OUTCOMES[outcome]}`,
    ),
    differences.length === 0 ? 'No differences' : `${differences.length} differences`,
  ];
}

/** Whether an operator has something to do. */
export function needsOperator({ differences }: ReconcileReport): boolean {
  return differences.some(({ outcome }) => outcome === 'alarm');
}
