import { Navigate, Outlet, useLocation } from 'react-router';
import { t } from '../../messages/t.ts';
import { FailedState, LoadingState } from '../ui/page-states.tsx';
import { Page } from '../ui/page.tsx';
import { keptOrigin } from './same-origin-path.ts';
import { useSession } from './session.ts';

/** Pages for signed-in patients; others go to the login and come back here after it (§2 Routes). */
export function PrivateRoute() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'signedIn':
      return <Outlet />;
    case 'loading':
      return (
        <Page title={t('ui.loading')}>
          <LoadingState />
        </Page>
      );
    case 'unreachable':
      return (
        <Page title={t('page.unreachableTitle')}>
          <FailedState onRetry={session.retry}>{t('ui.unreachable')}</FailedState>
        </Page>
      );
    case 'signedOut': {
      const origin = keptOrigin(location.state) ?? location.pathname + location.search;
      const from = session.end?.why === 'loggedOut' ? null : origin;
      return <Navigate to="/login" replace state={{ from }} />;
    }
  }
}
