import type {
  ApiDeskSession,
  ApiRefusal,
  CallAnswer,
  CallInput,
  DeskCallId,
} from '@clinic/contract';
import {
  type AskOptions,
  type CallResult,
  type ClientOptions,
  clientOver,
} from '@clinic/contract/client';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { type Failed, brokeOff } from '@clinic/contract/outcome';
import { routes } from '@clinic/contract/routes';
import { askedNow, outcomeComes } from '@clinic/ui/focus';
import { MutationCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { desk } from './messages/index.ts';
import { t } from './words.ts';

/** The service refused a call or was not reached; `code` is null without a refusal. */
export class DeskError extends Error {
  override readonly name: string = 'DeskError';
  readonly heard: Failed;
  readonly code: string | null;
  readonly fields: ApiRefusal['errors'];
  constructor(heard: Failed, says?: string) {
    const refusal = heard.kind === 'refusal' ? heard.refusal : null;
    super(says ?? refusal?.extras.message ?? t('desk.unreachable'));
    this.heard = heard;
    this.code = refusal?.extras.code ?? null;
    this.fields = refusal?.errors;
  }
}

/** It is not known whether a call that changes something did its work. */
export class OutcomeUnknown extends DeskError {
  override readonly name = 'OutcomeUnknown';
}

/** The text of a rule for staff; the service's own words address patients. */
export function ruleText(error: Error): string {
  const key = `desk.rule.${error instanceof DeskError ? error.code : ''}`;
  return key in desk ? t(key as keyof typeof desk) : error.message;
}

/** The text of a failed call: the first field error if there is one. Undefined without an error. */
export const whyNot = (error: Error | null): string | undefined =>
  (error instanceof DeskError ? error.fields?.[0]?.message : undefined) ??
  (error === null ? undefined : ruleText(error));

/** What a failed call says of one field. */
export const errorOfField = (error: Error | null, field: string): string | undefined =>
  error instanceof DeskError
    ? error.fields?.find((each) => each.field === field)?.message
    : undefined;

/** True when a colleague changed the same data after it was shown here. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof DeskError && error.code === 'changedMeanwhile';

/**
 * True when it is not known whether a call did its work. `wasUnknown` says that this was so already
 * after an earlier sending of the same call.
 */
export const isUnknown = (error: unknown, wasUnknown = false): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof DeskError && brokeOff(error.heard, wasUnknown));

/** How far the service's clock is ahead of this computer's, in seconds. */
let ahead = 0;
export const toServiceTime = (ms: number): number => Math.floor(ms / 1000) + ahead;
export const now = (): number => toServiceTime(Date.now());

const options: ClientOptions = {
  base: '/api',
  fetch: (...request) => fetch(...request),
  headers: () => ({}),
  onAnswer({ headers }) {
    const said = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(said)) ahead = Math.round((said - Date.now()) / 1000);
  },
};
const client = clientOver<DeskCallId>(deskRoutes, options);

/** Calls the service outside of the front desk, for what anybody may ask. */
export const askOpen = clientOver<'captchaChallenge' | 'getConfig'>(routes, options);

declare module '@tanstack/react-query' {
  interface Register {
    /** `live`: fetched again, in the background, with each change that the service tells. */
    queryMeta: { live?: boolean };
  }
}

/** Of each press that asks the service: whether nothing else was pressed since. */
const askings = new WeakMap<object, () => boolean>();
const tellAwaited = (mutation: object) =>
  outcomeComes({ isAwaited: askings.get(mutation)?.() === true });

const mutationCache = new MutationCache({
  onSuccess: (_data, _variables, _context, mutation) => tellAwaited(mutation),
  onError: (_error, _variables, _context, mutation) => tellAwaited(mutation),
});
mutationCache.subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action, mutation } = event;
  if (action.type === 'pending') askings.set(mutation, askedNow());
  // Again: what shows it was read anew in between.
  if (action.type === 'success' || action.type === 'error') tellAwaited(mutation);
});

export const queryClient = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

type FactorAnswer = (isShown: boolean) => void;

/** The open question for the second factor, and the function that answers it. */
export const factorQuestion = (() => {
  let open: FactorAnswer | null = null;
  let asked: Promise<boolean> | null = null;
  const watchers = new Set<() => void>();
  const set = (next: FactorAnswer | null) => {
    open = next;
    for (const watcher of watchers) watcher();
  };
  return {
    open: () => open,
    watch: (watcher: () => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    /** Resolves to whether the factor was shown; calls that need it at the same time share one question. */
    ask: () =>
      (asked ??= new Promise<boolean>((resolve) => set(resolve)).finally(() => {
        asked = null;
        set(null);
        // Its presses belong to what waited for it.
        for (const mutation of mutationCache.findAll({ status: 'pending' }))
          askings.set(mutation, askedNow());
      })),
  };
})();

/**
 * Calls the service. When the screen is locked or nobody is signed in, refetches the session. A
 * call that needs a recent second factor asks for one and is then repeated. Throws DeskError.
 */
export async function ask<Id extends DeskCallId>(
  id: Id,
  input: CallInput<Id>,
  options?: AskOptions,
): Promise<CallAnswer<Id>> {
  return settled(id, await client(id, input, options), () => ask(id, input, options));
}

type Result<Answer> = Exclude<CallResult<DeskCallId>, { kind: 'answer' }> | Answered<Answer>;
interface Answered<Answer> {
  readonly kind: 'answer';
  readonly answer: Answer;
}

/** The outcome of a call, however it was sent: its answer, the answer after a new factor, or an error. */
export async function settled<Answer>(
  id: DeskCallId,
  result: Result<Answer>,
  again: () => Promise<Answer>,
): Promise<Answer> {
  if (result.kind === 'answer') return result.answer;
  const error = new DeskError(result);
  if (id !== 'deskSession' && (error.code === 'deskLocked' || error.code === 'deskSignedOut'))
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  if (error.code === 'factorNeeded' && (await factorQuestion.ask())) return again();
  throw error;
}

const LOOK_EVERY_MS = 15_000;

/** True while the screen is locked here and the service has not heard of it. */
let isLockUntold = false;

/** How long the service may take to answer about the lock. */
const LOCK_PATIENCE_MS = 5_000;

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
      if (!(error instanceof DeskError) || error.code !== 'deskSignedOut') throw error;
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

/** The sheet of a day. Refetches of an open sheet run in the background: nobody asked for them. */
export const dayQuery = (date: string) =>
  queryOptions({
    queryKey: ['day', date],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      return (await ask('deskDay', { params: { date } }, { background })).extras;
    },
    // Dropped when the page closes, so that opening it again counts as a look.
    gcTime: 0,
    refetchInterval: 60_000,
    meta: { live: true },
  });

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
  factorQuestion.open()?.(false);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
