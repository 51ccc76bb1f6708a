import { Form, useForm } from '@clinic/app/form';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { NO_PASSWORD, resetWith, whyFailed, wrongInReset } from './recovery-calls.ts';
import styles from './recovery.module.css';

interface ResetFormProps {
  email: string;
  onChanged: () => void;
  onStartAgain: () => void;
}

/** The state RESET: the emailed code, and the new password twice. */
export function ResetForm({ email, onChanged, onStartAgain }: ResetFormProps) {
  const form = useForm(useState(NO_PASSWORD));
  const reset = useAction({
    work: () => resetWith(email, form.values),
    onDone: onChanged,
    onFailed: (error) => form.failed(error, whyFailed(error, 'resetRefused', 'resetFailed')),
  });

  return (
    <Page
      title={t('recovery.resetTitle')}
      width="narrow"
      lead={t('recovery.resetIntro', { email })}
      screen="reset"
    >
      <Card className={styles.card}>
        <Form
          of={form}
          className={styles.form}
          pending={reset.pending}
          check={() => wrongInReset(form.values)}
          onSend={reset.run}
        >
          <TextField
            {...form.field('code')}
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
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            {...form.field('password')}
            label={t('recovery.password')}
            hint={t('recovery.passwordHint')}
            name="password"
            autoComplete="new-password"
            maxLength={256}
          />
          <PasswordField
            {...form.field('confirm')}
            label={t('recovery.passwordConfirm')}
            name="passwordConfirm"
            autoComplete="new-password"
            maxLength={256}
          />
          <Button type="submit" wide busy={reset.pending} busyLabel={t('recovery.submitting')}>
            {t('recovery.submit')}
          </Button>
        </Form>
        <Button variant="quiet" onClick={onStartAgain}>
          {t('recovery.otherCode')}
        </Button>
      </Card>
    </Page>
  );
}
