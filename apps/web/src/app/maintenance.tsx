import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { recordsQuery } from '../shared/session/records-status.ts';
import { endSession } from '../shared/session/session.ts';

const MaintenanceMessage = lazy(async () => ({
  default: (await import('../shared/session/maintenance-message.tsx')).MaintenanceMessage,
}));

/** §2 Shell: a message that cannot be closed while the service is offline; it signs out. */
export function Maintenance() {
  const queryClient = useQueryClient();
  const status = useQuery(recordsQuery).data;
  const offline = status?.online === false;
  useEffect(() => {
    if (offline) endSession(queryClient, { why: 'maintenance' });
  }, [offline, queryClient]);

  if (!offline) return null;
  return (
    <Suspense>
      <MaintenanceMessage added={status.message} />
    </Suspense>
  );
}

export function useOffline(): boolean {
  return useQuery(recordsQuery).data?.online === false;
}
