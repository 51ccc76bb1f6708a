import type { EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../platform/db.ts';
import { run } from '../../platform/statement.ts';
import type { Statement } from '../../platform/statement.ts';

const move: Statement = {
  name: 'visit-money-move',
  text: `update payment set claim_id = $2::uuid, version = version + 1, changed_at_s = $3
          where claim_id = $1::uuid`,
};

const keep: Statement = {
  name: 'visit-money-keep',
  text: `update payment set given_up_by_patient = true, due_at_s = $2, version = version + 1,
                changed_at_s = $2
          where claim_id = $1::uuid and state in ('capturing', 'captured')`,
};

const receipt: Statement = {
  name: 'visit-money-receipt',
  text: `select amount_cents, reference, created_at_s from payment
          where claim_id = $1::uuid and state in ('capturing', 'captured', 'kept')
          order by created_at_s desc limit 1`,
};

/** The money follows a visit that moves, in the transaction that moves it. */
export async function moveMoney(
  tx: Tx,
  from: string,
  to: string,
  now: EpochSeconds,
): Promise<void> {
  await run(tx, move, [from, to, now]);
}

/** The patient gives a paid visit up: the fee is kept, an authorised one is captured first. */
export async function keepMoney(tx: Tx, claimId: string, now: EpochSeconds): Promise<void> {
  await run(tx, keep, [claimId, now]);
}

/** What a letter says of the payment of a visit. */
export interface Receipt {
  readonly amountCents: number;
  readonly reference: string;
  readonly paidAt: EpochSeconds;
}

/** The receipt of a visit, or null when nothing was paid for it. */
export async function receiptOf(db: Db, claimId: string): Promise<Receipt | null> {
  interface Row {
    readonly amount_cents: number;
    readonly reference: string;
    readonly created_at_s: number;
  }
  const [row] = await run<Row>(db, receipt, [claimId]);
  return row
    ? { amountCents: row.amount_cents, reference: row.reference, paidAt: row.created_at_s }
    : null;
}
