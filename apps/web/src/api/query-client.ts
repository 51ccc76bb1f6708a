import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Refusals are answers and not retried; an unreachable service is retried twice. */
function shouldRetry(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return failures < 2 && (error.unreachable || error.status >= 502);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: (failures) => 500 * 2 ** failures,
        staleTime: 30_000,
        // A phone without a network says so itself; a query that waits forever helps nobody.
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
