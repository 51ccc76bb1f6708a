import type { WireUser } from '@clinic/contract';
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accessToken, dropToken, keepToken, watchOtherTabs } from '../api/access-token.ts';
import { ApiError } from '../api/api-error.ts';
import { callService, request, whenTokenNotValid } from '../api/service.ts';
import { dropRescheduleTarget } from '../reschedule-target.ts';
import { createStore, useStore } from '../store.ts';

/** Why the patient is signed out: decides what the login page says and whether the origin is kept. */
export type SessionEnd =
  | { readonly why: 'loggedOut' }
  | { readonly why: 'inactivity' }
  | { readonly why: 'ended'; readonly message: string | null }
  | { readonly why: 'maintenance' };

export type Session =
  | { readonly state: 'signedOut'; readonly end: SessionEnd | null }
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly retry: () => void }
  | { readonly state: 'signedIn'; readonly user: WireUser };

const lastEnd = createStore<SessionEnd | null>(null);

/** The signed-in patient (§7 GET /me). Asked anew for every token. */
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
    return { state: 'unreachable', retry: () => void me.refetch() };
  return { state: 'loading' };
}

/** The patient, on pages behind `PrivateRoute`. */
export function useUser(): WireUser {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('Nobody is signed in here');
  return session.user;
}

/** these answers to `me` drop the token at once; anything else keeps it. */
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

  useEffect(() => {
    if (token === null) forgetPatient(queryClient);
  }, [token, queryClient]);
}

/** After a login: the token is kept and the patient loaded before any page is shown. */
export async function beginSession(queryClient: QueryClient, token: string): Promise<WireUser> {
  lastEnd.set(null);
  keepToken(token);
  return queryClient.fetchQuery(meQuery(token));
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
  if (accessToken.get() === null) return;
  if (end.why !== 'ended') {
    void callService('logout', {});
    dropRescheduleTarget();
  }
  for (const listener of endListeners) listener(end);
  lastEnd.set(end);
  dropToken();
  forgetPatient(queryClient);
}

/** Nothing of a patient stays behind for the next one at the same screen. */
function forgetPatient(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' });
}
