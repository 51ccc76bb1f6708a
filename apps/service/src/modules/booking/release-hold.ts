import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

export interface Released {
  readonly kind: 'released';
}

/** Gives the patient's hold back; repeating it is harmless. */
export function releaseHold(
  ports: BookingPorts,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  return transact<Released>(ports, (tx) => releaseHoldIn(ports, tx, patientId, now));
}

/**
 * The same inside of another transaction, such as the one that signs out. A hold that the clinic is
 * confirming or that is being paid for stays: only its answer or its payment lets it go.
 */
export async function releaseHoldIn(
  ports: Pick<BookingPorts, 'claims' | 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  const [, own] = await Promise.all([
    ports.claims.lockPatientOnly(tx, patientId),
    ports.claims.standing(tx, patientId, now, null, null),
  ]);
  const hold = own.find((claim) => claim.state === 'held');
  if (hold?.confirming) return refused('clinicConfirming');
  if (hold?.paying) return refused('paymentUnderWay');
  if (hold && (await ports.claims.release(tx, hold.id, now)))
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'hold released',
      subject: `claim:${hold.id}`,
      at: now,
    });
  return { kind: 'released' };
}
