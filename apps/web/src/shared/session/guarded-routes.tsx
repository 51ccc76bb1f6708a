import { patientPages } from '@clinic/domain';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { t } from '../../messages/t.ts';
import { useAddress } from '../navigation.ts';
import { Page } from '../shell/page.tsx';
import { keptOrigin } from './same-origin-path.ts';
import { useSession, useUser, type Session } from './session.ts';

interface GuardProps {
  children: ReactNode;
}

/** For signed-in patients; visitors go to the login, and after it come back here. */
export function PrivateRoute({ children }: GuardProps) {
  const session = useSession();
  const address = useAddress();
  const state = useHistoryState<unknown>();
  switch (session.state) {
    case 'signedIn':
      return children;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
    case 'signedOut': {
      const { end } = session;
      const origin = keptOrigin(state) ?? address;
      const from = end?.why === 'loggedOut' ? null : origin;
      return <Redirect to={patientPages.login} replace state={{ from, end }} />;
    }
  }
}

/** For visitors; a signed-in patient is sent on to the remembered page, else home. */
export function PublicOnlyRoute({ children }: GuardProps) {
  const session = useSession();
  const state = useHistoryState<unknown>();
  switch (session.state) {
    case 'signedOut':
      return children;
    case 'signedIn':
      return <Redirect to={keptOrigin(state) ?? patientPages.booking} replace />;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
  }
}

/**
 * Sends a patient who is asked to review their information to My Account first; the history state
 * then leads back here.
 */
export function UpToDateRoute({ children }: GuardProps) {
  const state = useHistoryState<unknown>();
  return useUser().shouldUpdate ? (
    <Redirect to={patientPages.account} replace state={state} />
  ) : (
    children
  );
}

interface SessionAwaitedProps {
  session: Extract<Session, { state: 'loading' | 'unreachable' }>;
}

/** Placeholder for a page while it is unknown whether a patient is signed in. */
function SessionAwaited({ session }: SessionAwaitedProps) {
  if (session.state === 'loading')
    return (
      <Page title={t('ui.loading')}>
        <LoadingState />
      </Page>
    );
  return (
    <Page title={t('page.unreachableTitle')}>
      <FailedState onRetry={session.retry} busy={session.retrying}>
        {t('ui.unreachable')}
      </FailedState>
    </Page>
  );
}
