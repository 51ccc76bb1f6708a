import { lazy, Suspense, type ReactNode } from 'react';
import { classNames } from '../shared/class-names.ts';
import { useSession, useSessionKeeper } from '../shared/session/session.ts';
import { useFooterHidden } from '../shared/shell/booking-shell.ts';
import { AlertStack } from '../shared/ui/alerts.tsx';
import { SkipLink } from '../shared/ui/skip-link.tsx';
import { Header } from './header.tsx';
import { Maintenance, useOffline } from './maintenance.tsx';
import { usePharmaciesAtStart } from './pharmacies-at-start.ts';
import styles from './shell.module.css';

// Nobody waits for the end of the page.
const Footer = lazy(async () => ({ default: (await import('./footer.tsx')).Footer }));

// Visitors do not download what only patients see.
const PatientTabs = lazy(async () => ({ default: (await import('./patient-shell.tsx')).PageTabs }));
const PatientDialogs = lazy(async () => ({
  default: (await import('./patient-shell.tsx')).PatientDialogs,
}));
const LiveSession = lazy(async () => ({
  default: (await import('./patient-shell.tsx')).LiveSession,
}));

/** What stands around every page (§2 Shell). */
export function Shell({ children }: { children: ReactNode }) {
  useSessionKeeper();
  usePharmaciesAtStart();
  const signedIn = useSession().state === 'signedIn';
  const live = useOffline() || signedIn;
  const footerHidden = useFooterHidden();
  return (
    <div className={classNames(styles.shell, signedIn && styles.withTabs)}>
      <SkipLink targetId="main" />
      <Header />
      {signedIn && (
        <Suspense fallback={<div className={styles.tabsToCome} />}>
          <PatientTabs />
        </Suspense>
      )}
      <AlertStack />
      <Maintenance />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!footerHidden && (
        <Suspense>
          <Footer />
        </Suspense>
      )}
      {live && (
        <Suspense>
          <LiveSession />
        </Suspense>
      )}
      {signedIn && (
        <Suspense>
          <PatientDialogs />
        </Suspense>
      )}
    </div>
  );
}
