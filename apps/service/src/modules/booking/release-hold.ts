import type { EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../platform/sessions.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

/** Gives the patient's hold back; repeating it is harmless. */
export function releaseHold(
  ports: BookingPorts,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<{ readonly kind: 'released' } | BookingRefusal> {
  return transact(ports, async (tx) => {
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
    return { kind: 'released' as const };
  });
}
