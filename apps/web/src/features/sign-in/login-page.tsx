import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from '../../messages/t.ts';
import { configQuery } from '../../api/config.ts';
import { leaveSite } from '../../shared/session/leave-site.ts';
import { recordsQuery } from '../../shared/session/records-status.ts';
import { sessionEndIn, useSession, type SessionEnd } from '../../shared/session/session.ts';
import { Page } from '../../shared/shell/page.tsx';
import { LoginForm } from './login-form.tsx';
import styles from './login.module.css';

/** What a look at the clinic's status is worth when somebody comes to the login. */
const STATUS_HOLDS_MS = 15_000;

/** The login; with the dashboard in use the clinic's own site signs people in. */
export function LoginPage() {
  const { data: config, isPending } = useQuery(configQuery);
  const status = useQuery({ ...recordsQuery, staleTime: STATUS_HOLDS_MS });
  const session = useSession();
  const location = useLocation();
  const here = session.state === 'signedOut' ? session.end : null;
  // Who comes back to this page by the browser's own way reads it again.
  const end = here ?? endBefore(location.state);
  const dashboard = config?.flags.dashboard ? config.dashboardUrl : null;
  // Whoever ended the session has sent the browser elsewhere already.
  const isLeaving = Boolean(here?.leaveFor);
  const isTold = end !== null && end.why !== 'maintenance';
  const knowsStatus = status.data !== undefined && !status.isFetching;
  const leavesFor = knowsStatus && status.data.online && !isTold && !isLeaving ? dashboard : null;

  useEffect(() => {
    if (leavesFor !== null) leaveSite(leavesFor, 'replace');
  }, [leavesFor]);

  if (isPending || isLeaving || leavesFor !== null || (dashboard && !knowsStatus))
    return (
      <div className={styles.dashboard}>
        {end && <EndNotice end={end} />}
        <Spinner label={t(isPending ? 'ui.loading' : 'auth.dashboard')} />
      </div>
    );
  if (dashboard)
    return (
      <Page title={t('auth.title')} width="narrow">
        {end && <EndNotice end={end} />}
        <Button wide onClick={() => leaveSite(dashboard)}>
          {t('auth.toDashboard')}
        </Button>
      </Page>
    );
  return (
    <Page title={t('auth.title')} width="narrow" lead={t('auth.intro')}>
      {end && <EndNotice end={end} />}
      <Card className={styles.card}>
        <LoginForm />
        <ul className={styles.links}>
          <li>
            <Link to="/resetPassword">{t('auth.forgot')}</Link>
          </li>
          <li>
            {t('auth.newHere')} <Link to="/register">{t('auth.signUp')}</Link>
          </li>
        </ul>
      </Card>
    </Page>
  );
}

/** Why the session ended, as `PrivateRoute` left it in the history's state. */
function endBefore(state: unknown): SessionEnd | null {
  return typeof state === 'object' && state !== null && 'end' in state
    ? sessionEndIn(state.end)
    : null;
}

function EndNotice({ end }: { end: SessionEnd }) {
  switch (end.why) {
    case 'maintenance':
      return null;
    case 'loggedOut':
      return <Notice role="status">{t('auth.loggedOut')}</Notice>;
    case 'inactivity':
      return (
        <Notice kind="caution" role="alert" unasked>
          {t('auth.inactivity')}
        </Notice>
      );
    case 'ended':
      return (
        <Notice kind="caution" role="alert" unasked>
          {end.message ?? t('auth.ended')}
        </Notice>
      );
  }
}
