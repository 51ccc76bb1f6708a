import type {
  AppointmentTypeCode,
  ClinicDate,
  ContactPreference,
  EpochSeconds,
} from '@clinic/domain';

export type AppointmentState =
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

/** An appointment on a provider's time: a hold, an appointment, or what became of one. */
export interface StoredAppointment extends SlotRequest {
  readonly id: string;
  readonly recordId: string;
  readonly clinicDate: ClinicDate;
  readonly state: AppointmentState;
  readonly holdPlacedAt: EpochSeconds | null;
  readonly holdExpiresAt: EpochSeconds | null;
  /** The records were asked to book it and have not answered yet: it does not lapse. */
  readonly confirming: boolean;
  /** A payment is under way: only the payment books it or lets it go. */
  readonly paying: boolean;
  readonly rescheduledFrom: string | null;
  readonly requestKey: string | null;
  /** The appointment's number, kept when it moves (§3 bookingId). */
  readonly bookingNumber: string | null;
  readonly paidCents: number;
  readonly isReschedulable: boolean;
  readonly isCancellable: boolean;
  readonly checkin: string | null;
  readonly ticklers: readonly string[];
  readonly sequence: number;
  /** How the patient of a type I appointment asked to be seen. */
  readonly contactPreference: ContactPreference | null;
  /** When it came to its state. */
  readonly changedAt: EpochSeconds;
}

/** Whether a hold still keeps its slot from others. */
export function standsHeld(appointment: StoredAppointment, now: EpochSeconds): boolean {
  return (
    appointment.state === 'held' &&
    (appointment.confirming || appointment.paying || now < (appointment.holdExpiresAt ?? 0))
  );
}

/** Whether an appointment still lies ahead and stands. */
export function standsBooked(appointment: Pick<StoredAppointment, 'state'>): boolean {
  return appointment.state === 'booked' || appointment.state === 'registered';
}

export function sameSlot(
  a: Pick<SlotRequest, 'providerId' | 'start' | 'end'>,
  b: Pick<SlotRequest, 'providerId' | 'start' | 'end'>,
): boolean {
  return a.providerId === b.providerId && a.start === b.start && a.end === b.end;
}
