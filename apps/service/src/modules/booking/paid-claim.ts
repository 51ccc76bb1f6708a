import type { WireAnswers } from '@clinic/contract';
import { renewedForBank, toClinic } from '@clinic/domain';
import type { ClaimFact, EpochSeconds } from '@clinic/domain';

import type { ChartId, ProviderId } from '../../ports/clinic-records.ts';
import type { Database, Tx } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { recordsKey } from './ask-records.ts';
import type { Claim } from './claim.ts';
import { claims } from './claims.store.ts';
import type { BookingPorts } from './ports.ts';
import { auditVisit, enqueueLetter, letterOf } from './record-visit.ts';
import { answersContext } from './visit.ts';

export type { Claim } from './claim.ts';

/** Locks the patient, then the claim, and reads it: the order that every writer keeps. */
export async function lockPaidClaim(
  tx: Tx,
  patientId: PatientId,
  claimId: string,
): Promise<Claim | null> {
  await claims.lockPatientOnly(tx, patientId);
  return claims.lockClaim(tx, claimId);
}

/** What became of the claim that a payment is for. */
export function claimFactOf(
  claim: Claim | null,
  givenUpByPatient: boolean,
  now: EpochSeconds,
): ClaimFact {
  switch (claim?.state) {
    case 'held':
      if (!claim.paying) return 'gone';
      return now < (claim.holdExpiresAt ?? 0) ? 'held' : 'lapsed';
    case 'booked':
    case 'registered':
    case 'completed':
    case 'no-show':
    case 'rescheduled':
      return 'active';
    case 'cancelled':
      return givenUpByPatient ? 'cancelledByPatient' : 'gone';
    case 'released':
    case undefined:
      return 'gone';
  }
}

/** Books a paid claim: the visit, its trail and its letter. The claim must be locked and held. */
export async function confirmClaim(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  patientId: PatientId,
  claimId: string,
  now: EpochSeconds,
): Promise<void> {
  const claim = await claims.settlePaid(tx, claimId, now);
  if (claim === null) throw new Error('A paid claim was not held any more');
  await auditVisit(ports, tx, patientId, claim, [], now);
  await enqueueLetter(ports, tx, letterOf('booked', claim), now);
}

/** Lets a claim go whose payment came to nothing. */
export async function releasePaidClaim(
  ports: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  claimId: string,
  now: EpochSeconds,
): Promise<void> {
  await claims.stopPaying(tx, claimId, now);
  if (!(await claims.release(tx, claimId, now))) return;
  await ports.appendAudit(tx, {
    actor: 'system:payments',
    action: 'hold lapsed',
    subject: `claim:${claimId}`,
    at: now,
  });
}

/** The payment is over and the hold is not: it may lapse by itself again. */
export async function stopPaying(tx: Tx, claimId: string, now: EpochSeconds): Promise<void> {
  await claims.stopPaying(tx, claimId, now);
}

/** The patient is at the bank: 30 minutes in total. Answers until when. */
export async function prolongForBank(tx: Tx, claim: Claim, now: EpochSeconds): Promise<number> {
  const hold = { heldAt: claim.holdPlacedAt ?? now, until: claim.holdExpiresAt ?? now };
  const until = renewedForBank(hold, now)?.until ?? hold.until;
  if (until !== hold.until) await claims.prolongPaying(tx, claim.id, until, now);
  return until;
}

/**
 * Books a held and paid claim in records that another system keeps, outside of any transaction, under
 * the claim's key: repeating it is harmless. False when they do not take it; true when our claims are
 * the book anyway, or the claim is not held.
 */
export async function bookInRecords(
  ports: Pick<BookingPorts, 'records' | 'keyring'> & { readonly database: Database },
  claimId: string,
): Promise<boolean> {
  if (ports.records.claimsAreTheBook) return true;
  const claim = await ports.database.inTransaction((tx) => claims.lockClaim(tx, claimId));
  const sealed = await claims.sealedAnswers(ports.database.db, claimId);
  if (claim === null || !claim.paying || sealed === null) return true;
  const answers = JSON.parse(ports.keyring.open(answersContext(claimId), sealed)) as WireAnswers;
  const answer = await ports.records.book({
    key: recordsKey(claimId),
    providerId: claim.providerId as ProviderId,
    chartId: claim.chartId as ChartId,
    date: claim.clinicDate,
    start: toClinic(claim.start).time,
    end: toClinic(claim.end).time,
    type: claim.type,
    reason: answers.reason,
  });
  return answer.kind === 'booked' || answer.kind === 'alreadyBooked';
}
