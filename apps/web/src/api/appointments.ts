import { queryOptions } from '@tanstack/react-query';
import { changeSentences } from '@clinic/contract/change-texts';
import { allowedChanges, centsOf } from '@clinic/domain';
import type { Appointment } from '@clinic/domain';
import type { ApiAppointment } from '@clinic/contract';
import { clinicNow } from './clock.ts';
import { request } from './service.ts';
import { locale } from '../messages/t.ts';

/** The time that the service holds for the patient; read by the booking. */
export const HOLD_KEY = ['hold'] as const;

/**
 * The patient's appointments (GET /me/appointments): My Appointments shows them, and the booking
 * checks its limits against them. `all` adds those of more than 24 months ago.
 */
export const appointmentsQuery = ({ all = false }: { all?: boolean } = {}) =>
  queryOptions({
    queryKey: ['appointments', all ? 'all' : 'recent'],
    queryFn: ({ signal }) =>
      request('listAppointments', { query: all ? { all: 'true' } : {} }, { signal }),
    staleTime: 30_000,
  });

/** What is not cancelled yet stands, with its time. */
const stateOf = (status: ApiAppointment['status']): Appointment['state'] => {
  if (status === 'confirming') return 'held';
  return status === 'cancelling' ? 'booked' : status;
};

/** An appointment of the API as the rules about it see it. */
export function appointmentFromApi(api: ApiAppointment): Appointment {
  return {
    start: api.startTime,
    state: stateOf(api.status),
    bookingNumber: api.bookingId,
    isCancellable: api.isCancellable,
    isReschedulable: api.isReschedulable,
    paidCents: centsOf(api.paidAmount) ?? 0,
    movedByClinic: api.movedByClinic ?? false,
  };
}

/** What can still be done about an appointment, and until when, in sentences. */
export function changesOf(api: ApiAppointment): string[] {
  const changes = allowedChanges(appointmentFromApi(api), clinicNow());
  return changeSentences(locale(), changes);
}
