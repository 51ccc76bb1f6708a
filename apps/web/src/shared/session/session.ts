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
import { takeAnswer } from '../../api/query-client.ts';
import { callService, request, whenTokenNotValid } from '../../api/service.ts';
import { ofAllTabs } from '../../api/storage.ts';
import { bringChoice, followProfile, forgetChoice } from '../language.ts';
import { partOf } from '../navigation.ts';
import { clearAlerts } from '../shell/alerts.tsx';
import { useStore } from '@clinic/app/store';
import { leaveSite } from './leave-site.ts';

/** Why the session ended: decides what the login page says and whether the page is remembered. */
export type SessionEnd = (
  | { readonly why: 'loggedOut' }
  | { readonly why: 'inactivity' }
  | { readonly why: 'ended'; readonly message: string | null }
  | { readonly why: 'maintenance' }
) & {
  /** Address to go to; when absent, the patient's role and the reason decide. */
  readonly leaveFor?: string | null;
};

export type Session =
  | { readonly state: 'signedOut'; readonly end: SessionEnd | null }
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly retry: () => void; readonly retrying: boolean }
  | { readonly state: 'signedIn'; readonly user: ApiUser };

/** How the last session in this browser ended; never fetched. */
const endQuery = queryOptions<SessionEnd | null>({
  queryKey: ['sessionEnd'],
  queryFn: skipToken,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The signed-in patient (GET /me). */
export const meQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['me', token],
    queryFn: async ({ signal, client, queryKey }) => {
      // The first read is the patient's arrival; later ones are the page's own.
      const background = client.getQueryData(queryKey) !== undefined;
      const user = await request('getMe', {}, { signal, background });
      await followProfile(user.language);
      return bringChoice(user);
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

/** The signed-in patient; for pages behind `PrivateRoute` only. Throws when nobody is signed in. */
export function useUser(): ApiUser {
  const session = useSession();
  if (session.state !== 'signedIn') throw new Error('Nobody is signed in here');
  return session.user;
}

/** Ends or switches the session when the service or another tab does. Used once in the app. */
export function useSessionKeeper(): void {
  const queryClient = useQueryClient();
  // The service's refusals and the other tabs are outside of React.
  useEffect(() => {
    whenTokenNotValid((message) => {
      const token = accessToken.get();
      const end = () => {
        if (accessToken.get() === token) endSession(queryClient, { why: 'ended', message });
      };
      if (signingOutEverywhere === null) end();
      else void signingOutEverywhere.then(end);
    });
    return watchOtherTabs((next) => followOtherTab(queryClient, next));
  }, [queryClient]);
}

/** After a login: stores the token and loads the patient before any page is shown. */
export async function beginSession(queryClient: QueryClient, token: string): Promise<ApiUser> {
  queryClient.setQueryData(endQuery.queryKey, null);
  ofAllTabs.write(END_KEY, null);
  keepToken(token);
  return queryClient.fetchQuery(meQuery(token));
}

/** Takes the patient from the answer to a change of theirs, unless they have left meanwhile. */
export function takeUser(queryClient: QueryClient, user: ApiUser): void {
  const me = meQuery(accessToken.get());
  if (queryClient.getQueryData(me.queryKey)?.id === user.id) takeAnswer(queryClient, me, user);
}

// Module state, as a browser tab has one session.
const endListeners = new Set<(end: SessionEnd) => void>();

/** Lets a feature drop what it holds of a patient outside the query cache; returns an unsubscribe. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endListeners.add(listener);
  return () => {
    endListeners.delete(listener);
  };
}

/**
 * Signs out in every tab of this browser; each says why. Tells the service, unless the service
 * itself ended the session.
 */
export function endSession(queryClient: QueryClient, end: SessionEnd): void {
  if (accessToken.get() === null) return;
  // Another tab ended the session first, so its reason counts.
  const earlier = tokenOfAllTabs() === null ? keptEnd() : null;
  if (earlier !== null) return followEnd(queryClient, earlier);
  if (end.why !== 'ended') {
    // The service keeps the hold for the same patient, except after a logout.
    const query = end.why === 'loggedOut' ? {} : { hold: 'keep' as const };
    void callService('logout', { query }, { keepalive: true });
  }
  keepEnd(end);
  endHere(queryClient, { leaveFor: doorAfter(queryClient, end), ...end });
}

// Until it is answered, that the session is over is no news.
let signingOutEverywhere: Promise<unknown> | null = null;

/** Ends every session of the patient, and says here that this was asked for. */
export async function signOutEverywhere(queryClient: QueryClient, message: string): Promise<void> {
  const token = accessToken.get();
  const asked = request('endSessions', {}).then(() => {
    if (accessToken.get() === token) endSession(queryClient, { why: 'ended', message });
  });
  signingOutEverywhere = asked.catch(() => {});
  await asked.finally(() => (signingOutEverywhere = null));
}

function endHere(queryClient: QueryClient, end: SessionEnd): void {
  for (const listener of endListeners) listener(end);
  queryClient.setQueryData(endQuery.queryKey, end);
  dropToken();
  forgetPatient(queryClient);
  if (end.leaveFor) leaveSite(end.leaveFor);
}

/** Another tab signed out or signed in; a token can change directly into another one. */
function followOtherTab(queryClient: QueryClient, next: string | null): void {
  if (next === accessToken.get()) return;
  if (next === null) return followEnd(queryClient, keptEnd() ?? { why: 'loggedOut' });
  queryClient.setQueryData(endQuery.queryKey, null);
  accessToken.set(next);
  forgetPatient(queryClient, next);
}

/** The tab that ended the session has visited the dashboard's logout if needed, so this one does not. */
function followEnd(queryClient: QueryClient, end: SessionEnd): void {
  endHere(queryClient, { ...end, leaveFor: staffDoor(queryClient) });
}

/** Where the end of a session leads: staff to their dashboard, a logout to the clinic's dashboard. */
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

/** Stores the reason for the other tabs. `leaveFor` concerns only this tab. */
function keepEnd({ leaveFor: _leaveFor, ...end }: SessionEnd): void {
  ofAllTabs.write(END_KEY, JSON.stringify(end));
}

function keptEnd(): SessionEnd | null {
  try {
    return sessionEndIn(JSON.parse(ofAllTabs.read(END_KEY) ?? 'null'));
  } catch {
    return null;
  }
}

/** Validates the end of a session from storage or the browser's history; null when there is none. */
export function sessionEndIn(kept: unknown): SessionEnd | null {
  const why = partOf(kept, 'why');
  if (why === 'loggedOut' || why === 'inactivity' || why === 'maintenance') return { why };
  if (why !== 'ended') return null;
  const message = partOf(kept, 'message');
  return { why, message: typeof message === 'string' ? message : null };
}

/** Removes all data of a patient before the next one at this screen, whose token may be set already. */
function forgetPatient(queryClient: QueryClient, next: string | null = null): void {
  queryClient.removeQueries({
    predicate: ({ queryKey: [of, token] }) =>
      of !== 'config' && of !== 'sessionEnd' && !(of === 'me' && token === next),
  });
  // Mutations contain what was sent, such as passwords, and the answers.
  queryClient.getMutationCache().clear();
  clearAlerts();
  forgetChoice();
}
