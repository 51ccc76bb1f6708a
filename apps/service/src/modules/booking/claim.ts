import type {
  AppointmentTypeCode,
  ClinicDate,
  ContactPreference,
  EpochSeconds,
} from '@clinic/domain';

export type ClaimState =
  | 'held'
  | 'booked'
  | 'registered'
  | 'released'
  | 'cancelled'
  | 'rescheduled'
  | 'no-show'
  | 'completed';

/** A span of one provider's time, for one patient. */
export interface SlotRequest {
  readonly providerId: string;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
  readonly type: AppointmentTypeCode;
}

/** A claim on a provider's time: a hold, a visit, or what became of one. */
export interface Claim extends SlotRequest {
  readonly id: string;
  readonly chartId: string;
  readonly clinicDate: ClinicDate;
  readonly state: ClaimState;
  readonly holdPlacedAt: EpochSeconds | null;
  readonly holdExpiresAt: EpochSeconds | null;
  /** The records were asked to book it and have not answered yet: it does not lapse. */
  readonly confirming: boolean;
  /** A payment is under way: only the payment books it or lets it go. */
  readonly paying: boolean;
  readonly rescheduledFrom: string | null;
  readonly requestKey: string | null;
  /** The visit's number, kept when it moves (§3 bookingId). */
  readonly bookingNumber: string | null;
  readonly paidCents: number;
  readonly isReschedulable: boolean;
  readonly isCancellable: boolean;
  readonly checkin: string | null;
  readonly ticklers: readonly string[];
  readonly sequence: number;
  /** How the patient of a type I visit asked to be seen. */
  readonly contactPreference: ContactPreference | null;
  /** When it came to its state. */
  readonly changedAt: EpochSeconds;
}

/** Whether a hold still keeps its slot from others. */
export function standsHeld(claim: Claim, now: EpochSeconds): boolean {
  return (
    claim.state === 'held' && (claim.confirming || claim.paying || now < (claim.holdExpiresAt ?? 0))
  );
}

/** Whether a visit still lies ahead and stands. */
export function standsBooked(claim: Pick<Claim, 'state'>): boolean {
  return claim.state === 'booked' || claim.state === 'registered';
}

export function sameSlot(
  a: Pick<SlotRequest, 'providerId' | 'start' | 'end'>,
  b: Pick<SlotRequest, 'providerId' | 'start' | 'end'>,
): boolean {
  return a.providerId === b.providerId && a.start === b.start && a.end === b.end;
}
