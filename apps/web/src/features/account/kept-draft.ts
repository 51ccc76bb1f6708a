import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ProfileDraft } from './profile-draft.ts';

const queryKey = ['account-draft'];

/**
 * What was typed and not saved outlives the page: who went back, or left by another way that asks
 * nothing, finds it again. It goes with everything of the patient's when the session ends.
 */
export function useKeptDraft(): {
  readonly read: () => ProfileDraft | null;
  readonly keep: (draft: ProfileDraft | null) => void;
} {
  const queryClient = useQueryClient();
  const read = useCallback(
    () => queryClient.getQueryData<ProfileDraft>(queryKey) ?? null,
    [queryClient],
  );
  const keep = useCallback(
    (draft: ProfileDraft | null) => {
      if (draft === null) return queryClient.removeQueries({ queryKey });
      queryClient.setQueryDefaults(queryKey, { gcTime: Infinity });
      queryClient.setQueryData(queryKey, draft);
    },
    [queryClient],
  );
  return { read, keep };
}
