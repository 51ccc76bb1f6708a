import { skipToken, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { ApiUser, CallId } from '@clinic/contract';
import { routes } from '@clinic/contract/routes';
import { pathTo } from '@clinic/app/path-to';
import { linkAt, patientPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { tokenLogin } from '../../messages/en/token-login.ts';
import { t, loadMessages } from '../../messages/t.ts';
import { accessToken } from '../../api/access-token.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { createService } from '@clinic/app/service';
import { useConfig } from '../../api/config.ts';
import { bookType } from '../../shared/booking-link.ts';
import { PasteMailedLink } from '../../shared/confirmation/paste-mailed-link.tsx';
import { partOf } from '../../shared/navigation.ts';
import { leaveSite } from '../../shared/session/leave-site.ts';
import { useSession, beginSession, endSession, meQuery } from '../../shared/session/session.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';

await loadMessages({ tokenLogin });

/** Logs in with the link and goes home, or says why not and offers a way on. */
export function TokenLoginPage() {
  const queryClient = useQueryClient();
  const link = linkIn(useHistoryState());
  const signedIn = useSession().state === 'signedIn';
  const { error, isSuccess, isFetching, refetch } = useQuery({
    // A key under 'config' survives when another patient is signed out on the way.
    queryKey: ['config', 'link', link?.token],
    queryFn: link === null ? skipToken : () => logInByLink(queryClient, link),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

  if (isSuccess || (link === null && signedIn)) {
    const type = link?.selectedAppType;
    const chosen = type === 'I' || type === 'D' ? bookType(type) : null;
    return <Redirect to={patientPages.booking} replace state={chosen} />;
  }
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
      {mayTryAgain ? (
        <Button wide busy={isFetching} onClick={() => void refetch()}>
          {t('ui.tryAgain')}
        </Button>
      ) : (
        <PasteMailedLink />
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
      <ButtonLink to={patientPages.booking} variant="secondary" wide>
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
    <ButtonLink to={patientPages.login} variant="secondary" wide>
      {t('token.toLogin')}
    </ButtonLink>
  );
}

function failureOf(error: Error): string {
  if (error instanceof ApiError && error.unreachable) return t('token.unreachable');
  const spent = error instanceof ApiError && error.code === 'tokenNotValid';
  return spent ? t('token.refused') : messageOf(error, t('token.refused'));
}

interface DashboardLink {
  readonly token: string;
  /** 'I' or 'D' chooses a type. */
  readonly selectedAppType: string | null;
}

/** The link that `TokenLink` put into the history's state, or null when there is none. */
function linkIn(state: unknown): DashboardLink | null {
  const link = partOf(state, 'link');
  const [token, type] = [partOf(link, 'token'), partOf(link, 'selectedAppType')];
  if (typeof token !== 'string') return null;
  const selectedAppType = typeof type === 'string' ? type : 'null';
  const mailed = linkAt(pathTo(patientPages.tokenLink, { token, selectedAppType }));
  return mailed && { token: mailed.secret, selectedAppType: mailed.type };
}

/**
 * Exchanges a link for a session: the link's token is valid for one `GET /me`, whose answer
 * contains the session's token. Another patient who is signed in here is signed out first.
 */
async function logInByLink(queryClient: QueryClient, link: DashboardLink): Promise<ApiUser> {
  const headers = () => ({ 'x-access-token': link.token });
  const { id, token } = await createService<CallId>({ routes, headers }).request('getMe', {});
  // An answer without a token means that the link held the token of a session, which is no link.
  if (token === undefined) throw new ApiError({ kind: 'refusal', status: 401, refusal: null });

  const current = accessToken.get();
  if (current !== null && (await whoHas(queryClient, current)) !== id)
    endSession(queryClient, { why: 'loggedOut', leaveFor: null });
  return beginSession(queryClient, token);
}

async function whoHas(queryClient: QueryClient, token: string): Promise<string | null> {
  try {
    return (await queryClient.fetchQuery(meQuery(token))).id;
  } catch {
    // The token has no session that could go on.
    return null;
  }
}
