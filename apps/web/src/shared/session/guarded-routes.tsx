import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { createPath, Navigate, Outlet, useLocation } from 'react-router';
import { t } from '../../messages/t.ts';
import { Page } from '../shell/page.tsx';
import { keptOrigin } from './same-origin-path.ts';
import { useSession, useUser, type Session } from './session.ts';

/** Pages for signed-in patients; others go to the login and come back here after it. */
export function PrivateRoute() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'signedIn':
      return <Outlet />;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
    case 'signedOut': {
      const { end } = session;
      const origin = keptOrigin(location.state) ?? createPath(location);
      const from = end?.why === 'loggedOut' ? null : origin;
      return <Navigate to="/login" replace state={{ from, end }} />;
    }
  }
}

/** Pages for visitors; who is signed in goes to the remembered origin, else home. */
export function PublicOnlyRoute() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'signedOut':
      return <Outlet />;
    case 'signedIn':
      return <Navigate to={keptOrigin(location.state) ?? '/'} replace />;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
  }
}

/**
 * Who is asked to look over their information does that before anything else here, and comes back
 * with what led here.
 */
export function UpToDateRoute() {
  const state: unknown = useLocation().state;
  return useUser().shouldUpdate ? <Navigate to="/account" replace state={state} /> : <Outlet />;
}

interface SessionAwaitedProps {
  session: Extract<Session, { state: 'loading' | 'unreachable' }>;
}

/** Stands where a page will be while nobody knows yet whether a patient is signed in. */
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
