import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, LogOut } from 'lucide-react';
import { t } from '../messages/t.ts';
import { useConfig } from '../api/config.ts';
import { endSession } from '../shared/session/session.ts';
import styles from './header.module.css';

/** For clinics with a dashboard: Back and Logout, which both end the session here. */
export function DashboardControls() {
  const config = useConfig();
  const queryClient = useQueryClient();
  const leaveFor = config?.dashboardUrl ?? null;
  return (
    <>
      <button
        type="button"
        className={styles.control}
        onClick={() => endSession(queryClient, { why: 'loggedOut', leaveFor })}
      >
        <ArrowLeft size={18} aria-hidden="true" />
        {t('dashboard.back')}
      </button>
      <button
        type="button"
        className={styles.control}
        onClick={() => endSession(queryClient, { why: 'loggedOut' })}
      >
        <LogOut size={18} aria-hidden="true" />
        {t('dashboard.logout')}
      </button>
    </>
  );
}
