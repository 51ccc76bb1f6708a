import type { QueryClient } from '@tanstack/react-query';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import { callService } from '../../shared/api/service.ts';

/**
 * The client's DELETE of the visit that was moved (§4 Reschedule). The service ended it together with
 * the booking; only when the call fails and the list still shows it standing is the answer false
 * (R-50).
 */
export async function endOldVisit(queryClient: QueryClient, id: string): Promise<boolean> {
  const result = await callService('cancelAppointment', { params: { id } });
  if (result.kind === 'answer') return true;
  try {
    const list = await queryClient.fetchQuery({
      ...appointmentsQuery(),
      staleTime: 0,
    });
    const old = list.appointments.find((appointment) => appointment.id === id);
    return old?.status !== 'booked' && old?.status !== 'registered';
  } catch {
    // The booking was answered, and the service ends the old visit in the same transaction.
    return true;
  }
}
