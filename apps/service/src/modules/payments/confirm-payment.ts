import type { PatientId } from '../../security/sessions.ts';
import { isUuid } from '../../server/uuid.ts';
import type { Payment } from './payment.ts';
import type { PaymentPorts } from './ports.ts';
import { codeOf, isGatewayError } from './read-gateway.ts';
import type { Settled } from './settle.ts';
import { settleInTurn } from './settle-in-turn.ts';

export type Confirmed =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'refused'; readonly code: 'notFound' | 'paymentUnknown' };

/**
 * The patient is back from the bank, or says so: whatever the address says, the gateway is asked
 * . Late, twice, or for an appointment that is booked already: the same answer.
 */
export async function confirmPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  intent: string,
): Promise<Confirmed> {
  const payment = await paymentOfIntent(ports, intent);
  if (payment === 'unanswered') return { kind: 'refused', code: 'paymentUnknown' };
  // Another's and nobody's are the same to the caller.
  if (payment?.patientId !== patientId) return { kind: 'refused', code: 'notFound' };
  const settled = await settleInTurn(ports, payment.id);
  return settled === null
    ? { kind: 'refused', code: 'paymentUnknown' }
    : { kind: 'settled', settled };
}

/** Our payment of an intent; one whose create call was never answered is known by its metadata. */
export async function paymentOfIntent(
  { payments, database, gateway, reports }: PaymentPorts,
  intent: string,
): Promise<Payment | null | 'unanswered'> {
  const known = await payments.findByIntent(database.db, intent);
  if (known !== null) return known;
  try {
    const found = await gateway.retrieve(intent);
    const id = found?.payment ?? null;
    return id !== null && isUuid(id) ? await payments.find(database.db, id) : null;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    reports.report({ kind: 'confirm', code: codeOf(error) });
    return 'unanswered';
  }
}
