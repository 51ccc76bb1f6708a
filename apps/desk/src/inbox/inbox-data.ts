import type { ApiDeskThread } from '@clinic/contract';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';
import { t } from '../words.ts';

export const WHOSE = ['all', 'mine', 'unassigned'] as const;
export type Whose = (typeof WHOSE)[number];

/** Where a page of the answered messages begins. */
export interface After {
  readonly afterAt: number;
  readonly afterId: string;
}

/** What was done last beside a message: its outcome alone is shown. */
export type Act = 'assign' | 'answer' | 'close' | 'note';

export interface Acting {
  readonly last: Act | null;
  readonly onAct: (act: Act) => void;
}

/** How many wait, and how many of them are new: nobody asked for it, the page does. */
export const countsQuery = queryOptions({
  queryKey: ['messages', 'counts'],
  queryFn: async () => (await ask('deskMessageCounts', {}, { background: true })).extras,
  refetchInterval: 60_000,
});

/** What is shown anew while it lies open nobody looked for; opened again, it is looked at again. */
export const inboxQuery = (whose: Whose, after: After | null) =>
  queryOptions({
    queryKey: ['messages', 'inbox', whose, after],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      return (await ask('deskInbox', { query: { whose, ...after } }, { background })).extras;
    },
    gcTime: 0,
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
});

export const suggestionQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'suggestion', id],
    queryFn: async () => (await ask('deskOpenSuggestion', { params: { id }, body: {} })).extras,
    staleTime: Infinity,
    gcTime: 0,
  });

/** The name of who wrote, or which side. */
export const whoSaid = ({ from, by }: ApiDeskThread['entries'][number]): string =>
  by ?? t(`desk.inbox.${from}`);
