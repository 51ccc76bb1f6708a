import type { EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../platform/sessions.ts';
import { recordsIdOf } from './ask-records.ts';
import { type DayClaim, endWithoutAccount } from './day-claims.store.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { enqueueLetter } from './record-visit.ts';

export interface Who {
  readonly actor: string;
  readonly now: EpochSeconds;
}

/**
 * the clinic gives a visit up, whatever the hour and the fee. What was paid for it is not kept:
 * the payments sweeper gives it back in full. False when the visit stood no more.
 */
export async function cancelByClinic(
  ports: BookingPorts,
  { id, patientId }: DayClaim,
  { actor, now }: Who,
): Promise<boolean> {
  if (!ports.records.claimsAreTheBook) {
    const known = await recordsIdOf(ports.records, id);
    if (known) await ports.records.cancel(`cancel:${id}`, known);
  }
  const outcome = await transact(ports, async (tx) => {
    const subject = `claim:${id}`;
    if (patientId === null) {
      if (!(await endWithoutAccount(tx, id, now))) return { kind: 'gone' as const };
      await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
      return { kind: 'cancelled' as const };
    }
    const owner = patientId as PatientId;
    await ports.claims.lockPatientOnly(tx, owner);
    const sequence = await ports.claims.endVisit(tx, owner, id, 'cancelled', now);
    if (sequence === null) return { kind: 'gone' as const };
    await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
    const letter = { event: 'cancelled', claimId: id, sequence, byClinic: true } as const;
    await enqueueLetter(ports, tx, letter, now);
    return { kind: 'cancelled' as const };
  });
  return outcome.kind === 'cancelled';
}

/** Takes a hold back that nobody pays for; false when it was gone or is under way. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId, underWay }: DayClaim,
  { actor, now }: Who,
): Promise<boolean> {
  if (patientId === null || underWay) return false;
  const outcome = await transact(ports, async (tx) => {
    await ports.claims.lockPatientOnly(tx, patientId as PatientId);
    const standing = await ports.claims.lockClaim(tx, id);
    if (standing?.state !== 'held' || standing.paying || standing.confirming)
      return { kind: 'gone' as const };
    await ports.claims.release(tx, id, now);
    const subject = `claim:${id}`;
    await ports.appendAudit(tx, { actor, action: 'hold released', subject, at: now });
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}
