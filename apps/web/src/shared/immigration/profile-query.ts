import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { MedicalProfile } from '@clinic/domain';
import { request } from '../api/service.ts';

/** The profile kept last time, to fill the form with; null when there is none. */
export const profileQuery = queryOptions({
  queryKey: ['medicalProfile'],
  queryFn: async ({ signal }): Promise<MedicalProfile | null> =>
    (await request('readMedicalProfile', {}, { signal })).extras.profile,
});

/**
 * What is typed and not saved yet: it outlives the dialog, so that Back loses nothing, and ends with
 * the session as everything of the patient does.
 */
const TYPED = ['medicalProfile', 'typed'] as const;

export function typedProfile(queryClient: QueryClient): MedicalProfile | null {
  return queryClient.getQueryData<MedicalProfile | null>(TYPED) ?? null;
}

export function keepTyped(queryClient: QueryClient, profile: MedicalProfile | null): void {
  queryClient.setQueryDefaults(TYPED, { gcTime: Infinity });
  queryClient.setQueryData<MedicalProfile | null>(TYPED, profile);
}
