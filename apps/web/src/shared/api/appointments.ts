import { queryOptions } from '@tanstack/react-query';
import { request } from './service.ts';

/**
 * The patient's appointments (§7 GET /me/appointments): My Appointments shows them, and the booking
 * checks its limits against them. `all` adds those of more than 24 months ago.
 */
export const appointmentsQuery = ({ all = false }: { all?: boolean } = {}) =>
  queryOptions({
    queryKey: ['appointments', all ? 'all' : 'recent'],
    queryFn: ({ signal }) =>
      request('listAppointments', { query: all ? { all: 'true' } : {} }, { signal }),
    staleTime: 30_000,
  });
