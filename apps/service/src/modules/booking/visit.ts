import type { WireAnswers } from '@clinic/contract';
import { ELIGIBILITY_RULES, isCancellableByPolicy } from '@clinic/domain';
import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../platform/sessions.ts';
import { answersToKeep } from './answers.ts';
import type { Claim, SlotRequest } from './claim.ts';
import type { VisitDetails } from './claims.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';

/** What a patient asks for when booking or moving a visit. */
export interface VisitRequest {
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  readonly answers: WireAnswers;
  /** Names the request for ever. */
  readonly requestKey: string;
  /** What the client sent and may not decide. */
  readonly claimed: { readonly ticklers: readonly string[]; readonly paymentToken: string | null };
}

/** A visit that stands, and what it takes to show it. */
export interface Visit {
  readonly kind: 'booked' | 'rescheduled';
  readonly claim: Claim;
  readonly description: string;
  readonly doctor: Doctor;
}

/** The context under which a claim's answers are sealed (S-13). */
export const answersContext = (claimId: string) => `claim.answers:${claimId}`;

/**
 * Everything that a visit carries. A moved visit keeps its number, payment and ticklers, and
 * its calendar event goes on under the same number with the next sequence.
 */
export function detailsOf(
  { keyring, ids }: Pick<BookingPorts, 'keyring' | 'ids'>,
  offer: Offer,
  request: VisitRequest,
  claimId: string,
  moved: Claim | null,
): VisitDetails {
  const { eligibility } = offer.patient;
  const { slot } = request;
  const answers = JSON.stringify(answersToKeep(slot.type, request.answers));
  const policy = { eligibilities: ELIGIBILITY_RULES };
  return {
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay,
    requestKey: request.requestKey,
    bookingNumber: moved?.bookingNumber ?? newBookingNumber(ids),
    answersSealed: keyring.seal(answersContext(claimId), answers),
    isCancellable: moved?.isCancellable ?? isCancellableByPolicy(policy, slot.type, eligibility),
    rescheduledFrom: moved?.id ?? null,
    paidCents: moved?.paidCents ?? 0,
    ticklers: moved?.ticklers ?? [],
    checkin: null,
    sequence: moved ? moved.sequence + 1 : 0,
    contactPreference: (slot.type === 'I' ? request.answers.contactPreference : null) ?? null,
  };
}

function newBookingNumber(ids: BookingPorts['ids']): string {
  return ids.uuid().replaceAll('-', '').slice(0, 12).toUpperCase();
}

/** Names of what a client may not decide, where it differs from what is true. */
export function ignoredOf({ claimed }: VisitRequest, moved: Claim | null): string[] {
  const ticklers = claimed.ticklers.join('\n') !== (moved?.ticklers ?? []).join('\n');
  return [
    ...(ticklers && claimed.ticklers.length > 0 ? ['previousTicklers'] : []),
    ...(claimed.paymentToken === null ? [] : ['stripePaymentToken']),
  ];
}

/** The claim as it stands once it carries its details. */
export function asClaim(
  slot: SlotRequest,
  ids: { readonly id: string; readonly chartId: string; readonly clinicDate: string },
  details: VisitDetails,
  changedAt: EpochSeconds,
): Claim {
  return {
    ...slot,
    ...ids,
    ...details,
    changedAt,
    state: 'booked',
    holdPlacedAt: null,
    holdExpiresAt: null,
    confirming: false,
    paying: false,
    isReschedulable: true,
  };
}
