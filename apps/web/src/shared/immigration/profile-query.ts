import { queryOptions } from '@tanstack/react-query';
import type { MedicalProfile } from '@clinic/domain';
import { request } from '../api/service.ts';

/** The profile kept last time, to fill the form with; null when there is none. */
export const profileQuery = queryOptions({
  queryKey: ['medicalProfile'],
  queryFn: async ({ signal }): Promise<MedicalProfile | null> =>
    (await request('readMedicalProfile', {}, { signal })).extras.profile,
});
