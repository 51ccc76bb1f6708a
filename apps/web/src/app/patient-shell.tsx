import { patientPages } from '@clinic/domain';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { CalendarPlus, CalendarRange, UserRound } from 'lucide-react';
import { Link, useRoute } from 'wouter';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { SuggestionButton } from '../features/feedback/suggestion-button.tsx';
import { sayReplies, useUnreadMessages } from '../features/messages/messages-data.ts';
import { t } from '../messages/t.ts';
import { accessToken } from '../api/access-token.ts';
import { listenLive } from '../api/live.ts';
import { followChanges } from '../api/follow-changes.ts';
import { callService } from '../api/service.ts';
import { useInactivity } from '../shared/session/inactivity.ts';
import '../shared/patient-words.ts';
import { askStatus, recordsQuery, takeStatus } from '../shared/session/records-status.ts';
import { endSession, meQuery } from '../shared/session/session.ts';
import { AlertDialogHost } from '../shared/shell/alert-dialog.tsx';
import { QuestionDialog } from '../shared/shell/question-dialog.tsx';
import styles from './patient-shell.module.css';

/** Dialogs that may open over any page of a patient. */
export function PatientDialogs() {
  return (
    <>
      <InactivityWarning />
      <SuggestionButton />
      <AlertDialogHost />
    </>
  );
}

const tabs = [
  { to: patientPages.booking, label: 'shell.tabBook', Icon: CalendarPlus },
  { to: patientPages.appointments, label: 'shell.tabAppointments', Icon: CalendarRange },
  { to: patientPages.account, label: 'shell.tabAccount', Icon: UserRound },
] as const;

/** Tabs beneath the header; on phones, a bar at the bottom. */
export function PageTabs() {
  return (
    <nav className={styles.tabs} aria-label={t('shell.pages')}>
      <ul className={styles.list}>
        {tabs.map(({ to, label, Icon }) => (
          <li key={to} className={styles.item}>
            <TabLink to={to}>
              <Icon size={20} aria-hidden="true" />
              <span>{t(label)}</span>
              {to === patientPages.account && <NewReplies />}
            </TabLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TabLink({ to, children }: { to: string; children: ReactNode }) {
  const [isHere] = useRoute(to);
  return (
    <Link to={to} className={styles.tab} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/** Number of unread replies of the clinic in My Account. */
function NewReplies() {
  const count = useUnreadMessages();
  if (count === 0) return null;
  return (
    <span className={styles.mark}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{t('shell.newReplies', { count })}</VisuallyHidden>
    </span>
  );
}

/** Mounted while a patient is signed in; opens in the last minute before the sign-out. */
export function InactivityWarning() {
  const queryClient = useQueryClient();
  const { warning, stay } = useInactivity();
  if (!warning) return null;
  return (
    <QuestionDialog
      kind="alert"
      title={t('shell.inactivityTitle')}
      yes={t('shell.inactivityStay')}
      no={t('shell.logout')}
      onNo={() => endSession(queryClient, { why: 'loggedOut' })}
      onClose={stay}
    >
      <p>{t('shell.inactivityWarning')}</p>
    </QuestionDialog>
  );
}

/** Loads what a lost connection will show, as it could not be loaded then. */
function loadForTheEnd(): void {
  const coming = [
    import('../features/sign-in/login-page.tsx'),
    import('../shared/captcha/captcha.tsx'),
    import('../shared/session/maintenance-message.tsx'),
  ];
  // If this fails, the page that needs the code imports it again.
  void Promise.all(coming).catch(() => {});
}

/**
 * Keeps the session's live connection and applies its events. During maintenance, which signs out
 * every patient, the connection stays open, to hear of the end.
 */
export function LiveSession() {
  const queryClient = useQueryClient();
  // The connection, the cache and the session are outside of React.
  useEffect(() => {
    const stopEnding = endInMaintenance(queryClient);
    if (accessToken.get() === null) return stopEnding;
    const stops = [
      stopEnding,
      followChanges(queryClient),
      sayReplies(queryClient),
      listenLive({
        onConnect() {
          askStatus(queryClient);
          loadForTheEnd();
        },
        onUnheard: () => askStatus(queryClient),
        onOffline() {
          takeStatus(queryClient, false);
          askStatus(queryClient);
        },
        onOnline: () => takeStatus(queryClient, true),
        onPaused: () => askStatus(queryClient),
        onLost: () => takeStatus(queryClient, false),
        // If the session is over, this call ends it here too.
        onTurnedAway: () => {
          if (accessToken.get() !== null) void callService('getMe', {}, { background: true });
        },
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queryClient]);
  return null;
}

/** Ends the session once it is known both that the records are offline and who is signed in. */
function endInMaintenance(queryClient: QueryClient): () => void {
  let ending = false;
  const look = () => {
    const me = queryClient.getQueryState(meQuery(accessToken.get()).queryKey);
    const isKnown = me !== undefined && me.status !== 'pending';
    // Ending the session changes the cache and calls `look` again.
    if (ending || !isKnown || queryClient.getQueryData(recordsQuery.queryKey)?.online !== false)
      return;
    ending = true;
    endSession(queryClient, { why: 'maintenance' });
    ending = false;
  };
  look();
  return queryClient.getQueryCache().subscribe(look);
}
