import { codeOf, isUnknown, sayErrorsIn } from '@clinic/app/api-error';
import { createService } from '@clinic/app/service';
import { createStore } from '@clinic/app/store';
import { stillAwaited } from '@clinic/app/use-action';
import type { ApiDeskSession, DeskCallId } from '@clinic/contract';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { routes } from '@clinic/contract/routes';
import { type Query, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { locale, t, wordsOf } from './words.ts';

sayErrorsIn({
  unreachable: () => t('desk.unreachable'),
  broken: () => t('desk.unreachable'),
  ofRule: (code) => wordsOf(`desk.rule.${code}`),
});

/** True when a colleague changed the same data after it was shown here. */
export const isOvertaken = (error: unknown): boolean => codeOf(error) === 'changedMeanwhile';

const headers = () => ({ 'accept-language': locale() });

/** What anybody may ask, outside of the front desk. */
export const openService = createService<'captchaChallenge' | 'getConfig'>({ routes, headers });

declare module '@tanstack/react-query' {
  interface Register {
    /** `live`: fetched again, in the background, with each change that the service tells. */
    queryMeta: { live?: boolean };
  }
}

// One for the page, as calls outside of components change what it holds.
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

type FactorAnswer = (isShown: boolean) => void;

/** The open question for the second factor, one for the page, and the function that answers it. */
export const factorQuestion = (() => {
  const open = createStore<FactorAnswer | null>(null);
  let asked: Promise<boolean> | null = null;
  return {
    open,
    /** Resolves to whether the factor was shown; calls that need it at the same time share one question. */
    ask: () =>
      (asked ??= new Promise<boolean>(open.set).finally(() => {
        asked = null;
        open.set(null);
        stillAwaited();
      })),
  };
})();

/**
 * The service. When the screen is locked or nobody is signed in, the session is fetched again. A call that needs a
 * recent second factor asks for one and is then repeated.
 */
export const service = createService<DeskCallId>({
  routes: deskRoutes,
  headers,
  async around(id, send) {
    for (;;) {
      const result = await send();
      const code = result.kind === 'refusal' ? result.refusal?.extras.code : undefined;
      if (id !== 'deskSession' && (code === 'deskLocked' || code === 'deskSignedOut'))
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      if (code !== 'factorNeeded' || !(await factorQuestion.ask())) return result;
    }
  },
});
/** Calls the service. Throws ApiError. */
export const ask = service.request;

const LOOK_EVERY_MS = 15_000;

/** True while the screen is locked here and the service has not heard of it: the lock is the page's. */
let isLockUntold = false;

/** How long the service may take to answer about the lock. */
const LOCK_PATIENCE_MS = 5_000;

/** The last word of a lock to the service, which an unlocking waits for. */
let telling: Promise<unknown> = Promise.resolve();

async function tellLock(): Promise<void> {
  const told = ask('deskLock', { body: {} }, { patienceMs: LOCK_PATIENCE_MS });
  telling = told.catch(() => {});
  await told;
  isLockUntold = false;
}

/** Resolves once no lock is on its way to the service: one that came after an unlocking would undo it. */
export const lockSettled = (): Promise<unknown> => telling;

/** The signed-in session, or null; polled, so that the screen locks in time. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client: queries, queryKey }) => {
    const isFirst = queries.getQueryData(queryKey) === undefined;
    try {
      const { extras } = await ask('deskSession', {}, { background: !isFirst });
      if (!isLockUntold) return extras;
      if (!extras.isLocked) await tellLock().catch(() => {});
      return { ...extras, isLocked: true };
    } catch (error) {
      if (codeOf(error) !== 'deskSignedOut') throw error;
      isLockUntold = false;
      return null;
    }
  },
  refetchInterval: LOOK_EVERY_MS,
});

/** Shows the session that a sign-in or an unlocking answered with. */
export function showSession(session: ApiDeskSession): void {
  isLockUntold = false;
  // A look under way may have found it locked still.
  void queryClient.cancelQueries(sessionQuery);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

const coverScreen = () =>
  queryClient.setQueryData(sessionQuery.queryKey, (shown) => shown && { ...shown, isLocked: true });

/** Locks the screen at once. The service is told, again with each look at the session until it has heard. */
export async function lockScreen(): Promise<void> {
  isLockUntold = true;
  coverScreen();
  await tellLock().catch(() => {});
  await queryClient.invalidateQueries(sessionQuery);
}

/** Looks at the session when it is to lock, and locks the screen here if the service does not answer. */
export async function lockWhenDue(): Promise<void> {
  try {
    await ask('deskSession', {}, { background: true, patienceMs: LOCK_PATIENCE_MS });
  } catch (error) {
    if (isUnknown(error)) coverScreen();
  }
  await queryClient.invalidateQueries(sessionQuery);
}

/** What the service tells changes of. Refetches of what is open run in the background: nobody asked for them. */
export const liveQuery = <Data>(
  queryKey: QueryKey,
  look: (how: { readonly background: boolean }) => Promise<Data>,
  more: LiveSettings<Data> = {},
) =>
  queryOptions({
    ...more,
    queryKey,
    queryFn: ({ client }) => look({ background: client.getQueryData(queryKey) !== undefined }),
    meta: { live: true },
  });

interface LiveSettings<Data> {
  /** 0: dropped when the page closes, so that opening it again counts as a look. */
  readonly gcTime?: number;
  readonly refetchInterval?: number | ((query: Query<Data>) => number | false);
}

/** The key of every sheet. */
export const SHEETS = ['day'];

/** How the sheets, and what goes with them, are kept and asked for again. */
export const OF_SHEET = { gcTime: 0, refetchInterval: 60_000 };

/** The sheet of a day, alone. */
export const dayQuery = (date: string) =>
  liveQuery(
    [...SHEETS, date],
    async (how) => [(await ask('deskDay', { params: { date } }, how)).extras],
    OF_SHEET,
  );

/** The sheets of a provider's week, which begins with a day. */
export const weekQuery = (providerId: string, date: string) =>
  liveQuery(
    [...SHEETS, date, providerId],
    async (how) =>
      (await ask('deskProviderWeek', { params: { providerId, date } }, how)).extras.days,
    OF_SHEET,
  );

export type SheetQuery = ReturnType<typeof dayQuery>;

/** How long prefetched data is kept for its page, in milliseconds. */
const AHEAD_MS = 1_000;

/** Prefetches the session, and the day in the address, before anything is drawn. */
export function fetchAhead(path: string): void {
  void queryClient.prefetchQuery(sessionQuery);
  const date = /^\/desk\/day\/([\d-]+)$/.exec(path)?.[1];
  if (date !== undefined) void queryClient.prefetchQuery({ ...dayQuery(date), gcTime: AHEAD_MS });
}

/** Drops all shown data, and answers an open question for the second factor with no. */
export function forgetShown(): void {
  factorQuestion.open.get()?.(false);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
