import type { Tx } from '../platform/db.ts';
import { payment, practiceIntent } from '../platform/schema-payments.ts';
import type { Ids } from '../ports/ids.ts';

export interface PaidClaim {
  readonly id: string;
  readonly patientId: string | null;
  readonly paidCents: number;
  readonly createdAt: number;
}

/** The fees of seeded visits: paid, and taken in the practice gateway's books. */
export async function insertPayments(
  tx: Tx,
  ids: Ids,
  claims: readonly PaidClaim[],
): Promise<void> {
  for (const { id: claimId, patientId, paidCents, createdAt } of claims) {
    if (patientId === null || paidCents === 0) continue;
    const id = ids.uuid();
    const intentId = `pi_practice_${id.replaceAll('-', '')}`;
    await tx.insert(payment).values({
      id,
      patientId,
      claimId,
      amountCents: paidCents,
      state: 'captured',
      reference: `P-${id.replaceAll('-', '').slice(0, 10).toUpperCase()}`,
      intentId,
      paymentMethod: 'pm_practice_succeeds_seed',
      createdAt,
      changedAt: createdAt,
    });
    await tx.insert(practiceIntent).values({
      id: intentId,
      payment: id,
      amountCents: paidCents,
      currency: 'cad',
      status: 'succeeded',
      capturedCents: paidCents,
      createdAt,
    });
  }
}
