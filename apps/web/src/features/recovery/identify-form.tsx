import { Form, useForm } from '@clinic/app/form';
import { useState } from 'react';
import { Link } from 'wouter';
import { digitsOf, patientPages } from '@clinic/domain';
import { Outcome } from '@clinic/app/outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { DateField } from '@clinic/ui/date-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import { CaptchaField } from '../../shared/captcha/captcha-field.tsx';
import { useCaptcha } from '../../shared/captcha/use-captcha.ts';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import '../../shared/fields/identity-words.ts';
import { whyFailed, identify, missingOf, NOBODY, type Identity } from './recovery-calls.ts';
import styles from './recovery.module.css';

/** The state IDENTIFY, with the dialog of IDENTIFY_SUCCESS over it. */
export function IdentifyForm({ onCodeSent }: { onCodeSent: (email: string) => void }) {
  const config = useConfig();
  const form = useForm<Identity, 'recaptcha'>(useState(NOBODY));
  const captcha = useCaptcha();
  const validate = useAction({
    work: (proof: string) => identify(form.values, proof),
    onDone: captcha.renew,
    onFailed(error) {
      form.failed(error, whyFailed(error, 'notValidated', 'serverError'));
      captcha.renew();
    },
  });

  return (
    <Page title={t('recovery.title')} width="narrow" lead={t('recovery.intro')} screen="identify">
      <Card className={styles.card}>
        <Form
          of={form}
          className={styles.form}
          pending={validate.pending}
          check={() => missingOf(form.values, captcha.proof !== null, config?.clinicEmail ?? '')}
          onSend={() => captcha.proof !== null && validate.run(captcha.proof)}
        >
          <EmailField
            {...form.field('email')}
            label={t('recovery.email')}
            autoComplete="username"
          />
          <DateField
            {...form.field('birthDate')}
            label={t('identity.birthDate')}
            autoComplete="bday"
          />
          <TextField
            {...form.field('card')}
            label={t('recovery.card')}
            hint={t('recovery.cardHint')}
            optional
            inputMode="numeric"
            autoComplete="off"
            maxLength={40}
            onChange={(card) => form.change({ card: digitsOf(card) })}
          />
          <CaptchaField of={form} captcha={captcha} />
          <Button type="submit" wide busy={validate.pending} busyLabel={t('recovery.checking')}>
            {t('recovery.next')}
          </Button>
        </Form>
        <p>
          <Link to={patientPages.login}>{t('recovery.backToLogin')}</Link>
        </p>
      </Card>
      {validate.result !== undefined && (
        <UserFoundDialog email={validate.result} onCancel={validate.forget} onSent={onCodeSent} />
      )}
    </Page>
  );
}

interface UserFoundDialogProps {
  email: string;
  onCancel: () => void;
  onSent: (email: string) => void;
}

/** IDENTIFY_SUCCESS: the email is sent only when the patient asks for it. */
function UserFoundDialog({ email, onCancel, onSent }: UserFoundDialogProps) {
  const send = useAction({
    work: () => request('sendResetCode', { body: { email } }),
    onDone: () => onSent(email),
  });
  return (
    <QuestionDialog
      title={t('recovery.foundTitle')}
      busy={send.pending}
      busyLabel={t('recovery.sending')}
      yes={t('recovery.confirm')}
      onYes={() => send.run()}
      no={t('recovery.cancel')}
      onClose={onCancel}
    >
      <p>{t('recovery.found', { email })}</p>
      <Outcome of={send} why={(error) => whyFailed(error, 'emailRefused', 'emailFailed')} />
    </QuestionDialog>
  );
}
