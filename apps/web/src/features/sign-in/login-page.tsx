import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { t } from '../../messages/t.ts';
import { configQuery } from '../../api/config.ts';
import { leaveSite } from '../../shared/session/leave-site.ts';
import { useSession, type SessionEnd } from '../../shared/session/session.ts';
import { Page } from '../../shared/shell/page.tsx';
import { LoginForm } from './login-form.tsx';
import styles from './login.module.css';

/** The login; with the dashboard in use the clinic's own site signs people in. */
export function LoginPage() {
  const { data: config, isPending } = useQuery(configQuery);
  const session = useSession();
  const end = session.state === 'signedOut' ? session.end : null;
  const dashboard = config?.flags.dashboard ? config.dashboardUrl : null;
  // Whoever ended the session may have sent the browser elsewhere already.
  const leaving = end?.leaveFor ?? null;

  useEffect(() => {
    if (dashboard && !leaving) leaveSite(dashboard);
  }, [dashboard, leaving]);

  if (isPending || dashboard || leaving)
    return (
      <div className={styles.dashboard}>
        <Spinner label={t(isPending ? 'ui.loading' : 'auth.dashboard')} />
      </div>
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
