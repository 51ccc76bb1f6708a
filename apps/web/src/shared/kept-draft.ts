import type { QueryClient } from '@tanstack/react-query';

const keyOf = (form: string) => ['draft', form] as const;

/** What was typed into a form and not saved, or null. */
export function keptDraft<Draft>(queryClient: QueryClient, form: string): Draft | null {
  return queryClient.getQueryData<Draft>(keyOf(form)) ?? null;
}

/**
 * What is typed and not saved outlives its form: who goes back, or leaves by another way that asks
 * nothing, finds it again. It goes with everything of the patient's when the session ends.
 */
export function keepDraft<Draft>(
  queryClient: QueryClient,
  form: string,
  draft: Draft | null,
): void {
  const queryKey = keyOf(form);
  if (draft === null) return queryClient.removeQueries({ queryKey });
  queryClient.setQueryDefaults(queryKey, { gcTime: Infinity });
  queryClient.setQueryData(queryKey, draft);
}
