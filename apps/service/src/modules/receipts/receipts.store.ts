import type { EpochSeconds } from '@clinic/domain';

import { type Db, type Tx, sql } from '../../database/db.ts';

/** The money follows an appointment that moves, in the transaction that moves it. */
export async function moveMoney(
  tx: Tx,
  from: string,
  to: string,
  now: EpochSeconds,
): Promise<void> {
  await sql(tx, 'appointment-money-move')`
    update payment set appointment_id = ${to}::uuid, version = version + 1, changed_at_s = ${now}
     where appointment_id = ${from}::uuid`;
}

/**
 * The patient gives a paid appointment up: the fee is kept, an authorised one is captured first.
 */
export async function keepMoney(tx: Tx, appointmentId: string, now: EpochSeconds): Promise<void> {
  await sql(tx, 'appointment-money-keep')`
    update payment set given_up_by_patient = true, due_at_s = ${now}, version = version + 1,
           changed_at_s = ${now}
     where appointment_id = ${appointmentId}::uuid and state in ('capturing', 'captured')`;
}

/** What an email says of the payment of an appointment. */
export interface Receipt {
  readonly amountCents: number;
  readonly reference: string;
  readonly paidAt: EpochSeconds;
}

/** The receipt of an appointment, or null when nothing was paid for it. */
export async function receiptOf(db: Db, appointmentId: string): Promise<Receipt | null> {
  const [receipt] = await sql<Receipt>(db, 'appointment-money-receipt')`
    select amount_cents as "amountCents", reference, created_at_s as "paidAt" from payment
     where appointment_id = ${appointmentId}::uuid and state in ('capturing', 'captured', 'kept')
     order by created_at_s desc limit 1`;
  return receipt ?? null;
}
