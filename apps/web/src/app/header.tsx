import { later } from '@clinic/app/later';
import { patientPages } from '@clinic/domain';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQueryClient } from '@tanstack/react-query';
import { LogIn, LogOut } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { loadMessages, t } from '../messages/t.ts';
import { useConfig } from '../api/config.ts';
import { endSession, useSession } from '../shared/session/session.ts';
import { LanguageSwitch } from '../shared/language-switch.tsx';
import { bookAnew } from '../shared/booking-link.ts';
import styles from './header.module.css';

// Only clinics with a dashboard, whose own site signs patients in, need this.
const DashboardControls = later(async () => {
  const [{ DashboardControls: Controls }, { dashboard }] = await Promise.all([
    import('./dashboard-controls.tsx'),
    import('../messages/en/dashboard.ts'),
  ]);
  await loadMessages({ dashboard });
  return Controls;
});

/** The clinic's name as a link to home, the language, and the session's controls. */
export function Header() {
  const config = useConfig();
  const clinic = config?.clinicName ?? '';
  return (
    <header className={styles.header}>
      {(config?.practice ?? isPracticePage()) && (
        <p className={styles.practice}>{t('shell.practiceBanner')}</p>
      )}
      <div className={styles.row}>
        <Link
          to={patientPages.booking}
          className={styles.wordmark}
          aria-label={clinic === '' ? undefined : t('shell.home', { clinic })}
          state={bookAnew}
        >
          <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M13.5 8h5v5.500h5.500v5h-5.500v5.500h-5v-5.500h-5.500v-5h5.500z" />
          </svg>
          <span translate="no">{clinic}</span>
          {clinic === '' && <VisuallyHidden>{t('page.toHome')}</VisuallyHidden>}
        </Link>
        <div className={styles.session}>
          <LanguageSwitch />
          <SessionControl />
        </div>
      </div>
    </header>
  );
}

/** True when the HTML marks a practice clinic, so that the banner shows before the configuration loads. */
function isPracticePage(): boolean {
  return document.documentElement.hasAttribute('data-practice');
}

function SessionControl() {
  const session = useSession();
  const config = useConfig();
  const queryClient = useQueryClient();
  const atLogin = useLocation()[0] === patientPages.login;
  if (session.state === 'signedIn')
    return (
      <div className={styles.session}>
        <span
          className={styles.name}
          data-private=""
          title={t('shell.signedInAs', { name: session.user.firstName })}
        >
          {session.user.firstName}
        </span>
        {config?.flags.dashboard ? (
          <DashboardControls />
        ) : (
          <button
            type="button"
            className={styles.control}
            onClick={() => endSession(queryClient, { why: 'loggedOut' })}
          >
            <LogOut size={18} aria-hidden="true" />
            {t('shell.logout')}
          </button>
        )}
      </div>
    );
  if (session.state === 'signedOut' && !atLogin)
    return (
      <Link to={patientPages.login} className={styles.control}>
        <LogIn size={18} aria-hidden="true" />
        {t('shell.login')}
      </Link>
    );
  return null;
}
