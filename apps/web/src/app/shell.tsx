import { later } from '@clinic/app/later';
import { classNames } from '@clinic/ui/class-names';
import { SkipLink } from '@clinic/ui/skip-link';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../messages/t.ts';
import { recordsQuery } from '../shared/session/records-status.ts';
import { useSession, useSessionKeeper } from '../shared/session/session.ts';
import { AlertStack } from '../shared/shell/alerts.tsx';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { isAtConfirm } from '../shared/booking-link.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './shell.module.css';

// Only patients download these parts.
const tabsToCome = <div className={styles.tabsToCome} />;
const PatientTabs = later(async () => (await import('./patient-shell.tsx')).PageTabs, {
  waiting: tabsToCome,
});
const PatientDialogs = later(async () => (await import('./patient-shell.tsx')).PatientDialogs);
const LiveSession = later(async () => (await import('./patient-shell.tsx')).LiveSession);

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  useSessionKeeper();
  const { state } = useSession();
  const signedIn = state === 'signedIn';
  const live = useOffline() || signedIn;
  const footerHidden = isAtConfirm(useLocation()[0], useHistoryState());
  return (
    <div className={classNames(styles.shell, signedIn && styles.withTabs)}>
      <SkipLink targetId="main">{t('shell.skipLink')}</SkipLink>
      <Header />
      {state === 'loading' && tabsToCome}
      {signedIn && <PatientTabs />}
      <DeviceOffline />
      <AlertStack />
      <Maintenance />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!footerHidden && <Footer />}
      {live && <LiveSession />}
      {signedIn && <PatientDialogs />}
    </div>
  );
}

/** Tells the patient at once that the device is offline; work in progress waits for the connection. */
function DeviceOffline() {
  const online = useSyncExternalStore(watchDevice, () => navigator.onLine);
  return (
    <div role="status" className={styles.offline}>
      {!online && (
        <p>
          <TriangleAlert size={20} aria-hidden="true" /> {t('shell.offline')}
        </p>
      )}
    </div>
  );
}

function watchDevice(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

// Rarely shown, so loaded on demand.
const MaintenanceMessage = later(
  async () => (await import('../shared/session/maintenance-message.tsx')).MaintenanceMessage,
);

/** The maintenance message; cannot be closed while the service is offline. */
function Maintenance() {
  const status = useQuery(recordsQuery).data;
  if (status?.online !== false) return null;
  return <MaintenanceMessage added={status.message} />;
}

function useOffline(): boolean {
  return useQuery(recordsQuery).data?.online === false;
}
