import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { request } from '../../api/service.ts';

/** All pharmacies (GET /pharmacy/all); the list is public and the same all day. */
export const pharmaciesQuery = queryOptions({
  queryKey: ['pharmacies'],
  queryFn: ({ signal }) => request('listPharmacies', {}, { signal, background: true }),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Preloads the list once the browser is idle, so that the picker finds it there. */
export function loadPharmaciesWhenIdle(queryClient: QueryClient): void {
  const load = () => void queryClient.prefetchQuery(pharmaciesQuery);
  // Safari before 18 has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(load);
  else setTimeout(load, 2_000);
}
