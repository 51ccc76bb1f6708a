import type { Query, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';
import { HOLD_KEY } from './appointments.ts';
import { listenLive } from './live.ts';

/**
 * What a live event says has changed, and the queries that show it. Each of them calls the service
 * as a background request.
 */
const SHOWN_BY = {
  appointments: [HOLD_KEY, ['appointments']],
  messages: [['messages']],
  account: [
    ['me'],
    ['documents'],
    ['sessions'],
    ['medicalProfile'],
    ['check-nopcp'],
    ['primary-doctor'],
  ],
} as const satisfies Record<string, readonly QueryKey[]>;

type Changed = keyof typeof SHOWN_BY;
const EVERYTHING = ['appointments', 'messages', 'account'] as const satisfies readonly Changed[];

/** How long after a failure it is asked again, in milliseconds: doubled each time, up to the most. */
const AGAIN_MS = 5_000;
const MOST_MS = 80_000;

/** What is to be asked for of one kind: all of it, or what failed when it was asked for last. */
interface Asking {
  wanted: 'nothing' | 'failed' | 'all';
  failures: number;
  again?: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Asks the service anew for what another tab, another device or the clinic's staff may have changed:
 * when a live event says so, and when events may have been missed. Returns a function that stops it.
 */
export function followChanges(queryClient: QueryClient): () => void {
  const askings: Readonly<Record<Changed, Asking>> = {
    appointments: { wanted: 'nothing', failures: 0 },
    messages: { wanted: 'nothing', failures: 0 },
    account: { wanted: 'nothing', failures: 0 },
  };
  /** What is shown is as old as before where the service refused, for too many calls for example. */
  const askLater = (what: Changed) => {
    const asking = askings[what];
    const failed = SHOWN_BY[what].flatMap((queryKey) =>
      queryClient.getQueryCache().findAll({ queryKey, type: 'active', predicate: hasFailed }),
    );
    if (failed.length === 0) asking.failures = 0;
    else
      asking.again ??= setTimeout(
        () => {
          asking.again = undefined;
          asking.failures += 1;
          if (asking.wanted === 'nothing') asking.wanted = 'failed';
          ask();
        },
        Math.min(AGAIN_MS * 2 ** asking.failures, MOST_MS),
      );
  };
  const ask = () => {
    for (const what of EVERYTHING) {
      const asking = askings[what];
      if (asking.wanted === 'nothing') continue;
      // The outcome of the patient's own act comes first: asked for meanwhile, a time that is just
      // being booked would seem to be lost.
      if (what === 'appointments' && queryClient.isMutating() > 0) continue;
      const which = asking.wanted === 'failed' ? { predicate: hasFailed } : {};
      asking.wanted = 'nothing';
      const asked = SHOWN_BY[what].map((queryKey) => askAnew(queryClient, { queryKey, ...which }));
      void Promise.all(asked).then(() => askLater(what));
    }
  };
  const hear = (...what: readonly Changed[]) => {
    for (const one of what) askings[one].wanted = 'all';
    ask();
  };
  const all = () => hear(...EVERYTHING);
  const unheard = () => {
    if (queryClient.isMutating() > 0 || document.visibilityState === 'hidden') return;
    // On a slow network the answer under way has to be enough.
    for (const queryKey of Object.values(SHOWN_BY).flat())
      void queryClient.invalidateQueries(
        { queryKey, predicate: isLoaded },
        { cancelRefetch: false },
      );
  };
  const whenVisible = () => {
    if (document.visibilityState === 'visible') all();
  };
  const whenShownAgain = ({ persisted }: PageTransitionEvent) => {
    if (persisted) all();
  };
  const stops = [
    listenLive({
      onConnect: all,
      onNotYetOpen: unheard,
      onUnheard: unheard,
      onAppointments: () => hear('appointments'),
      onMessages: () => hear('messages'),
      onAccount: () => hear('account'),
    }),
    queryClient.getMutationCache().subscribe(ask),
    on(window, 'pageshow', whenShownAgain as EventListener),
    on(window, 'online', all),
    on(document, 'visibilitychange', whenVisible),
  ];
  return () => {
    for (const { again } of Object.values(askings)) clearTimeout(again);
    for (const stop of stops) stop();
  };
}

/** What could not be loaded says so, with a way to try again that stays until it is pressed. */
const isLoaded = ({ state }: Query): boolean => state.data !== undefined;

const hasFailed = (query: Query): boolean =>
  isLoaded(query) && query.state.isInvalidated && query.state.fetchStatus === 'idle';

/** An answer under way may be older than the change, so it is asked for once more. */
function askAnew(queryClient: QueryClient, which: QueryFilters): Promise<void> {
  const first = { ...which, type: 'active', fetchStatus: 'fetching' } as const;
  for (const query of queryClient.getQueryCache().findAll(first))
    if (query.state.data === undefined) void query.cancel({ silent: true });
  return queryClient.invalidateQueries(which);
}

function on(target: EventTarget, type: string, listener: EventListener): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
