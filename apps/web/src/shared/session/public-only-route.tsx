import { Navigate, Outlet, useLocation } from 'react-router';
import { t } from '../../messages/t.ts';
import { FailedState, LoadingState } from '../ui/page-states.tsx';
import { Page } from '../ui/page.tsx';
import { keptOrigin } from './same-origin-path.ts';
import { useSession } from './session.ts';

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
  }
}
