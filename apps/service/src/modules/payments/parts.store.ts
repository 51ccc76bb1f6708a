import { type Db, part, sql } from '../../database/db.ts';

/** What was paid for appointments, for another module's statement. */
export const RECEIPTS = part`(
  select appointment_id, amount_cents, reference, created_at_s from payment
   where state in ('capturing', 'captured', 'kept'))`;

/** The money follows an appointment that moves, in the statement that ends the old one. */
export const MONEY_MOVED = part`
  update payment set appointment_id = ended.moved_to, version = version + 1, changed_at_s = ended.at_s
    from ended where payment.appointment_id = ended.id`;

/**
 * The patient gives a paid appointment up: the fee is kept, an authorised one is captured first.
 */
export const MONEY_KEPT = part`
  update payment set given_up_by_patient = true, due_at_s = ended.at_s, version = version + 1,
         changed_at_s = ended.at_s
    from ended join gone on gone.id = ended.id
   where payment.appointment_id = ended.id and payment.state in ('capturing', 'captured')`;

/** The reference on the receipt of an appointment, or null when nothing was paid for it. */
export async function referenceOf(db: Db, appointmentId: string): Promise<string | null> {
  const [paid] = await sql<{ reference: string }>(db, 'payment-reference')`
    select reference from ${RECEIPTS} paid where paid.appointment_id = ${appointmentId}
     order by created_at_s desc limit 1`;
  return paid?.reference ?? null;
}
