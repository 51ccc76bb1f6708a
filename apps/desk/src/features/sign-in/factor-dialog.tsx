import { useStore } from '@clinic/app/store';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { factorQuestion } from '../../shared/api.ts';
import { DeskDialog } from '../../shared/under-way.tsx';
import { t } from '../../shared/words.ts';
import { UnlockForm } from './unlock-form.tsx';

/** Asks for a new code or a passkey when a call needs one; the call is then repeated. */
export function FactorDialog() {
  const answer = useStore(factorQuestion.open);
  if (answer === null) return null;
  return (
    <DeskDialog canBeLeft title={t('desk.factor')} onClose={() => answer(false)}>
      <UnlockForm
        does={t('desk.factorConfirm')}
        doing={t('desk.factorConfirming')}
        onDone={() => answer(true)}
        leave={
          <Button variant="secondary" onClick={() => answer(false)}>
            {t('desk.leaveIt')}
          </Button>
        }
      >
        {(wiring) => (
          <>
            <p>{t('desk.factorAbout')}</p>
            <TextField
              {...wiring}
              label={t('desk.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={40}
            />
          </>
        )}
      </UnlockForm>
    </DeskDialog>
  );
}
