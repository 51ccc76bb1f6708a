import { useQuery } from '@tanstack/react-query';
import { allowedChanges, isCancellableBy } from '@clinic/domain';
import type { AllowedChanges, AppointmentType, Eligibility, EpochSeconds } from '@clinic/domain';
import type { ApiAppointment } from '@clinic/contract';
import { appointmentFromApi, appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '../../../api/clock.ts';
import type { RescheduleOf } from '../journey.ts';

/** The appointment that this booking moves; null while it is not known, and where none is moved. */
export function useMovedAppointment(rescheduleOf: RescheduleOf | null): ApiAppointment | null {
  const list = useQuery({ ...appointmentsQuery(), enabled: rescheduleOf !== null });
  if (rescheduleOf === null) return null;
  return list.data?.appointments.find(({ id }) => id === rescheduleOf.appointmentId) ?? null;
}

/** What is about to be booked, as far as it is settled. */
interface PlannedAppointment {
  readonly type: Pick<AppointmentType, 'isPrivate'>;
  readonly eligibility: Eligibility;
  /** The fee that is paid for it, in cents; an appointment that moves keeps its own. */
  readonly chargeCents: number;
  readonly start: EpochSeconds | null;
  readonly rescheduleOf: RescheduleOf | null;
}

/**
 * What the appointment will allow once it is booked or moved. Of one that moves, what was paid and
 * whether it can be cancelled go with it; while that is not known, nothing is said.
 */
export function usePlannedChanges(planned: PlannedAppointment): AllowedChanges {
  const { type, eligibility, chargeCents, start, rescheduleOf } = planned;
  const old = useMovedAppointment(rescheduleOf);
  const anew = {
    start,
    state: rescheduleOf === null ? ('booked' as const) : ('rescheduled' as const),
    bookingNumber: '',
    isCancellable: isCancellableBy(eligibility, type),
    isReschedulable: true,
    paidCents: rescheduleOf === null ? chargeCents : 0,
  };
  const moved = old && { ...appointmentFromApi(old), start };
  return allowedChanges(moved ?? anew, clinicNow());
}
