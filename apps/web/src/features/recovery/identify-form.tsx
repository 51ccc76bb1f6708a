import { useId, useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { digitsOf, NO_DATE } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { DateField } from '@clinic/ui/date-field';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import { CaptchaField } from '../../shared/captcha/captcha-field.tsx';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import '../../shared/fields/identity-words.ts';
import { failureOf, identify, missingOf, type Identity } from './recovery-calls.ts';
import styles from './recovery.module.css';

const NOBODY: Identity = { email: '', birthDate: NO_DATE, card: '' };

/** The state IDENTIFY, with the dialog of IDENTIFY_SUCCESS over it. */
export function IdentifyForm({ onCodeSent }: { onCodeSent: (email: string) => void }) {
  const config = useConfig();
  const errors = useFormErrors<'email' | 'birthDate' | 'recaptcha'>(useId());
  const [who, setWho] = useState(NOBODY);
  const [recaptcha, setProof] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  // A proof is valid for one submission, whatever the outcome.
  const anew = () => setAttempt((one) => one + 1);
  const validate = useAction({
    work: (proof: string) => identify(who, proof),
    onDone: anew,
    onFailed(error) {
      errors.show([failureOf(error, 'notValidated', 'serverError')]);
      anew();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (validate.pending) return;
    const missing = missingOf(who, recaptcha !== null, config?.clinicEmail ?? '');
    errors.show(missing);
    if (missing.length === 0 && recaptcha !== null) validate.run(recaptcha);
  };

  return (
    <Page title={t('recovery.title')} width="narrow" lead={t('recovery.intro')} screen="identify">
      <Card className={styles.card}>
        <form className={styles.form} onSubmit={submit} noValidate>
          <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
          <ErrorTextsGone value={errors.textsGone}>
            <EmailField
              label={t('recovery.email')}
              id={errors.idOf('email')}
              error={errors.errorOf('email')}
              autoComplete="username"
              value={who.email}
              onChange={(email) => {
                setWho({ ...who, email });
                errors.edited('email');
              }}
            />
            <DateField
              id={errors.idOf('birthDate')}
              label={t('identity.birthDate')}
              autoComplete="bday"
              error={errors.errorOf('birthDate')}
              value={who.birthDate}
              onChange={(birthDate) => {
                setWho({ ...who, birthDate });
                errors.edited('birthDate');
              }}
            />
            <TextField
              label={t('recovery.card')}
              hint={t('recovery.cardHint')}
              optional
              inputMode="numeric"
              autoComplete="off"
              maxLength={40}
              value={who.card}
              onChange={(card) => setWho({ ...who, card: digitsOf(card) })}
            />
            <CaptchaField
              id={errors.idOf('recaptcha')}
              error={recaptcha === null ? errors.errorOf('recaptcha') : null}
              attempt={attempt}
              onProof={setProof}
            />
          </ErrorTextsGone>
          <Button type="submit" wide busy={validate.pending} busyLabel={t('recovery.checking')}>
            {t('recovery.next')}
          </Button>
        </form>
        <p>
          <Link to="/login">{t('recovery.backToLogin')}</Link>
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
    <Dialog
      title={t('recovery.foundTitle')}
      onClose={send.pending ? undefined : onCancel}
      actions={
        <>
          <Button busy={send.pending} busyLabel={t('recovery.sending')} onClick={() => send.run()}>
            {t('recovery.confirm')}
          </Button>
          <Button variant="secondary" disabled={send.pending} onClick={onCancel}>
            {t('recovery.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('recovery.found', { email })}</p>
      {send.error && (
        <Notice kind="danger" role="alert">
          <p>{failureOf(send.error, 'emailRefused', 'emailFailed').message}</p>
        </Notice>
      )}
    </Dialog>
  );
}
