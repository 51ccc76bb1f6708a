import { queryOptions } from '@tanstack/react-query';
import { request } from '../../shared/api/service.ts';

/** Where the patient is signed in; asked anew with every visit to the page. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await request('listSessions', {}, { signal })).extras.sessions,
  staleTime: 0,
});
