import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../shared/api/api-error.ts';
import { useConfig } from '../../shared/api/config.ts';
import { leaveSite } from '../../shared/session/leave-site.ts';
import { useSession } from '../../shared/session/session.ts';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import './token-login-words.ts';
import { linkIn, logInByLink, type DashboardLink } from './log-in-by-link.ts';

/** §4 Token login: logs in by the link and goes home, or says why not, with a way on. */
export function TokenLoginPage() {
  const queryClient = useQueryClient();
  const link = linkIn(useLocation().state);
  const signedIn = useSession().state === 'signedIn';
  const { mutate, error, isSuccess, isPending } = useMutation({
    mutationFn: (one: DashboardLink) => logInByLink(queryClient, one),
  });
  const token = link?.token;
  const tried = useRef<string>(undefined);

  useEffect(() => {
    if (!link || tried.current === token) return;
    tried.current = token;
    mutate(link);
  }, [link, token, mutate]);

  if (isSuccess || (link === null && signedIn)) return <Navigate to="/" replace />;
  if (link !== null && error === null)
    return (
      <Page title={t('token.title')} width="narrow">
        <Spinner label={t('token.working')} />
      </Page>
    );
  const mayTryAgain =
    link !== null && error instanceof ApiError && (error.unreachable || error.status >= 429);
  return (
    <Page title={t('token.failedTitle')} width="narrow" screen="failed">
      <Notice kind="danger" role="alert" unasked>
        <p>{error === null ? t('token.none') : failureOf(error)}</p>
      </Notice>
      {mayTryAgain && (
        <Button wide busy={isPending} onClick={() => mutate(link)}>
          {t('ui.tryAgain')}
        </Button>
      )}
      <WayOn signedIn={signedIn} />
    </Page>
  );
}

function WayOn({ signedIn }: { signedIn: boolean }) {
  const config = useConfig();
  const dashboard = config?.flags.dashboard ? config.dashboardUrl : null;
  if (signedIn)
    return (
      <ButtonLink to="/" variant="secondary" wide>
        {t('page.toHome')}
      </ButtonLink>
    );
  if (dashboard)
    return (
      <Button variant="secondary" wide onClick={() => leaveSite(dashboard)}>
        {t('token.toDashboard')}
      </Button>
    );
  return (
    <ButtonLink to="/login" variant="secondary" wide>
      {t('token.toLogin')}
    </ButtonLink>
  );
}

function failureOf(error: Error): string {
  if (error instanceof ApiError && error.unreachable) return t('token.unreachable');
  const spent = error instanceof ApiError && error.code === 'tokenNotValid';
  return spent ? t('token.refused') : messageOf(error, t('token.refused'));
}
