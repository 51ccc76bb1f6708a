import { whyCannotCancel } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { keepMoney } from '../visit-money/index.ts';
import { recordsIdOf } from './ask-records.ts';
import type { Claim } from './claim.ts';
import { whyTooOften } from './limits.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { enqueueLetter } from './record-visit.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { asAppointment } from './reschedule-target.ts';

export type CancelOutcome = { readonly kind: 'cancelled' } | BookingRefusal;

/**
 * Cancels a visit (§5, R-53). Repeating it is harmless, and so is cancelling a visit that was moved:
 * its successor stands. In records that another system keeps, the visit is cancelled there
 * first; a cancel that we then cannot write is found again by the patient's next try.
 */
export async function cancelAppointment(
  ports: CountedPorts,
  patientId: PatientId,
  claimId: string,
  now: EpochSeconds,
): Promise<CancelOutcome> {
  const { claimsAreTheBook } = ports.records;
  const tooMany = (tx: Tx) => whyTooOften(ports, tx, patientId, 'cancellations', now);
  const allowed = await transact(ports, async (tx) => {
    const claim = await lockedVisit(ports, tx, patientId, claimId, now);
    const outcome = claim === null ? refused('notFound') : decide(claim, now);
    // Before the records are told, which is not taken back.
    if (outcome.kind !== 'cancel' || claimsAreTheBook) return outcome;
    return (await tooMany(tx)) ?? outcome;
  });
  if (allowed.kind !== 'cancel') return allowed;
  if (!claimsAreTheBook) {
    const id = await recordsIdOf(ports.records, claimId);
    if (id) await ports.records.cancel(`cancel:${claimId}`, id);
  }
  return transact(ports, async (tx) => {
    await ports.claims.lockPatientOnly(tx, patientId);
    const why = claimsAreTheBook ? await tooMany(tx) : null;
    if (why) return why;
    const sequence = await ports.claims.endVisit(tx, patientId, claimId, 'cancelled', now);
    if (sequence === null) return { kind: 'cancelled' as const };
    await keepMoney(tx, claimId, now);
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'appointment cancelled',
      subject: `claim:${claimId}`,
      at: now,
    });
    await enqueueLetter(ports, tx, { event: 'cancelled', claimId, sequence }, now);
    return { kind: 'cancelled' as const };
  });
}

async function lockedVisit(
  { claims }: BookingPorts,
  tx: Tx,
  patientId: PatientId,
  claimId: string,
  now: EpochSeconds,
): Promise<Claim | null> {
  const [, own] = await Promise.all([
    claims.lockPatientOnly(tx, patientId),
    claims.standing(tx, patientId, now, null, [claimId]),
  ]);
  return (
    own.find(({ id, state }) => id === claimId && state !== 'held' && state !== 'released') ?? null
  );
}

function decide(claim: Claim, now: EpochSeconds): CancelOutcome | { readonly kind: 'cancel' } {
  if (claim.state === 'cancelled' || claim.state === 'rescheduled') return { kind: 'cancelled' };
  return whyCannotCancel(asAppointment(claim), now) === null
    ? { kind: 'cancel' }
    : refused('notCancellable');
}
