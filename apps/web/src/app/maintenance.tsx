import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { callService } from '../shared/api/service.ts';
import { endSession } from '../shared/session/session.ts';

const MaintenanceDialog = lazy(async () => ({
  default: (await import('../shared/session/maintenance-dialog.tsx')).MaintenanceDialog,
}));

const LOOK_AGAIN_MS = 30_000;

/** Whether the clinic's records answer (§7 oscarStatus): a refusal means no, no answer says nothing. */
const recordsQuery = queryOptions({
  queryKey: ['config', 'records'],
  queryFn: async ({ signal }): Promise<boolean> => {
    const result = await callService('recordsStatus', {}, { signal, background: true });
    if (result.kind === 'answer') return result.answer.status;
    return result.kind === 'unreachable';
  },
  staleTime: Infinity,
  refetchInterval: ({ state }) => (state.data === false ? LOOK_AGAIN_MS : false),
});

/** §2 Shell: a message that cannot be closed while the service is offline; it signs out. */
export function Maintenance() {
  const queryClient = useQueryClient();
  const offline = useQuery(recordsQuery).data === false;
  useEffect(() => {
    if (offline) endSession(queryClient, { why: 'maintenance' });
  }, [offline, queryClient]);

  if (!offline) return null;
  return (
    <Suspense>
      <MaintenanceDialog />
    </Suspense>
  );
}
