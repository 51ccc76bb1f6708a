import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ApiMessage, ApiMessageThread } from '@clinic/contract';
import { useEffect, useEffectEvent, useRef } from 'react';
import { takeAnswer } from '../../api/query-client.ts';
import { BACKGROUND, callService, request } from '../../api/service.ts';
import { t } from '../../messages/t.ts';
import { onNextSign } from '../../shared/session/inactivity.ts';
import '../../shared/patient-words.ts';
import { announce } from '../../shared/shell/alerts.tsx';

export const PAGE_SIZE = 20;
const MESSAGES = ['messages'] as const;
const THREAD = 'thread';

export const listQuery = (skip: number) =>
  queryOptions({
    queryKey: [...MESSAGES, 'list', skip],
    queryFn: ({ signal }) =>
      request('listMessages', { query: { limit: PAGE_SIZE, skip } }, { signal, ...BACKGROUND }),
  });

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: [...MESSAGES, THREAD, id],
    queryFn: async ({ signal }) => {
      const options = { signal, ...BACKGROUND };
      return (await request('readMessage', { params: { id } }, options)).extras.message;
    },
  });

/**
 * A thread. Its unread mark is taken once the patient reads: when they have opened it, and later, when something
 * comes that the page has asked for by itself, with the next sign of them.
 */
export function useThread(id: string) {
  const thread = useQuery(threadQuery(id));
  const keep = useEffectEvent(useKeepThread());
  const isOpening = useRef(true);
  const { data, isFetchedAfterMount } = thread;
  // Reading is what marks a message as read, however it came to be shown.
  useEffect(() => {
    if (data === undefined) return;
    const isOpened = isOpening.current && document.visibilityState === 'visible';
    if (isFetchedAfterMount) isOpening.current = false;
    if (!data.unread) return;
    const read = async () => {
      const result = await callService('readMessage', { params: { id: data.id } });
      if (result.kind === 'answer') keep(result.answer.extras.message);
    };
    if (!isOpened) return onNextSign(() => void read());
    void read();
  }, [data, isFetchedAfterMount]);
  return thread;
}

/** Number of messages with an answer of the clinic that the patient has not read. */
export function useUnreadMessages(): number {
  return useQuery(listQuery(0)).data?.unread ?? 0;
}

/** Returns a function that caches a thread the service answered with, and refetches the list. */
export function useKeepThread(): (thread: ApiMessageThread) => void {
  const queryClient = useQueryClient();
  return (thread) => {
    takeAnswer(queryClient, threadQuery(thread.id), thread);
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

/**
 * Tells the patient on any page that the clinic has replied, once the list or the open thread shows
 * the reply. Returns a function that stops it.
 */
export function sayReplies(queryClient: QueryClient): () => void {
  const list = () => queryClient.getQueryData(listQuery(0).queryKey);
  const threads = new Map<string, ApiMessageThread>();
  let known = list();
  const say = () => announce('info', t('shell.replied'));
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [of, kind, id] = query.queryKey as readonly unknown[];
    if (type !== 'updated' || of !== MESSAGES[0]) return;
    const before = known;
    const now = list();
    known = now;
    if (before !== undefined && now !== undefined && now !== before) {
      const isNew = (each: ApiMessage) => each.unread && !isKnown(before.messages, each);
      if (now.unread > before.unread || now.messages.some(isNew)) say();
    }
    if (kind !== THREAD || typeof id !== 'string') return;
    const thread = queryClient.getQueryData(threadQuery(id).queryKey);
    const earlier = threads.get(id);
    if (thread === undefined) return;
    threads.set(id, thread);
    if (earlier !== undefined && repliesIn(thread) > repliesIn(earlier)) say();
  });
}

const isKnown = (list: readonly ApiMessage[], { id, changedAt }: ApiMessage) =>
  list.some((each) => each.id === id && each.unread && each.changedAt === changedAt);

const repliesIn = ({ entries }: ApiMessageThread) =>
  entries.filter(({ from }) => from === 'clinic').length;

/** The service's limit, in code points. */
export const MESSAGE_CHARACTERS = 4000;
