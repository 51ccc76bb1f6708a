import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useId, useState, type FormEvent } from 'react';
import { t } from '../../messages/t.ts';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { resetWith, wrongByService, wrongInReset, type NewPassword } from './recovery-calls.ts';
import styles from './recovery.module.css';

interface ResetFormProps {
  email: string;
  onChanged: () => void;
  onStartAgain: () => void;
}

/** The state RESET: the emailed code, and the new password twice. */
export function ResetForm({ email, onChanged, onStartAgain }: ResetFormProps) {
  const errors = useFormErrors<keyof NewPassword>(useId());
  const [typed, setTyped] = useState<NewPassword>({ code: '', password: '', confirm: '' });
  const reset = useAction({
    work: () => resetWith(email, typed),
    onDone: onChanged,
    onFailed: (error) => errors.show(wrongByService(error)),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reset.pending) return;
    const wrong = wrongInReset(typed);
    errors.show(wrong);
    if (wrong.length === 0) reset.run();
  };
  const wiring = (name: keyof NewPassword) => ({
    id: errors.idOf(name),
    error: errors.errorOf(name),
    value: typed[name],
    onChange: (value: string) => {
      setTyped({ ...typed, [name]: value });
      errors.edited(name);
    },
  });

  return (
    <Page
      title={t('recovery.resetTitle')}
      width="narrow"
      lead={t('recovery.resetIntro', { email })}
      screen="reset"
    >
      <Card className={styles.card}>
        <form className={styles.form} onSubmit={submit} noValidate>
          <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
          <ErrorTextsGone value={errors.textsGone}>
            <TextField
              {...wiring('code')}
              label={t('recovery.code')}
              hint={t('recovery.codeHint')}
              name="code"
              width="short"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
            />
            {/* Password managers save the new password under this email. */}
            <input
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              readOnly
              hidden
            />
            <PasswordField
              {...wiring('password')}
              label={t('recovery.password')}
              hint={t('recovery.passwordHint')}
              name="password"
              autoComplete="new-password"
              maxLength={256}
            />
            <PasswordField
              {...wiring('confirm')}
              label={t('recovery.passwordConfirm')}
              name="passwordConfirm"
              autoComplete="new-password"
              maxLength={256}
            />
          </ErrorTextsGone>
          <Button type="submit" wide busy={reset.pending} busyLabel={t('recovery.submitting')}>
            {t('recovery.submit')}
          </Button>
        </form>
        <Button variant="quiet" onClick={onStartAgain}>
          {t('recovery.otherCode')}
        </Button>
      </Card>
    </Page>
  );
}
