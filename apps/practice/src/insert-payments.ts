import type { Tx } from '@clinic/service/database/db.ts';
import { payment, practiceIntent } from '@clinic/service/schema.ts';
import type { Ids } from '@clinic/service/server/ids.ts';

export interface PaidAppointment {
  readonly id: string;
  readonly patientId: string | null;
  readonly paidCents: number;
  readonly createdAt: number;
}

/** The fees of seeded appointments: paid, and taken in the practice gateway's books. */
export async function insertPayments(
  tx: Tx,
  ids: Ids,
  appointments: readonly PaidAppointment[],
): Promise<void> {
  for (const { id: appointmentId, patientId, paidCents, createdAt } of appointments) {
    if (patientId === null || paidCents === 0) continue;
    const id = ids.uuid();
    const intentId = `pi_practice_${id.replaceAll('-', '')}`;
    await tx.insert(payment).values({
      id,
      patientId,
      appointmentId,
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
