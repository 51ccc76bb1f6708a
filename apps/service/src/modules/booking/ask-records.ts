import { toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { RecordsOutcomeUnknown } from '../../ports/clinic-records.ts';
import type {
  BookAnswer,
  BookRequest,
  ChartId,
  ProviderId,
  RecordsBookingId,
} from '../../ports/clinic-records.ts';
import type { Claim } from './claim.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { auditVisit, enqueueLetter, letterOf, recordVisit } from './record-visit.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { moveMoney } from '../visit-money/index.ts';
import type { Visit, VisitRequest } from './visit.ts';

/** A slot held with everything its visit will carry, while the clinic's records are asked. */
export interface AskRecords {
  readonly kind: 'askRecords';
  readonly claim: Claim;
  readonly offer: Offer;
  readonly moved: Claim | null;
}

/** Names the write of a claim in the records for ever. */
export const recordsKey = (claimId: string) => `claim:${claimId}`;

/**
 * Books the held slot in records that another system keeps (docs/clinic-records.md): outside of any
 * transaction, under the claim's key. 'taken' frees the slot; an unknown outcome keeps it, and the
 * sweeper finds out what became of it.
 */
export async function askRecords(
  ports: BookingPorts,
  request: VisitRequest,
  { claim, offer, moved }: AskRecords,
  now: EpochSeconds,
): Promise<Visit | BookingRefusal> {
  let answer: BookAnswer;
  try {
    answer = await write(ports, bookRequest(request, claim), moved);
  } catch (error) {
    if (error instanceof RecordsOutcomeUnknown) return refused('clinicConfirming');
    await giveBack(ports, claim.id, now);
    throw error;
  }
  if (answer.kind === 'taken' || answer.kind === 'notOffered') {
    await giveBack(ports, claim.id, now);
    return refused(answer.kind === 'taken' ? 'slotTaken' : 'slotNotOffered');
  }
  return transact(ports, async (tx, rollBack) => {
    if ((await ports.claims.settle(tx, claim.id, now)) === null) return refused('clinicConfirming');
    const visit = await recordVisit(ports, tx, request, offer, claim, moved, now);
    return visit.kind === 'refused' ? rollBack(visit) : visit;
  });
}

function bookRequest(request: VisitRequest, claim: Claim): BookRequest {
  return {
    key: recordsKey(claim.id),
    providerId: claim.providerId as ProviderId,
    chartId: claim.chartId as ChartId,
    date: claim.clinicDate,
    start: toClinic(claim.start).time,
    end: toClinic(claim.end).time,
    type: claim.type,
    reason: request.answers.reason.trim(),
  };
}

async function write(
  { records }: BookingPorts,
  to: BookRequest,
  moved: Claim | null,
): Promise<BookAnswer> {
  const old = moved && (await recordsIdOf(records, moved.id));
  return old ? records.move(to.key, old, to) : records.book(to);
}

/** How the records call the visit of a claim, or null when they never heard of it. */
export async function recordsIdOf(
  records: BookingPorts['records'],
  claimId: string,
): Promise<RecordsBookingId | null> {
  const known = await records.findByKey(recordsKey(claimId));
  return known && 'id' in known ? known.id : null;
}

async function giveBack(ports: BookingPorts, claimId: string, now: EpochSeconds): Promise<void> {
  await transact(ports, async (tx) => {
    await ports.claims.release(tx, claimId, now);
    return { kind: 'released' as const };
  });
}

/** Finishes one hold whose booking had an unknown outcome, once the records know (the sweeper's). */
export async function settleFromRecords(
  ports: BookingPorts,
  hold: { readonly claim: Claim; readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<void> {
  const { claim, patientId } = hold;
  const known = await ports.records.findByKey(recordsKey(claim.id));
  if (known === null || known.kind === 'taken' || known.kind === 'notOffered')
    return giveBack(ports, claim.id, now);
  await transact(ports, async (tx) => {
    if ((await ports.claims.settle(tx, claim.id, now)) === null)
      return { kind: 'settled' as const };
    const moved = claim.rescheduledFrom;
    if (moved) {
      await ports.claims.endVisit(tx, patientId, moved, 'rescheduled', now);
      await moveMoney(tx, moved, claim.id, now);
    }
    await auditVisit(ports, tx, patientId, claim, [], now);
    await enqueueLetter(ports, tx, letterOf(moved ? 'rescheduled' : 'booked', claim), now);
    return { kind: 'settled' as const };
  });
}
