import type { ApiUser } from '@clinic/contract';
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { accessToken, dropToken, keepToken, watchOtherTabs } from '../../api/access-token.ts';
import { ApiError } from '../../api/api-error.ts';
import { configQuery } from '../../api/config.ts';
import { callService, request, whenTokenNotValid } from '../../api/service.ts';
import { dropRescheduleTarget } from '../reschedule-target.ts';
import { createStore, useStore } from '../store.ts';
import { leaveSite } from './leave-site.ts';

/**
 * Why the patient is signed out: decides what the login page says and whether the origin is kept.
 */
export type SessionEnd = (
  | { readonly why: 'loggedOut' }
  | { readonly why: 'inactivity' }
  | { readonly why: 'ended'; readonly message: string | null }
  | { readonly why: 'maintenance' }
) & {
  /** Where the browser goes; staff go to their dashboard unless said otherwise. */
  readonly leaveFor?: string | null;
};

export type Session =
  | { readonly state: 'signedOut'; readonly end: SessionEnd | null }
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly retry: () => void; readonly retrying: boolean }
  | { readonly state: 'signedIn'; readonly user: ApiUser };

const lastEnd = createStore<SessionEnd | null>(null);

/** The signed-in patient (GET /me). Asked anew for every token. */
export const meQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['me', token],
    queryFn: ({ signal }) => request('getMe', {}, { signal }),
    enabled: token !== null,
    staleTime: Infinity,
  });

export function useSession(): Session {
  const token = useStore(accessToken);
  const end = useStore(lastEnd);
  const me = useQuery(meQuery(token));
  if (token === null) return { state: 'signedOut', end };
  if (me.data) return { state: 'signedIn', user: me.data };
  if (me.error && !dropsToken(me.error))
    return { state: 'unreachable', retry: () => void me.refetch(), retrying: me.isFetching };
  return { state: 'loading' };
}

/** The patient, on pages behind `PrivateRoute`. */
export function useUser(): ApiUser {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('Nobody is signed in here');
  return session.user;
}

/** These answers to `me` drop the token at once; anything else keeps it. */
const dropsToken = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** Keeps the session true to what the service and other tabs say. Stands once in the app. */
export function useSessionKeeper(): void {
  const queryClient = useQueryClient();
  const token = useStore(accessToken);
  const { error } = useQuery(meQuery(token));

  useEffect(() => {
    whenTokenNotValid((message) => endSession(queryClient, { why: 'ended', message }));
    return watchOtherTabs();
  }, [queryClient]);

  useEffect(() => {
    if (token !== null && dropsToken(error))
      endSession(queryClient, {
        why: 'ended',
        message: error instanceof ApiError ? error.serverMessage : null,
      });
  }, [token, error, queryClient]);

  const before = useRef(token);
  useEffect(() => {
    if (token !== null) lastEnd.set(null);
    else if (before.current !== null && lastEnd.get() === null) {
      const end = endInAnotherTab();
      dropRescheduleTarget();
      for (const listener of endListeners) listener(end);
      lastEnd.set(end);
    }
    // From one token to the next without a stop: somebody else signed in in another tab.
    if (before.current !== null && before.current !== token) forgetPatient(queryClient, token);
    before.current = token;
  }, [token, queryClient]);
}

/** After a login: the token is kept and the patient loaded before any page is shown. */
export async function beginSession(queryClient: QueryClient, token: string): Promise<ApiUser> {
  lastEnd.set(null);
  keepToken(token);
  return queryClient.fetchQuery(meQuery(token));
}

/**
 * The patient as the service answered after a change of their own, unless they have left meanwhile.
 */
export function takeUser(queryClient: QueryClient, user: ApiUser): void {
  const { queryKey } = meQuery(accessToken.get());
  if (queryClient.getQueryData(queryKey)?.id === user.id) queryClient.setQueryData(queryKey, user);
}

const endListeners = new Set<(end: SessionEnd) => void>();

/** For what a feature keeps of a patient outside the query cache. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endListeners.add(listener);
  return () => {
    endListeners.delete(listener);
  };
}

/** Signs out in this browser; the service is told when it is not the one who said so. */
export function endSession(queryClient: QueryClient, end: SessionEnd): void {
  const token = accessToken.get();
  if (token === null) return;
  const asked = end.why === 'loggedOut';
  if (end.why !== 'ended') {
    // What a patient has begun waits for the same patient, unless it was given up.
    void callService('logout', { query: asked ? {} : { hold: 'keep' } }, { keepalive: true });
    dropRescheduleTarget();
  }
  const leaveFor = end.leaveFor === undefined ? staffDoorOf(queryClient, token) : end.leaveFor;
  for (const listener of endListeners) listener(end);
  lastEnd.set({ ...end, leaveFor });
  tellOtherTabs(end);
  dropToken();
  forgetPatient(queryClient);
  if (leaveFor !== null) leaveSite(leaveFor);
}

/** Where staff go when their session ends, whatever ended it. */
function staffDoorOf(queryClient: QueryClient, token: string): string | null {
  const user = queryClient.getQueryData(meQuery(token).queryKey);
  if (user?.role !== 'staff') return null;
  return queryClient.getQueryData(configQuery.queryKey)?.staffDashboardUrl ?? null;
}

const END_KEY = 'clinic.end';

/** The other tabs lose the token too, and say why. Why is all that is kept. */
function tellOtherTabs({ why }: SessionEnd): void {
  try {
    localStorage.setItem(END_KEY, why);
  } catch {
    // Without storage there is no other tab that shares the session.
  }
}

function endInAnotherTab(): SessionEnd {
  try {
    const why = localStorage.getItem(END_KEY);
    if (why === 'inactivity' || why === 'maintenance') return { why };
  } catch {
    // Then nobody said why.
  }
  return { why: 'loggedOut' };
}

/**
 * Nothing of a patient stays behind for the next one at the same screen, whose token may be there.
 */
function forgetPatient(queryClient: QueryClient, next: string | null = null): void {
  queryClient.removeQueries({
    predicate: ({ queryKey: [of, token] }) => of !== 'config' && !(of === 'me' && token === next),
  });
  // What was sent, such as passwords, and what was answered.
  queryClient.getMutationCache().clear();
}
