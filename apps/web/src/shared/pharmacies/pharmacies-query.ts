import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { request } from '../../api/service.ts';

/** Every pharmacy to choose from (GET /pharmacy/all): public, and the same all day. */
export const pharmaciesQuery = queryOptions({
  queryKey: ['pharmacies'],
  queryFn: ({ signal }) => request('listPharmacies', {}, { signal, background: true }),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Starting the app loads the list; whoever opens the picker later finds it there. */
export const loadPharmacies = (queryClient: QueryClient) =>
  queryClient.prefetchQuery(pharmaciesQuery);
