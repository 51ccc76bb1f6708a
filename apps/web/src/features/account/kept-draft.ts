import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keepDraft, keptDraft } from '../../shared/kept-draft.ts';
import type { ProfileDraft } from './profile-draft.ts';

const FORM = 'account';

/** The profile as it was typed and not saved. */
export function useKeptDraft(): {
  readonly read: () => ProfileDraft | null;
  readonly keep: (draft: ProfileDraft | null) => void;
} {
  const queryClient = useQueryClient();
  const read = useCallback(() => keptDraft<ProfileDraft>(queryClient, FORM), [queryClient]);
  const keep = useCallback(
    (draft: ProfileDraft | null) => keepDraft(queryClient, FORM, draft),
    [queryClient],
  );
  return { read, keep };
}
