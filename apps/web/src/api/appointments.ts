import { queryOptions } from '@tanstack/react-query';
import { changeSentences } from '@clinic/contract/change-texts';
import { allowedChanges, centsOf } from '@clinic/domain';
import type { Appointment } from '@clinic/domain';
import type { ApiAppointment } from '@clinic/contract';
import { clinicNow } from '@clinic/app/clock';
import { BACKGROUND, request } from './service.ts';
import { locale } from '../messages/t.ts';

/** Query key of the patient's hold, which the booking reads. */
export const HOLD_KEY = ['hold'] as const;

/**
 * The patient's appointments (GET /me/appointments), for My Appointments and the limits of the
 * booking. `all` includes those older than 24 months.
 */
export const appointmentsQuery = ({ all = false }: { all?: boolean } = {}) =>
  queryOptions({
    queryKey: ['appointments', all ? 'all' : 'recent'],
    queryFn: ({ signal }) =>
      request('listAppointments', { query: all ? { all: 'true' } : {} }, { signal, ...BACKGROUND }),
    staleTime: 30_000,
  });

/** An appointment that is still being cancelled counts as booked and keeps its time. */
const stateOf = (status: ApiAppointment['status']): Appointment['state'] => {
  if (status === 'no-show') return 'noShow';
  return status === 'cancelling' ? 'booked' : status;
};

/** Converts an appointment of the API to the domain's, as its rules need it. */
export function appointmentFromApi(api: ApiAppointment): Appointment {
  return {
    start: api.startTime,
    state: stateOf(api.status),
    bookingNumber: api.bookingId,
    isCancellable: api.isCancellable,
    isReschedulable: api.isReschedulable,
    paidNow: centsOf(api.paidAmount) ?? 0,
    movedByClinic: api.movedByClinic ?? false,
  };
}

/** True for an appointment that stands at another time by now. */
export const isMoved = ({ status, movedTo }: ApiAppointment): boolean =>
  movedTo !== undefined || status === 'rescheduled';

/** Sentences on what can still be changed about an appointment, and until when. */
export function changesOf(api: ApiAppointment): string[] {
  const changes = allowedChanges(appointmentFromApi(api), clinicNow());
  return changeSentences(locale(), changes);
}
