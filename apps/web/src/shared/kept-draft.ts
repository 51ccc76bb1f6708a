import type { QueryClient } from '@tanstack/react-query';

interface KeptDraft<Draft> {
  readonly read: (queryClient: QueryClient) => Draft | null;
  readonly keep: (queryClient: QueryClient, draft: Draft | null) => void;
}

/**
 * What is typed into a form and not saved outlives the form: who goes back, or leaves by another
 * way that asks nothing, finds it again. It goes with everything of the patient's when the session
 * ends.
 */
export function keptDraft<Draft>(form: string): KeptDraft<Draft> {
  const queryKey = ['draft', form];
  return {
    read: (queryClient) => queryClient.getQueryData<Draft>(queryKey) ?? null,
    keep(queryClient, draft) {
      if (draft === null) return queryClient.removeQueries({ queryKey });
      queryClient.setQueryDefaults(queryKey, { gcTime: Infinity });
      queryClient.setQueryData<Draft>(queryKey, draft);
    },
  };
}
