import { createClient } from '@clinic/contract/client';
import type { QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../shared/api/access-token.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { correctClock } from '../../shared/api/clock.ts';
import { preselectedType } from '../../shared/preselected-type.ts';
import { beginSession, endSession, meQuery } from '../../shared/session/session.ts';

export interface DashboardLink {
  readonly token: string;
  readonly selectedAppType: string | null;
}

/** The link that `TokenLink` put into the history's state, or null where there is none. */
export function linkIn(state: unknown): DashboardLink | null {
  if (typeof state !== 'object' || state === null || !('link' in state)) return null;
  const { link } = state;
  if (typeof link !== 'object' || link === null || !('token' in link)) return null;
  const { token } = link;
  const type = 'selectedAppType' in link ? link.selectedAppType : null;
  if (typeof token !== 'string') return null;
  return { token, selectedAppType: typeof type === 'string' ? type : null };
}

/**
 * Exchanges a link for a session: its token is good for one `GET /me`, whose answer carries the
 * session's own. Somebody else who is signed in here is signed out first.
 */
export async function logInByLink(queryClient: QueryClient, link: DashboardLink): Promise<void> {
  const ask = createClient({
    base: '/api',
    fetch: (...request) => fetch(...request),
    headers: () => ({ 'x-access-token': link.token }),
    onAnswer: correctClock,
  });
  const result = await ask('getMe', {});
  if (result.kind !== 'answer') throw new ApiError(result);
  const { id, token } = result.answer;
  // The token of a session is no link.
  if (token === undefined) throw new ApiError({ kind: 'refusal', status: 401, refusal: null });

  const current = accessToken.get();
  if (current !== null && (await whoHas(queryClient, current)) !== id)
    endSession(queryClient, { why: 'loggedOut', leaveFor: null });
  const { selectedAppType } = link;
  preselectedType.set(selectedAppType === 'I' || selectedAppType === 'D' ? selectedAppType : null);
  await beginSession(queryClient, token);
}

async function whoHas(queryClient: QueryClient, token: string): Promise<string | null> {
  try {
    return (await queryClient.fetchQuery(meQuery(token))).id;
  } catch {
    // Nobody whose session could go on.
    return null;
  }
}
