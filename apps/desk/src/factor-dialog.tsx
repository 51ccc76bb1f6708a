import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { TextField } from '@clinic/ui/text-field';
import { useMutation } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { ask, factorQuestion } from './api.ts';
import styles from './app.module.css';
import { t } from './words.ts';

/** Asks for a new code where a call needs one; the call is then made again. */
export function FactorDialog() {
  const answer = useSyncExternalStore(factorQuestion.watch, factorQuestion.open);
  return answer && <Question answer={answer} />;
}

function Question({ answer }: { answer: (isShown: boolean) => void }) {
  const [secret, setSecret] = useState('');
  const show = useMutation({
    mutationFn: () => ask('deskUnlock', { body: { secret } }),
    onSuccess: () => answer(true),
  });
  return (
    <Dialog title={t('desk.factor')} onClose={() => answer(false)}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!show.isPending) show.mutate();
        }}
      >
        <p>{t('desk.factorAbout')}</p>
        <TextField
          label={t('desk.code')}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={40}
          value={secret}
          onChange={setSecret}
        />
        <ActionOutcome press={show.submittedAt}>{show.error?.message}</ActionOutcome>
        <div className={styles.buttons}>
          <Button type="submit" busy={show.isPending} busyLabel={t('desk.factorConfirming')}>
            {t('desk.factorConfirm')}
          </Button>
          <Button variant="secondary" onClick={() => answer(false)}>
            {t('desk.factorCancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
