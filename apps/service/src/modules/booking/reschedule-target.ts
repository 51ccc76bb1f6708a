import { whyCannotReschedule } from '@clinic/domain';
import type { Appointment, EpochSeconds } from '@clinic/domain';

import { standsBooked } from './claim.ts';
import type { Claim, SlotRequest } from './claim.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

/** A claim as the rules about changing a visit see it. */
export function asAppointment(claim: Claim): Appointment {
  return {
    start: claim.start,
    status: claim.state === 'booked' || claim.state === 'registered' ? claim.state : 'other',
    bookingId: claim.bookingNumber,
    isCancellable: claim.isCancellable,
    isReschedulable: claim.isReschedulable,
    paidCents: claim.paidCents,
  };
}

/**
 * The visit that a reschedule moves: the one named, else the one of the hold, else the only
 * reschedulable upcoming visit of the type. Own, standing, same type and more than 24 hours ahead –
 * unless the hold that stands was made for this visit: then the 24 hours were decided there.
 * `own` are the patient's standing claims and the one named; a visit that is not among them is not
 * the patient's.
 */
export function rescheduleTarget(
  own: readonly Claim[],
  slot: SlotRequest,
  named: string | null,
  hold: Claim | null,
  now: EpochSeconds,
): Claim | BookingRefusal {
  const visits = own.filter(standsBooked);
  const id = named ?? hold?.rescheduledFrom ?? null;
  if (id === null) {
    const candidates = visits.filter(
      (visit) =>
        visit.type === slot.type && whyCannotReschedule(asAppointment(visit), now) === null,
    );
    const [only] = candidates;
    return only && candidates.length === 1 ? only : refused('rescheduleUnclear');
  }
  const visit = own.find((each) => each.id === id && each.state !== 'held');
  if (!visit) return refused('notFound');
  if (visit.type !== slot.type || !standsBooked(visit)) return refused('notReschedulable');
  const decidedAt =
    hold !== null && hold.rescheduledFrom === visit.id ? (hold.holdPlacedAt ?? now) : now;
  return whyCannotReschedule(asAppointment(visit), decidedAt) === null
    ? visit
    : refused('notReschedulable');
}
