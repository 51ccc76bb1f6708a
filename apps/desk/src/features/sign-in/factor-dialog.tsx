import { useStore } from '@clinic/app/store';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { factorQuestion } from '../../shared/api.ts';
import styles from '../../shared/app.module.css';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { DeskDialog } from '../../shared/under-way.tsx';
import { PasskeyButton, unlock } from './passkeys.tsx';
import { t } from '../../shared/words.ts';

/** Asks for a new code or a passkey when a call needs one; the call is then repeated. */
export function FactorDialog() {
  const answer = useStore(factorQuestion.open);
  return answer && <Question answer={answer} />;
}

function Question({ answer }: { answer: (isShown: boolean) => void }) {
  const [secret, setSecret] = useState('');
  const show = useAction({
    work: (by: 'secret' | 'passkey') => unlock(by === 'secret' ? { secret } : null),
    unknown: t('desk.secretUnknown'),
    onDone: () => answer(true),
  });
  const waitsFor = show.pending ? show.input : null;
  return (
    <DeskDialog isOfChange title={t('desk.factor')} onClose={() => answer(false)}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          show.run('secret');
        }}
      >
        <p>{t('desk.factorAbout')}</p>
        <TextField
          label={t('desk.code')}
          name="secret"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={40}
          value={secret}
          onChange={setSecret}
        />
        <Outcome of={show} />
        <div className={styles.buttons}>
          <Button type="submit" busy={waitsFor === 'secret'} busyLabel={t('desk.factorConfirming')}>
            {t('desk.factorConfirm')}
          </Button>
          <PasskeyButton
            inPlaceOf="secret"
            busy={waitsFor === 'passkey'}
            onPress={() => show.run('passkey')}
          />
          <Button variant="secondary" onClick={() => answer(false)}>
            {t('desk.factorCancel')}
          </Button>
        </div>
      </form>
    </DeskDialog>
  );
}
