import type { ApiRefusal, CallAnswer, CallInput, DeskCallId } from '@clinic/contract';
import { type AskOptions, type CallResult, clientOver } from '@clinic/contract/client';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { desk } from './messages/index.ts';
import { t } from './words.ts';

/** The service said no, or was not reached. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: string | null;
  readonly fields: ApiRefusal['errors'];
  constructor(refusal: ApiRefusal | null) {
    super(refusal?.extras.message ?? t('desk.unreachable'));
    this.code = refusal?.extras.code ?? null;
    this.fields = refusal?.errors;
  }
}

/** A rule in the words of the desk; the service speaks to patients. */
export function ruleText(error: Error): string {
  const key = `desk.rule.${error instanceof DeskError ? error.code : ''}`;
  return key in desk ? t(key as keyof typeof desk) : error.message;
}

/** What a person reads of a call that failed: first what is wrong with a field. */
export const whyNot = (error: Error | null): string | undefined =>
  (error instanceof DeskError ? error.fields?.[0]?.message : undefined) ?? error?.message;

/** Somebody changed the same since it was shown here. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof DeskError && error.code === 'changedMeanwhile';

/** By how many seconds the service's clock is ahead of this computer's. */
let ahead = 0;
export const now = (): number => Math.floor(Date.now() / 1000) + ahead;

const client = clientOver<DeskCallId>(deskRoutes, {
  base: '/api',
  fetch: (...request) => fetch(...request),
  headers: () => ({}),
  onAnswer({ headers }) {
    const said = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(said)) ahead = Math.round((said - Date.now()) / 1000);
  },
});

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

type FactorAnswer = (isShown: boolean) => void;

/** Whether a call waits for the person's code, and what tells it that the code was shown. */
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
    /** Whether the code was shown; calls that need it at once share one question. */
    ask: () =>
      (asked ??= new Promise<boolean>((resolve) => set(resolve)).finally(() => {
        asked = null;
        set(null);
      })),
  };
})();

/**
 * Asks the service; where the screen is locked or nobody is signed in, the page learns it. A call that
 * needs a recent code asks the person for one, and is then made again.
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

/** What a call comes to, however it was sent: its answer, that of another try with a new code, or an error. */
export async function settled<Answer>(
  id: DeskCallId,
  result: Result<Answer>,
  again: () => Promise<Answer>,
): Promise<Answer> {
  if (result.kind === 'answer') return result.answer;
  const error = new DeskError(result.kind === 'refusal' ? result.refusal : null);
  if (id !== 'deskSession' && (error.code === 'deskLocked' || error.code === 'deskSignedOut'))
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  if (error.code === 'factorNeeded' && (await factorQuestion.ask())) return again();
  throw error;
}

const LOOK_EVERY_MS = 15_000;

/** Who is signed in, or null; asked again and again, so that the screen locks in time. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client: queries, queryKey }) => {
    const isFirst = queries.getQueryData(queryKey) === undefined;
    try {
      const { extras } = await ask('deskSession', {}, { background: !isFirst });
      return extras;
    } catch (error) {
      if (error instanceof DeskError && error.code === 'deskSignedOut') return null;
      throw error;
    }
  },
  refetchInterval: LOOK_EVERY_MS,
});

/** The sheet of a day. What it shows anew while it lies open nobody asked for. */
export const dayQuery = (date: string) =>
  queryOptions({
    queryKey: ['day', date],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      return (await ask('deskDay', { params: { date } }, { background })).extras;
    },
    // Opened again, it is looked at again.
    gcTime: 0,
    refetchInterval: 60_000,
  });

/** How long what was fetched ahead is kept until its page comes. */
const AHEAD_MS = 1_000;

/** Asks who is signed in, and for the day in the address, before anything is drawn. */
export function fetchAhead(path: string): void {
  void queryClient.prefetchQuery(sessionQuery);
  const date = /^\/desk\/day\/([\d-]+)$/.exec(path)?.[1];
  if (date !== undefined) void queryClient.prefetchQuery({ ...dayQuery(date), gcTime: AHEAD_MS });
}

/** Forgets what was shown, and what waited for the code of who was here. */
export function forgetShown(): void {
  factorQuestion.open()?.(false);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
