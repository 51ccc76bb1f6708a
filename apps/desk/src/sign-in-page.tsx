import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { PasswordField } from '@clinic/ui/password-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, sessionQuery } from './api.ts';
import styles from './app.module.css';
import { t } from './words.ts';

/** All three at once: nobody learns which of them was wrong. */
export function SignInPage() {
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const signIn = useMutation({
    mutationFn: () => ask('deskSignIn', { body: { email, password, code } }),
    onSuccess: ({ extras }) => queries.setQueryData(sessionQuery.queryKey, extras),
  });
  return (
    <main id="main" className={styles.narrow}>
      <h1>{t('desk.title')}</h1>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!signIn.isPending) signIn.mutate();
        }}
      >
        <EmailField
          label={t('desk.email')}
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
        />
        <PasswordField
          label={t('desk.password')}
          required
          maxLength={128}
          value={password}
          onChange={setPassword}
        />
        <TextField
          label={t('desk.code')}
          hint={t('desk.codeHint')}
          autoComplete="one-time-code"
          required
          maxLength={40}
          width="short"
          value={code}
          onChange={setCode}
        />
        <ActionOutcome press={signIn.submittedAt}>{signIn.error?.message}</ActionOutcome>
        <div>
          <Button type="submit" busy={signIn.isPending} busyLabel={t('desk.signingIn')}>
            {t('desk.signIn')}
          </Button>
        </div>
      </form>
    </main>
  );
}
