import { patientPages } from '@clinic/domain';
import { ChevronRight } from 'lucide-react';
import { Link, Redirect } from 'wouter';
import { pages } from '../messages/en/pages.ts';
import { loadMessages, t } from '../messages/t.ts';
import { useMailedLink } from '../shared/mailed-link.ts';
import { useSession } from '../shared/session/session.ts';
import { Page } from '../shared/shell/page.tsx';
import styles from './not-found-page.module.css';

await loadMessages({ pages });

const forPatients = [
  { to: patientPages.booking, label: 'shell.tabBook' },
  { to: patientPages.appointments, label: 'shell.tabAppointments' },
  { to: patientPages.account, label: 'shell.tabAccount' },
] as const;

const forVisitors = [
  { to: patientPages.login, label: 'shell.login' },
  { to: patientPages.signUp, label: 'page.registerTitle' },
  { to: patientPages.walkIn, label: 'shell.walkIn' },
] as const;

/** For unknown paths: a mailed link that was rewritten on its way, or links to three pages that may be wanted. */
export function NotFoundPage() {
  const signedIn = useSession().state === 'signedIn';
  const { mended } = useMailedLink();
  if (mended !== null) return <Redirect to={mended} replace />;
  return (
    <Page title={t('page.notFoundTitle')} lead={t('page.notFound')}>
      <p>{t('page.notFoundWays')}</p>
      <ul className={styles.ways}>
        {(signedIn ? forPatients : forVisitors).map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={styles.way}>
              {t(label)}
              <ChevronRight size={20} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
