import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** §4: starting the app loads the pharmacy list, once the page has nothing better to do. */
export function usePharmaciesAtStart(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const load = () =>
      void import('../shared/pharmacies/pharmacies-query.ts')
        .then(({ loadPharmacies }) => loadPharmacies(queryClient))
        // The picker asks again when it opens.
        .catch(() => {});
    // Safari of before 18 does not say when it is idle.
    if (!('requestIdleCallback' in window)) {
      const later = setTimeout(load, 2_000);
      return () => clearTimeout(later);
    }
    const later = requestIdleCallback(load);
    return () => cancelIdleCallback(later);
  }, [queryClient]);
}
