import { forgetDrafts } from '@clinic/app/drafts';
import { pageLanguage } from '@clinic/app/language';
import { LoadState } from '@clinic/app/outcome';
import { useStore } from '@clinic/app/store';
import { forgetKeys } from '@clinic/app/use-action';
import { DESK } from '@clinic/domain';
import { SkipLink } from '@clinic/ui/skip-link';
import { UiWordsProvider } from '@clinic/ui/words';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Route, Router, Switch } from 'wouter';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { forgetShown, queryClient, sessionQuery } from '../shared/api.ts';
import styles from '../shared/app.module.css';
import { followPerson } from '../shared/language.ts';
import { forgetLeft } from '../shared/left-outcomes.tsx';
import { Page } from '../shared/page.tsx';
import { unlessUnderWay } from '../shared/under-way.tsx';
import { forgetUndo } from '../shared/undo.ts';
import { t, uiWords } from '../shared/words.ts';
import { OtherPage, laterPage } from './pages-to-come.tsx';

export const InvitationPage = laterPage(
  async () => (await import('../features/sign-in/invitation-page.tsx')).InvitationPage,
);

/** What stands behind the sign-in, with the day sheet. */
export const SignedIn = laterPage(async () => (await import('./signed-in.tsx')).SignedIn);

/** How long after the page stands it fetches what it does not show. */
const IDLE_AFTER_MS = 2_000;

/** Fetches the code of an address behind the sign-in at once, and later what no page has asked for by then. */
export function fetchCode(path: string): void {
  // What fails here is fetched again by the page that shows it.
  const bring = (parts: readonly { bring: () => Promise<unknown> }[]) =>
    Promise.all(parts.map((part) => part.bring())).catch(() => {});
  const within = path.slice(DESK.length);
  if (/^\/day(\/|$)/.test(within)) void bring([SignedIn]);
  else if (/^\/(?!invitation)./.test(within)) void bring([SignedIn, OtherPage]);
  const fetchRest = async () => {
    await bring([SignedIn]);
    const [{ BOOKING }, { AppointmentPanel }] = await Promise.all([
      import('../shared/booking/dialogs.tsx'),
      import('../features/day/parts-later.tsx'),
    ]);
    await bring([OtherPage, ...BOOKING, AppointmentPanel]);
  };
  addEventListener('load', () => setTimeout(() => void fetchRest().catch(() => {}), IDLE_AFTER_MS));
}

export function App() {
  // Texts are read while rendering, so a change of language re-renders the app in place.
  useStore(pageLanguage);
  return (
    <QueryClientProvider client={queryClient}>
      <UiWordsProvider words={uiWords()}>
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
  useForgetting(key);
  const language = signedIn?.language;
  // The page follows whoever comes in, and what they choose elsewhere.
  useEffect(() => {
    if (key !== null) void followPerson(language);
  }, [key, language]);
  if (signedIn === undefined)
    return (
      <Page>
        <LoadState of={session} />
      </Page>
    );
  if (signedIn === null) return <SignInPage />;
  return <SignedIn key={key} session={signedIn} />;
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
      forgetUndo();
      forgetKeys();
    };
  }, [session]);
}
