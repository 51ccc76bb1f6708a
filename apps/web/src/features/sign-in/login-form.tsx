import { Button } from '@clinic/ui/button';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { PasswordField } from '@clinic/ui/password-field';
import { EmailField } from '@clinic/ui/text-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState, type FormEvent } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { request } from '../../api/service.ts';
import { beginSession } from '../../shared/session/session.ts';
import styles from './login.module.css';

// The form is there before it; asked for at once, so that it comes with the page.
const captcha = import('../../shared/captcha/captcha.tsx');
const Captcha = lazy(async () => ({ default: (await captcha).Captcha }));

// Few logins need it.
const ResendConfirmation = lazy(async () => ({
  default: (await import('../../shared/confirmation/resend-confirmation.tsx')).ResendConfirmation,
}));

/** Email, password and a captcha; the button waits for all three. */
export function LoginForm() {
  const queryClient = useQueryClient();
  const id = useId();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [recaptcha, setProof] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [resending, setResending] = useState(false);
  const [errors, setErrors] = useState<readonly FormError[]>([]);

  const login = useMutation({
    mutationFn: async (proof: string) => {
      const address = email.trim().toLowerCase();
      const body = { method: 'email', email: address, password, recaptcha: proof } as const;
      const { extras } = await request('login', { body });
      return beginSession(queryClient, extras.accessToken);
    },
    onError(error) {
      setErrors([{ message: messageOf(error, t('auth.failed')) }]);
      setAttempt(attempt + 1);
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recaptcha !== null && !login.isPending) login.mutate(recaptcha);
  };
  const fitsNobody = login.error instanceof ApiError && login.error.code === 'wrongCredentials';
  const complete = email.trim() !== '' && password !== '' && recaptcha !== null;

  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
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
        <Suspense fallback={<div className={styles.captchaToCome} />}>
          <Captcha attempt={attempt} onProof={setProof} />
        </Suspense>
        <Button
          type="submit"
          wide
          disabled={!complete && !login.isPending}
          busy={login.isPending}
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
      {resending && (
        <Suspense>
          <ResendConfirmation email={email} takesFocus />
        </Suspense>
      )}
    </>
  );
}
