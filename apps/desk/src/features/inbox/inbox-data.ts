import type { ApiDeskThread } from '@clinic/contract';
import { queryOptions } from '@tanstack/react-query';
import { ask, liveQuery } from '../../shared/api.ts';
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

/** A list of messages. */
export const inboxQuery = (whose: Whose, after: After | null) =>
  liveQuery(
    ['messages', 'inbox', whose, after],
    async (how) => (await ask('deskInbox', { query: { whose, ...after } }, how)).extras,
    { gcTime: 0 },
  );

export const threadQuery = (id: string) =>
  liveQuery(
    ['messages', 'thread', id],
    async (how) => (await ask('deskOpenMessage', { params: { id }, body: {} }, how)).extras.message,
    { gcTime: 0 },
  );

export const repliesQuery = queryOptions({
  queryKey: ['saved-replies'],
  queryFn: async () => (await ask('deskSavedReplies', {})).extras.replies,
});

export const suggestionsQuery = liveQuery(
  ['messages', 'suggestions'],
  async (how) => (await ask('deskSuggestions', {}, how)).extras.suggestions,
  { gcTime: 0 },
);

/** The author's name, or else the side that wrote. */
export const whoSaid = ({ from, by }: ApiDeskThread['entries'][number]): string =>
  by ?? t(`desk.inbox.${from}`);
