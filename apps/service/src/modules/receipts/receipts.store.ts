import type { EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';

const move: Statement = {
  name: 'appointment-money-move',
  text: `update payment set appointment_id = $2::uuid, version = version + 1, changed_at_s = $3
          where appointment_id = $1::uuid`,
};

const keep: Statement = {
  name: 'appointment-money-keep',
  text: `update payment set given_up_by_patient = true, due_at_s = $2, version = version + 1,
                changed_at_s = $2
          where appointment_id = $1::uuid and state in ('capturing', 'captured')`,
};

const receipt: Statement = {
  name: 'appointment-money-receipt',
  text: `select amount_cents, reference, created_at_s from payment
          where appointment_id = $1::uuid and state in ('capturing', 'captured', 'kept')
          order by created_at_s desc limit 1`,
};

/** The money follows an appointment that moves, in the transaction that moves it. */
export async function moveMoney(
  tx: Tx,
  from: string,
  to: string,
  now: EpochSeconds,
): Promise<void> {
  await run(tx, move, [from, to, now]);
}

/**
 * The patient gives a paid appointment up: the fee is kept, an authorised one is captured first.
 */
export async function keepMoney(tx: Tx, appointmentId: string, now: EpochSeconds): Promise<void> {
  await run(tx, keep, [appointmentId, now]);
}

/** What an email says of the payment of an appointment. */
export interface Receipt {
  readonly amountCents: number;
  readonly reference: string;
  readonly paidAt: EpochSeconds;
}

/** The receipt of an appointment, or null when nothing was paid for it. */
export async function receiptOf(db: Db, appointmentId: string): Promise<Receipt | null> {
  interface Row {
    readonly amount_cents: number;
    readonly reference: string;
    readonly created_at_s: number;
  }
  const [row] = await run<Row>(db, receipt, [appointmentId]);
  return row
    ? { amountCents: row.amount_cents, reference: row.reference, paidAt: row.created_at_s }
    : null;
}
