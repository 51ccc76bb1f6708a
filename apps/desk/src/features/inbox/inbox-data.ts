import type { ApiDeskThread } from '@clinic/contract';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../shared/api.ts';
import { t } from '../../shared/words.ts';

export const WHOSE = ['all', 'mine', 'unassigned'] as const;
export type Whose = (typeof WHOSE)[number];

/** The position after which a page of the answered messages begins. */
export interface After {
  readonly afterAt: number;
  readonly afterId: string;
}

/** The last action on a message; only its outcome is shown. */
export type Act = 'assign' | 'answer' | 'close' | 'note';

export interface Acting {
  readonly last: Act | null;
  readonly onAct: (act: Act) => void;
}

/** Counts of waiting and of unopened messages; polled in the background. */
export const countsQuery = queryOptions({
  queryKey: ['messages', 'counts'],
  queryFn: async () => (await ask('deskMessageCounts', {}, { background: true })).extras,
  refetchInterval: 60_000,
  meta: { live: true },
});

/** A list of messages. Refetches of an open list run in the background; opening it again is a new look. */
export const inboxQuery = (whose: Whose, after: After | null) =>
  queryOptions({
    queryKey: ['messages', 'inbox', whose, after],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      return (await ask('deskInbox', { query: { whose, ...after } }, { background })).extras;
    },
    gcTime: 0,
    meta: { live: true },
  });

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'thread', id],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      const asked = await ask('deskOpenMessage', { params: { id }, body: {} }, { background });
      return asked.extras.message;
    },
    gcTime: 0,
    meta: { live: true },
  });

export const repliesQuery = queryOptions({
  queryKey: ['saved-replies'],
  queryFn: async () => (await ask('deskSavedReplies', {})).extras.replies,
});

export const suggestionsQuery = queryOptions({
  queryKey: ['messages', 'suggestions'],
  queryFn: async ({ client: queries, queryKey }) => {
    const background = queries.getQueryData(queryKey) !== undefined;
    return (await ask('deskSuggestions', {}, { background })).extras.suggestions;
  },
  gcTime: 0,
  meta: { live: true },
});

export const suggestionQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'suggestion', id],
    queryFn: async ({ client: queries }) => {
      const opened = await ask('deskOpenSuggestion', { params: { id }, body: {} });
      // It has been read now.
      void queries.invalidateQueries({ queryKey: suggestionsQuery.queryKey });
      return opened.extras;
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** The author's name, or else the side that wrote. */
export const whoSaid = ({ from, by }: ApiDeskThread['entries'][number]): string =>
  by ?? t(`desk.inbox.${from}`);
