import { QueryClient, type DataTag, type QueryKey } from '@tanstack/react-query';
import { ApiError } from '@clinic/app/api-error';

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

/**
 * Shows what a call has just answered. An answer under way may be older, and would overwrite it: it is
 * asked for once more.
 */
export function takeAnswer<Answer>(
  queryClient: QueryClient,
  { queryKey }: { readonly queryKey: DataTag<QueryKey, Answer, Error> },
  answer: NoInfer<Answer>,
): void {
  const which = { queryKey, exact: true };
  const isUnderWay = queryClient.isFetching(which) > 0;
  void queryClient.cancelQueries(which);
  queryClient.setQueryData<Answer>(queryKey, answer);
  if (isUnderWay) void queryClient.invalidateQueries(which);
}
