import { t } from '../../messages/t.ts';
import { FailedState, LoadingState } from '../ui/page-states.tsx';
import { Page } from '../ui/page.tsx';
import type { Session } from './session.ts';

interface SessionAwaitedProps {
  session: Extract<Session, { state: 'loading' | 'unreachable' }>;
}

/** Stands where a page will be while nobody knows yet whether a patient is signed in. */
export function SessionAwaited({ session }: SessionAwaitedProps) {
  if (session.state === 'loading')
    return (
      <Page title={t('ui.loading')}>
        <LoadingState />
      </Page>
    );
  return (
    <Page title={t('page.unreachableTitle')}>
      <FailedState onRetry={session.retry} busy={session.retrying}>
        {t('ui.unreachable')}
      </FailedState>
    </Page>
  );
}
