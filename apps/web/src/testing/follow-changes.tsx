import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges } from '../api/follow-changes.ts';

/** A page that asks anew for what changed, as the app does. */
export function FollowChanges() {
  const queryClient = useQueryClient();
  useEffect(() => followChanges(queryClient), [queryClient]);
  return null;
}
