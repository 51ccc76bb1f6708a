import { later } from '@clinic/app/later';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { Notice } from '@clinic/ui/notice';
import { PasswordField } from '@clinic/ui/password-field';
import { Spinner } from '@clinic/ui/spinner';
import { EmailField } from '@clinic/ui/text-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useId, useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { auth } from '../../messages/en/auth.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { patientPages } from '@clinic/domain';
import { configQuery } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import { useCaptcha } from '../../shared/captcha/use-captcha.ts';
import { partOf } from '../../shared/navigation.ts';
import { leaveSite } from '../../shared/session/leave-site.ts';
import { recordsQuery } from '../../shared/session/records-status.ts';
import {
  sessionEndIn,
  useSession,
  type SessionEnd,
  beginSession,
} from '../../shared/session/session.ts';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import styles from './login.module.css';

await loadMessages({ auth });

/** How long the clinic's status counts as fresh when somebody opens the login. */
const STATUS_HOLDS_MS = 15_000;

/** The login page. Clinics with a dashboard sign patients in on their own site instead. */
export function LoginPage() {
  const { data: config, isPending } = useQuery(configQuery);
  const status = useQuery({ ...recordsQuery, staleTime: STATUS_HOLDS_MS });
  const session = useSession();
  const state = useHistoryState<unknown>();
  const here = session.state === 'signedOut' ? session.end : null;
  // A patient who comes back with Back or Forward reads the reason again, which `PrivateRoute` left there.
  const end = here ?? sessionEndIn(partOf(state, 'end'));
  const dashboard = config?.flags.dashboard ? config.dashboardUrl : null;
  // The call that ended the session has already sent the browser elsewhere.
  const isLeaving = Boolean(here?.leaveFor);
  const isTold = end !== null && end.why !== 'maintenance';
  const knowsStatus = status.data !== undefined && !status.isFetching;
  const leavesFor = knowsStatus && status.data.online && !isTold && !isLeaving ? dashboard : null;

  const leave = useCallback(
    (shown: HTMLElement | null) => {
      if (shown !== null && leavesFor !== null) leaveSite(leavesFor, 'replace');
    },
    [leavesFor],
  );

  if (isPending || isLeaving || leavesFor !== null || (dashboard && !knowsStatus))
    return (
      <div ref={leave} className={styles.dashboard}>
        {end && <EndNotice end={end} />}
        <Spinner label={t(isPending ? 'ui.loading' : 'auth.dashboard')} />
      </div>
    );
  if (dashboard)
    return (
      <Page title={t('auth.title')} width="narrow">
        {end && <EndNotice end={end} />}
        <Button wide onClick={() => leaveSite(dashboard)}>
          {t('auth.toDashboard')}
        </Button>
      </Page>
    );
  return (
    <Page title={t('auth.title')} width="narrow" lead={t('auth.intro')}>
      {end && <EndNotice end={end} />}
      <Card className={styles.card}>
        <LoginForm />
        <ul className={styles.links}>
          <li>
            <Link to={patientPages.recovery}>{t('auth.forgot')}</Link>
          </li>
          <li>
            {t('auth.newHere')} <Link to={patientPages.signUp}>{t('auth.signUp')}</Link>
          </li>
        </ul>
      </Card>
    </Page>
  );
}

function EndNotice({ end }: { end: SessionEnd }) {
  switch (end.why) {
    case 'maintenance':
      return null;
    case 'loggedOut':
      return <Notice role="status">{t('auth.loggedOut')}</Notice>;
    case 'inactivity':
      return (
        <Notice kind="caution" role="alert" unasked>
          {t('auth.inactivity')}
        </Notice>
      );
    case 'ended':
      return (
        <Notice kind="caution" role="alert" unasked>
          {end.message ?? t('auth.ended')}
        </Notice>
      );
  }
}

const Captcha = later(async () => (await import('../../shared/captcha/captcha.tsx')).Captcha);

// Few logins need this.
const ResendConfirmation = later(
  async () =>
    (await import('../../shared/confirmation/resend-confirmation.tsx')).ResendConfirmation,
);

/** Email, password and a captcha; the button waits for all three. */
function LoginForm() {
  const queryClient = useQueryClient();
  const id = useId();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const captcha = useCaptcha();
  const [resending, setResending] = useState(false);
  const [touched, setTouched] = useState(false);
  const [errors, setErrors] = useState<readonly FormError[]>([]);

  const logIn = async (proof: string) => {
    const address = email.trim().toLowerCase();
    const body = { method: 'email', email: address, password, recaptcha: proof } as const;
    const { extras } = await request('login', { body });
    return beginSession(queryClient, extras.accessToken);
  };
  const login = useAction({
    work: logIn,
    onFailed(error) {
      setErrors([{ message: messageOf(error, t('auth.failed')) }]);
      captcha.renew();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (captcha.proof !== null) login.run(captcha.proof);
  };
  const fitsNobody = login.error instanceof ApiError && login.error.code === 'wrongCredentials';
  const complete = email.trim() !== '' && password !== '' && captcha.proof !== null;
  // The proof costs work and expires, so it is made only once the patient begins to log in.
  const begun = touched || email !== '' || password !== '';

  return (
    <>
      <form className={styles.form} onSubmit={submit} onFocus={() => setTouched(true)} noValidate>
        <ErrorSummary errors={errors} />
        <EmailField
          label={t('auth.email')}
          id={`${id}-email`}
          autoComplete="username"
          value={email}
          onChange={setEmail}
        />
        <PasswordField
          label={t('auth.password')}
          id={`${id}-password`}
          name="password"
          maxLength={128}
          value={password}
          onChange={setPassword}
        />
        <div className={styles.captcha}>{begun && <Captcha {...captcha.props} />}</div>
        <Button
          type="submit"
          wide
          disabled={!complete && !login.pending}
          busy={login.pending}
          busyLabel={t('auth.submitting')}
        >
          {t('auth.submit')}
        </Button>
      </form>
      {fitsNobody && !resending && (
        <Button variant="secondary" wide onClick={() => setResending(true)}>
          {t('auth.resend')}
        </Button>
      )}
      {resending && <ResendConfirmation email={email} takesFocus />}
    </>
  );
}
