import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { request } from '../api/service.ts';

/** Every pharmacy to choose from (§7 GET /pharmacy/all): public, and the same all day. */
export const pharmaciesQuery = queryOptions({
  queryKey: ['pharmacies'],
  queryFn: ({ signal }) => request('listPharmacies', {}, { signal, background: true }),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** §4: starting the app loads the list; whoever opens the picker later finds it there. */
export const loadPharmacies = (queryClient: QueryClient) =>
  queryClient.prefetchQuery(pharmaciesQuery);
