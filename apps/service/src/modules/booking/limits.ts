import { ELIGIBILITY_RULES, whyOverLimit } from '@clinic/domain';
import type { CountedVisit, EpochSeconds } from '@clinic/domain';

import type { Claim, SlotRequest } from './claim.ts';
import type { Offer } from './offer.ts';
import { refusalOfLimit } from './refusals.ts';
import type { BookingRefusalCode } from './refusals.ts';

function counted(claim: Claim): readonly CountedVisit[] {
  const { start, state } = claim;
  return state === 'booked' || state === 'registered' ? [{ start, state }] : [];
}

/**
 * Which limit the visit would break, or null. The patient's own hold is left out: the new
 * claim confirms or replaces it. `own` were read after the patient's row was locked.
 */
export function whyOverOwnLimit(
  offer: Offer,
  own: readonly Claim[],
  slot: SlotRequest,
  now: EpochSeconds,
): BookingRefusalCode | null {
  const { oncePerDay } = ELIGIBILITY_RULES[offer.patient.eligibility];
  const limit = whyOverLimit(slot.start, own.flatMap(counted), oncePerDay, now);
  return limit === null ? null : refusalOfLimit(limit);
}
