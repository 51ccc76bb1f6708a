import type { QueryClient } from '@tanstack/react-query';
import { appointmentsQuery } from '../../shared/api/appointments.ts';

/** Whether the visit that was moved no longer stands, as the list says after the booking. */
export async function endOldVisit(queryClient: QueryClient, id: string): Promise<boolean> {
  try {
    const list = await queryClient.fetchQuery({ ...appointmentsQuery(), staleTime: 0 });
    const old = list.appointments.find((appointment) => appointment.id === id);
    return old?.status !== 'booked' && old?.status !== 'registered';
  } catch {
    return false;
  }
}
