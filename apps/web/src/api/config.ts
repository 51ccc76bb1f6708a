import type { ClinicConfig } from '@clinic/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from './service.ts';

/** The clinic's name, contacts, flags and hours. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }): Promise<ClinicConfig> =>
    (await request('getConfig', {}, { signal })).extras,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The configuration, or null until it has loaded: pages render without it rather than wait. */
export function useConfig(): ClinicConfig | null {
  return useQuery(configQuery).data ?? null;
}
