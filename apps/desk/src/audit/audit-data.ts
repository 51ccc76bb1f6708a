import type { CallInput } from '@clinic/contract';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';

/** What of the trail is asked for. */
export type TrailSearch = CallInput<'deskExportAudit'>['body'];

/** A page of the trail; opened again, it is looked at again. */
export const trailQuery = (search: TrailSearch, after: string | null) =>
  queryOptions({
    queryKey: ['audit', search, after],
    queryFn: async () =>
      (await ask('deskAuditTrail', { body: { ...search, ...(after !== null && { after }) } }))
        .extras,
    staleTime: Infinity,
    gcTime: 0,
  });

export const trailStaffQuery = queryOptions({
  queryKey: ['audit-staff'],
  queryFn: async () => (await ask('deskAuditStaff', {})).extras.staff,
});
