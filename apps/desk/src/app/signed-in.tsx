import { clinicNow } from '@clinic/app/clock';
import { loadMessages } from '@clinic/app/language';
import type { ApiDeskSession } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Lock, LogOut } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { DayPage } from '../features/day/day-page.tsx';
import { FactorDialog } from '../features/sign-in/factor-dialog.tsx';
import { Lockable } from '../features/sign-in/lock-screen.tsx';
import { day } from '../messages/day.ts';
import { everyPage } from '../messages/every-page.ts';
import { ask, lockScreen, lockWhenDue, queryClient, sessionQuery } from '../shared/api.ts';
import styles from '../shared/app.module.css';
import { EmrLine } from '../shared/emr-line.tsx';
import { FOOT } from '../shared/at-foot.tsx';
import { LeftOutcomes } from '../shared/left-outcomes.tsx';
import { Page } from '../shared/page.tsx';
import { useSignOut } from '../shared/sign-out.tsx';
import { StopLine } from '../shared/stop-line.tsx';
import { WhyItStays } from '../shared/under-way.tsx';
import { Undo } from '../shared/undo-later.tsx';
import { t } from '../shared/words.ts';
import { OtherPage } from './pages-to-come.tsx';
import { BookingLauncher } from './launcher.tsx';
import { LiveLine } from './live-line.tsx';
import type { Params } from './other-page.tsx';
import {
  type PagePath,
  firstScreenOf,
  namedScreensOf,
  pagesOf,
  screensOf,
  today,
} from './screens.tsx';

await loadMessages({ daySheet: { ...everyPage, ...day } });

/** What stands behind the sign-in. */
export function SignedIn({ session }: { session: ApiDeskSession }) {
  const { isLocked, name, locksAt } = session;
  useSignsOfLife(!isLocked);
  useLockInTime(isLocked ? null : locksAt);
  return (
    <Lockable isLocked={isLocked} name={name}>
      <Shell session={session}>
        <Pages session={session} />
      </Shell>
    </Lockable>
  );
}

function Pages({ session }: { session: ApiDeskSession }) {
  const screens = screensOf(session.roles);
  const first = firstScreenOf(session.roles);
  const pages = [...screens.flatMap(({ path }) => pagesOf(path)), deskPages.ownSignIn];
  return (
    <Switch>
      {pages.map((page) => (
        <Route key={page} path={page}>
          {(params: Params) => pageAt(page, params)}
        </Route>
      ))}
      {first && (
        <Route path={deskPages.start}>
          <Redirect to={first.path} replace />
        </Route>
      )}
      <Route>
        <Page title={t('desk.notFound')}>
          {first && (
            <p>
              <Link href={deskPages.start}>{t('desk.toToday')}</Link>
            </p>
          )}
        </Page>
      </Route>
    </Switch>
  );
}

function pageAt(page: PagePath, params: Params): ReactNode {
  if (page === deskPages.today) return <Redirect to={today()} replace />;
  const { date = '' } = params;
  if (page === deskPages.day) return <DayPage date={date} key={date} />;
  return <OtherPage page={page} params={params} />;
}

function Shell({ session, children }: { session: ApiDeskSession; children: ReactNode }) {
  const [location] = useLocation();
  const signOut = useSignOut();
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
        <div className={styles.leave}>
          <Button
            variant="quiet"
            icon={<Lock size={18} aria-hidden="true" />}
            title={t('desk.lock')}
            onClick={() => void lockScreen()}
          >
            {t('desk.lock')}
          </Button>
          <Button
            variant="quiet"
            icon={<LogOut size={18} aria-hidden="true" />}
            title={t('desk.signOut')}
            busy={signOut.pending}
            onClick={() => signOut.run()}
          >
            {t('desk.signOut')}
          </Button>
        </div>
        {signOut.failed}
        <LiveLine />
        <LeftOutcomes />
      </header>
      <StopLine />
      <EmrLine />
      <WhyItStays />
      {children}
      <footer id={FOOT} className={styles.foot}>
        <Undo />
      </footer>
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
