import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ApiMessageThread } from '@clinic/contract';
import { request } from '../../api/service.ts';

export const PAGE_SIZE = 20;
const MESSAGES = ['messages'] as const;

// Reading is done in the background: being there is told by the patient's own activity.
const background = { background: true };

export const listQuery = (skip: number) =>
  queryOptions({
    queryKey: [...MESSAGES, 'list', skip],
    queryFn: ({ signal }) =>
      request('listMessages', { query: { limit: PAGE_SIZE, skip } }, { signal, ...background }),
  });

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: [...MESSAGES, 'thread', id],
    queryFn: async ({ signal, client }) => {
      const options = { signal, ...background };
      const { extras } = await request('readMessage', { params: { id } }, options);
      // Reading takes the mark away from list and tab too.
      refreshList(client);
      return extras.message;
    },
  });

/** How many messages the clinic has answered that the patient has not read. */
export function useUnreadMessages(): number {
  return useQuery(listQuery(0)).data?.unread ?? 0;
}

/** Keeps what the service answered, and has the list asked for again. */
export function useKeepThread(): (thread: ApiMessageThread) => void {
  const queryClient = useQueryClient();
  return (thread) => {
    const { queryKey } = threadQuery(thread.id);
    // An answer that is on its way is older than this one.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, thread);
    refreshList(queryClient);
  };
}

function refreshList(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: [...MESSAGES, 'list'] });
}

/** Everything about messages is asked for again. */
export function refreshMessages(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: MESSAGES });
}

/** The service takes no more; in code points. */
export const MESSAGE_CHARACTERS = 4000;
