import { clinicNow } from '@clinic/app/clock';
import { LoadState } from '@clinic/app/outcome';
import { forgetKeys } from '@clinic/app/use-action';
import type { ApiDeskSession } from '@clinic/contract';
import { DESK, deskPages } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { SkipLink } from '@clinic/ui/skip-link';
import { UiWordsProvider } from '@clinic/ui/words';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Lock, LogOut } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import {
  ask,
  forgetShown,
  lockScreen,
  lockWhenDue,
  queryClient,
  sessionQuery,
} from '../shared/api.ts';
import { useAction } from '../shared/desk-action.tsx';
import styles from '../shared/app.module.css';
import { BookingLauncher } from './launcher.tsx';
import { forgetDrafts } from '@clinic/app/drafts';
import { EmrLine } from '../shared/emr-line.tsx';
import { FactorDialog } from '../features/sign-in/factor-dialog.tsx';
import { InvitationPage } from '../features/sign-in/invitation-page.tsx';
import { LeftOutcomes, forgetLeft } from '../shared/left-outcomes.tsx';
import { LiveLine } from './live-line.tsx';
import { Lockable } from '../features/sign-in/lock-screen.tsx';
import { OwnSignInPage } from '../features/sign-in/own-sign-in-page.tsx';
import { namedScreensOf, screensOf } from './screens.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { StopLine } from '../shared/stop-line.tsx';
import { WhyItStays, unlessUnderWay } from '../shared/under-way.tsx';
import { t, uiWords } from '../shared/words.ts';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <UiWordsProvider words={uiWords}>
        <Router base={DESK} aroundNav={unlessUnderWay}>
          <SkipLink targetId="main">{t('desk.skipLink')}</SkipLink>
          {'practice' in document.documentElement.dataset && (
            <aside className={styles.practice} aria-label={t('desk.practice')}>
              {t('desk.practiceBanner')}
            </aside>
          )}
          <Switch>
            <Route path={/^\/invitation(?![\w-])/}>
              <InvitationPage />
            </Route>
            <Route>
              <Inside />
            </Route>
          </Switch>
        </Router>
      </UiWordsProvider>
    </QueryClientProvider>
  );
}

/** Everything behind the sign-in. Its state ends with the session, so that the next person finds nothing. */
function Inside() {
  const session = useQuery(sessionQuery);
  const { data: signedIn } = session;
  const key = signedIn ? `${signedIn.name} ${signedIn.endsAt}` : null;
  useSignsOfLife(signedIn?.isLocked === false);
  useLockInTime(signedIn?.isLocked === false ? signedIn.locksAt : null);
  useForgetting(key);
  if (signedIn === undefined)
    return (
      <main id="main" className={styles.main}>
        <LoadState of={session} />
      </main>
    );
  if (signedIn === null) return <SignInPage />;
  return (
    <Lockable key={key} isLocked={signedIn.isLocked} name={signedIn.name}>
      <Shell session={signedIn}>
        <Pages session={signedIn} />
      </Shell>
    </Lockable>
  );
}

function Pages({ session }: { session: ApiDeskSession }) {
  const screens = screensOf(session.roles);
  return (
    <Switch>
      {screens.flatMap(({ pages }) =>
        Object.entries(pages).map(([path, page]) => (
          <Route key={path} path={path}>
            {page}
          </Route>
        )),
      )}
      <Route path={deskPages.ownSignIn}>
        <OwnSignInPage />
      </Route>
      {screens[0] && (
        <Route path={deskPages.start}>
          <Redirect to={screens[0].path} replace />
        </Route>
      )}
      <Route>
        <main id="main" className={styles.main}>
          <h1>{t('desk.notFound')}</h1>
          {screens[0] && (
            <p>
              <Link href={deskPages.start}>{t('desk.toToday')}</Link>
            </p>
          )}
        </main>
      </Route>
    </Switch>
  );
}

function Shell({ session, children }: { session: ApiDeskSession; children: ReactNode }) {
  const [location] = useLocation();
  const lookAnew = () => queryClient.invalidateQueries(sessionQuery);
  const signOut = useAction({
    work: () => ask('deskSignOut', { body: {} }),
    onDone: lookAnew,
    onFailed: lookAnew,
    changes: () => false,
  });
  return (
    <>
      <header className={styles.header}>
        <p className={styles.wordmark}>
          <Link href={deskPages.start}>{t('desk.title')}</Link>
        </p>
        <nav className={styles.screens} aria-label={t('desk.screens')}>
          <ul>
            {namedScreensOf(session.roles).map(({ path, name, start, count }) => (
              <li key={path}>
                <Link
                  href={start?.() ?? path}
                  aria-current={location.startsWith(path) ? 'page' : undefined}
                >
                  {t(name)}
                  {count}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <BookingLauncher roles={session.roles} />
        <p className={styles.person}>
          <Link
            href={deskPages.ownSignIn}
            aria-label={t('desk.ownSignInOf', { name: session.name })}
            aria-current={location === deskPages.ownSignIn ? 'page' : undefined}
          >
            {session.name}
          </Link>
        </p>
        <Button
          variant="quiet"
          icon={<Lock size={18} aria-hidden="true" />}
          onClick={() => void lockScreen()}
        >
          {t('desk.lock')}
        </Button>
        <Button
          variant="quiet"
          icon={<LogOut size={18} aria-hidden="true" />}
          busy={signOut.pending}
          onClick={() => signOut.run()}
        >
          {t('desk.signOut')}
        </Button>
        <ActionOutcome press={signOut.press}>
          {signOut.error && t('desk.signOutFailed')}
        </ActionOutcome>
        <LiveLine />
        <LeftOutcomes />
      </header>
      <StopLine />
      <EmrLine />
      <WhyItStays />
      {children}
      <FactorDialog />
    </>
  );
}

const SIGN_EVERY_SECONDS = 60;

/** Reports keyboard and pointer input as activity, even when it makes no calls to the service. */
function useSignsOfLife(isOpen: boolean) {
  // Any press on the page counts, in dialogs too.
  useEffect(() => {
    if (!isOpen) return undefined;
    let said = clinicNow();
    const sign = () => {
      if (clinicNow() - said < SIGN_EVERY_SECONDS) return;
      said = clinicNow();
      ask('deskSession', {}).catch(() => queryClient.invalidateQueries(sessionQuery));
    };
    addEventListener('pointerdown', sign);
    addEventListener('keydown', sign);
    return () => {
      removeEventListener('pointerdown', sign);
      removeEventListener('keydown', sign);
    };
  }, [isOpen]);
}

/** The clocks of the service and of this computer agree to about a second. */
const LOCK_SLACK_SECONDS = 2;

/** Locks the screen when it is time, also where the service cannot be asked. */
function useLockInTime(locksAt: number | null) {
  // A timer, which each new end starts anew.
  useEffect(() => {
    if (locksAt === null) return undefined;
    const waitSeconds = Math.max(0, locksAt + LOCK_SLACK_SECONDS - clinicNow());
    const waiting = setTimeout(() => void lockWhenDue(), waitSeconds * 1000);
    return () => clearTimeout(waiting);
  }, [locksAt]);
}

/** When the session ends or changes, forgets the data it showed and what was begun in it. */
function useForgetting(session: string | null) {
  // What is forgotten is kept outside of React, and the session ends in many ways.
  useEffect(() => {
    if (session === null) return undefined;
    return () => {
      forgetShown();
      forgetDrafts();
      forgetLeft();
      forgetKeys();
    };
  }, [session]);
}
