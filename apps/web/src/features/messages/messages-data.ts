import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ApiMessageThread } from '@clinic/contract';
import { BACKGROUND, request } from '../../api/service.ts';

export const PAGE_SIZE = 20;
const MESSAGES = ['messages'] as const;

export const listQuery = (skip: number) =>
  queryOptions({
    queryKey: [...MESSAGES, 'list', skip],
    queryFn: ({ signal }) =>
      request('listMessages', { query: { limit: PAGE_SIZE, skip } }, { signal, ...BACKGROUND }),
  });

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: [...MESSAGES, 'thread', id],
    queryFn: async ({ signal, client }) => {
      const options = { signal, ...BACKGROUND };
      const { extras } = await request('readMessage', { params: { id } }, options);
      // Reading clears the unread mark in the list and on the tab.
      refreshList(client);
      return extras.message;
    },
  });

/** Number of messages with an answer of the clinic that the patient has not read. */
export function useUnreadMessages(): number {
  return useQuery(listQuery(0)).data?.unread ?? 0;
}

/** Returns a function that caches a thread the service answered with, and refetches the list. */
export function useKeepThread(): (thread: ApiMessageThread) => void {
  const queryClient = useQueryClient();
  return (thread) => {
    const { queryKey } = threadQuery(thread.id);
    // A fetch under way is older than this answer.
    void queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, thread);
    refreshList(queryClient);
  };
}

function refreshList(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: [...MESSAGES, 'list'] });
}

/** Refetches everything about messages. */
export function refreshMessages(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: MESSAGES });
}

/** The service's limit, in code points. */
export const MESSAGE_CHARACTERS = 4000;
