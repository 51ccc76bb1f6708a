import type { ApiUser } from '@clinic/contract';
import {
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  accessToken,
  dropToken,
  keepToken,
  tokenOfAllTabs,
  watchOtherTabs,
} from '../../api/access-token.ts';
import { configQuery } from '../../api/config.ts';
import { callService, request, whenTokenNotValid } from '../../api/service.ts';
import { followProfile } from '../language.ts';
import { clearAlerts } from '../shell/alerts.tsx';
import { useStore } from '../store.ts';
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
  /** Where the browser goes, if it is not left to who the patient is and why it ended. */
  readonly leaveFor?: string | null;
};

export type Session =
  | { readonly state: 'signedOut'; readonly end: SessionEnd | null }
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly retry: () => void; readonly retrying: boolean }
  | { readonly state: 'signedIn'; readonly user: ApiUser };

/** How the last session here ended; nobody asks the service for it. */
const endQuery = queryOptions<SessionEnd | null>({
  queryKey: ['sessionEnd'],
  queryFn: skipToken,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The signed-in patient (GET /me). Asked anew for every token. */
export const meQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['me', token],
    queryFn: async ({ signal }) => {
      const user = await request('getMe', {}, { signal });
      await followProfile(user.language);
      return user;
    },
    enabled: token !== null,
    staleTime: Infinity,
  });

export function useSession(): Session {
  const token = useStore(accessToken);
  const end = useQuery(endQuery).data ?? null;
  const me = useQuery(meQuery(token));
  if (token === null) return { state: 'signedOut', end };
  if (me.data) return { state: 'signedIn', user: me.data };
  if (me.error)
    return { state: 'unreachable', retry: () => void me.refetch(), retrying: me.isFetching };
  return { state: 'loading' };
}

/** The patient, on pages behind `PrivateRoute`. */
export function useUser(): ApiUser {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('Nobody is signed in here');
  return session.user;
}

/** Keeps the session true to what the service and other tabs say. Stands once in the app. */
export function useSessionKeeper(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    whenTokenNotValid((message) => endSession(queryClient, { why: 'ended', message }));
    return watchOtherTabs((next) => followOtherTab(queryClient, next));
  }, [queryClient]);
}

/** After a login: the token is kept and the patient loaded before any page is shown. */
export async function beginSession(queryClient: QueryClient, token: string): Promise<ApiUser> {
  queryClient.setQueryData(endQuery.queryKey, null);
  forgetEnd();
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

// A browser tab has one session, so these stand once.
const endListeners = new Set<(end: SessionEnd) => void>();

/** For what a feature keeps of a patient outside the query cache. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endListeners.add(listener);
  return () => {
    endListeners.delete(listener);
  };
}

/**
 * Signs out in every tab of this browser, and each says why. The service is told when it is not the
 * one who said so.
 */
export function endSession(queryClient: QueryClient, end: SessionEnd): void {
  if (accessToken.get() === null) return;
  // Another tab was faster, and its reason is the cause of this one.
  const earlier = tokenOfAllTabs() === null ? keptEnd() : null;
  if (earlier !== null) return followEnd(queryClient, earlier);
  if (end.why !== 'ended') {
    // What a patient has begun waits for the same patient, unless it was given up.
    const query = end.why === 'loggedOut' ? {} : { hold: 'keep' as const };
    void callService('logout', { query }, { keepalive: true });
  }
  keepEnd(end);
  endHere(queryClient, { leaveFor: doorAfter(queryClient, end), ...end });
}

function endHere(queryClient: QueryClient, end: SessionEnd): void {
  for (const listener of endListeners) listener(end);
  queryClient.setQueryData(endQuery.queryKey, end);
  dropToken();
  forgetPatient(queryClient);
  if (end.leaveFor) leaveSite(end.leaveFor);
}

/** Another tab signed out, or somebody in: from one token to the next there may be no stop. */
function followOtherTab(queryClient: QueryClient, next: string | null): void {
  if (next === accessToken.get()) return;
  if (next === null) return followEnd(queryClient, keptEnd() ?? { why: 'loggedOut' });
  queryClient.setQueryData(endQuery.queryKey, null);
  accessToken.set(next);
  forgetPatient(queryClient, next);
}

/** The tab that ended it has gone through the dashboard's logout if that was asked for. */
function followEnd(queryClient: QueryClient, end: SessionEnd): void {
  endHere(queryClient, { ...end, leaveFor: staffDoor(queryClient) });
}

/** Where a session's end leads: staff to their dashboard, and a logout to that of the clinic. */
function doorAfter(queryClient: QueryClient, { why }: SessionEnd): string | null {
  const config = queryClient.getQueryData(configQuery.queryKey);
  const logout = why === 'loggedOut' && config?.flags.dashboard;
  return (
    staffDoor(queryClient) ?? (logout ? (config.dashboardLogoutUrl ?? config.dashboardUrl) : null)
  );
}

function staffDoor(queryClient: QueryClient): string | null {
  const user = queryClient.getQueryData(meQuery(accessToken.get()).queryKey);
  if (user?.role !== 'staff') return null;
  return queryClient.getQueryData(configQuery.queryKey)?.staffDashboardUrl ?? null;
}

const END_KEY = 'clinic.end';

/** Kept for the other tabs, beside the token that goes. Where this one leaves for is its own. */
function keepEnd({ leaveFor: _leaveFor, ...end }: SessionEnd): void {
  try {
    localStorage.setItem(END_KEY, JSON.stringify(end));
  } catch {
    // Without storage there is no other tab that shares the session.
  }
}

function forgetEnd(): void {
  try {
    localStorage.removeItem(END_KEY);
  } catch {
    // There was none.
  }
}

function keptEnd(): SessionEnd | null {
  try {
    return sessionEndIn(JSON.parse(localStorage.getItem(END_KEY) ?? 'null'));
  } catch {
    return null;
  }
}

/** The end of a session as storage or the browser's history gives it back. */
export function sessionEndIn(kept: unknown): SessionEnd | null {
  if (typeof kept !== 'object' || kept === null || !('why' in kept)) return null;
  const { why } = kept;
  if (why === 'loggedOut' || why === 'inactivity' || why === 'maintenance') return { why };
  if (why !== 'ended') return null;
  const message = 'message' in kept ? kept.message : null;
  return { why, message: typeof message === 'string' ? message : null };
}

/**
 * Nothing of a patient stays behind for the next one at the same screen, whose token may be there.
 */
function forgetPatient(queryClient: QueryClient, next: string | null = null): void {
  queryClient.removeQueries({
    predicate: ({ queryKey: [of, token] }) =>
      of !== 'config' && of !== 'sessionEnd' && !(of === 'me' && token === next),
  });
  // What was sent, such as passwords, and what was answered.
  queryClient.getMutationCache().clear();
  clearAlerts();
}
