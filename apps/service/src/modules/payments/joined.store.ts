import type { EpochSeconds } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, firstOf, hasRows, part, sql } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { cancelledSince, requestedBy } from '../appointments/index.ts';
import { PATIENT_EMAILS } from '../accounts/index.ts';

/** How far back the sweep looks for cancelled appointments: a reconciliation of all days finds older ones. */
const ENDED_WITHIN = 7_200;

/** Whether this request came with this card before: a repetition is not counted as a new try. */
export const wasSent = (
  db: Db,
  sent: {
    readonly patientId: PatientId;
    readonly paymentMethod: string;
    readonly requestKey: string;
  },
) =>
  hasRows(sql(db, 'payment-sent')`
    select 1 from payment
     where patient_id = ${sent.patientId} and payment_method = ${sent.paymentMethod}
       and appointment_id in ${requestedBy(sent.patientId, sent.requestKey)} limit 1`);

/** Payments to advance that nobody has leased: due, the longest first, or for an appointment that was cancelled. */
export async function listDue(db: Db, now: EpochSeconds, most: number): Promise<string[]> {
  const idle = part`(lease_until_s is null or lease_until_s <= ${now})`;
  const rows = await sql<{ id: string }>(db, 'payments-due')`
    (select id, due_at_s from payment
      where due_at_s <= ${now} and ${idle} order by due_at_s limit ${most})
    union
    (select id, due_at_s from payment
      where state in ('capturing', 'captured') and ${idle}
        and appointment_id in ${cancelledSince(now - ENDED_WITHIN, now)} limit ${most})
    order by due_at_s`;
  return rows.map(({ id }) => id);
}

/** What the email about a refund says. */
interface Refund {
  readonly to: string;
  readonly language: Locale;
  readonly amountCents: number;
  readonly reference: string;
}

export const refundOf = (db: Db, paymentId: string) =>
  firstOf(sql<Refund>(db, 'payment-refund')`
    select email as "to", language, amount_cents as "amountCents", reference
      from payment join ${PATIENT_EMAILS} payer on payer.id = patient_id
     where payment.id = ${paymentId}`);
