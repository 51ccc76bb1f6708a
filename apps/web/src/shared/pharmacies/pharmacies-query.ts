import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { request } from '../../api/service.ts';

/** All pharmacies (GET /pharmacy/all); the list is public and the same all day. */
export const pharmaciesQuery = queryOptions({
  queryKey: ['pharmacies'],
  queryFn: ({ signal }) => request('listPharmacies', {}, { signal, background: true }),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Preloads the list at the app's start, so that the picker finds it there. */
export const loadPharmacies = (queryClient: QueryClient) =>
  queryClient.prefetchQuery(pharmaciesQuery);
