import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { moveMoney } from '../visit-money/index.ts';
import type { Claim } from './claim.ts';
import type { VisitEvent } from './letters.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { ignoredOf } from './visit.ts';
import type { Visit, VisitRequest } from './visit.ts';

/** The outbox kind of letters about visits; what stands in it is ids, never a name or a reason. */
export const VISIT_LETTER = 'visit-letter';

/** The change that a letter tells of, as it stands in the outbox. */
export interface LetterOf {
  readonly event: VisitEvent;
  readonly claimId: string;
  /** The change's number in calendars, whatever becomes of the visit until the letter is sent. */
  readonly sequence: number;
  /** The clinic gave the visit up, not its patient. */
  readonly byClinic?: true;
}

export function enqueueLetter(
  ports: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  letter: LetterOf,
  now: EpochSeconds,
): Promise<void> {
  return ports.outbox.enqueue(tx, VISIT_LETTER, { ...letter }, now);
}

/** What goes with a claim that has become a visit: the end of the moved one, audit, letter. */
export async function recordVisit(
  ports: BookingPorts,
  tx: Tx,
  request: VisitRequest,
  offer: Offer,
  claim: Claim,
  moved: Claim | null,
  now: EpochSeconds,
): Promise<Visit | BookingRefusal> {
  const { patientId } = request;
  if (offer.doctor === null || offer.type === null) throw new Error('Booked what is not offered');
  if (moved && (await ports.claims.endVisit(tx, patientId, moved.id, 'rescheduled', now)) === null)
    // Ended meanwhile by somebody else, such as the clinic: nothing moves. The caller rolls back.
    return refused('slotTaken');
  if (moved) await moveMoney(tx, moved.id, claim.id, now);
  await Promise.all([
    auditVisit(ports, tx, patientId, claim, ignoredOf(request, moved), now),
    enqueueLetter(ports, tx, letterOf(moved ? 'rescheduled' : 'booked', claim), now),
  ]);
  return {
    kind: moved ? 'rescheduled' : 'booked',
    claim,
    description: offer.type.description,
    doctor: offer.doctor,
  };
}

export const letterOf = (event: VisitEvent, { id, sequence }: Claim): LetterOf => ({
  event,
  claimId: id,
  sequence,
});

export function auditVisit(
  ports: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  claim: Claim,
  ignored: readonly string[],
  now: EpochSeconds,
): Promise<void> {
  return ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: claim.rescheduledFrom === null ? 'appointment booked' : 'appointment rescheduled',
    subject: `claim:${claim.id}`,
    details: {
      provider: claim.providerId,
      start: claim.start,
      type: claim.type,
      ...(claim.rescheduledFrom === null ? {} : { movedFrom: claim.rescheduledFrom }),
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    at: now,
  });
}
