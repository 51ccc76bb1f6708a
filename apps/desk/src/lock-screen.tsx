import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { PasswordField } from '@clinic/ui/password-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, sessionQuery } from './api.ts';
import styles from './app.module.css';
import { t } from './words.ts';

/** Stands in place of the page, which is there again once it is opened. */
export function LockScreen({ name }: { name: string }) {
  const queries = useQueryClient();
  const [secret, setSecret] = useState('');
  const open = useMutation({
    mutationFn: () => ask('deskUnlock', { body: { secret } }),
    onSuccess: ({ extras }) => queries.setQueryData(sessionQuery.queryKey, extras),
  });
  const leave = useMutation({
    mutationFn: () => ask('deskSignOut', { body: {} }),
    onSettled: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <main id="main" className={styles.narrow}>
      <h1>{t('desk.locked')}</h1>
      <p>{t('desk.lockedFor', { name })}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!open.isPending) open.mutate();
        }}
      >
        <PasswordField
          label={t('desk.secret')}
          required
          maxLength={128}
          value={secret}
          onChange={setSecret}
        />
        <ActionOutcome press={open.submittedAt}>{open.error?.message}</ActionOutcome>
        <div className={styles.buttons}>
          <Button type="submit" busy={open.isPending} busyLabel={t('desk.opening')}>
            {t('desk.open')}
          </Button>
          <Button variant="secondary" busy={leave.isPending} onClick={() => leave.mutate()}>
            {t('desk.switchPerson')}
          </Button>
        </div>
      </form>
    </main>
  );
}
