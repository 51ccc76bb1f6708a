import { registrationText } from '@clinic/contract/identity-texts';
import { Button } from '@clinic/ui/button';
import { focusIfAsked } from '@clinic/ui/focus';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { Notice } from '@clinic/ui/notice';
import { EmailField } from '@clinic/ui/text-field';
import { useId, useState, type FormEvent } from 'react';
import { locale, t } from '../../messages/t.ts';
import { messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import { Captcha } from '../captcha/captcha.tsx';
import '../fields/identity-words.ts';
import { useAction } from '../use-action.ts';
import styles from './resend-confirmation.module.css';

interface ResendConfirmationProps {
  /** Prefills the email where the page knows it. */
  email?: string;
  /** True when a patient's action opened this: the heading then takes the focus. */
  takesFocus?: boolean;
}

/** Requests another confirmation email. The service answers alike for every address. */
export function ResendConfirmation({
  email: known = '',
  takesFocus = false,
}: ResendConfirmationProps) {
  const id = useId();
  const [email, setEmail] = useState(known);
  const [recaptcha, setProof] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [errors, setErrors] = useState<readonly FormError[]>([]);

  const anew = () => setAttempt((one) => one + 1);
  const send = async (proof: string) => {
    const address = addressOf(email);
    await request('resendConfirmation', { body: { email: address, recaptcha: proof } });
    return address;
  };
  const resend = useAction({
    work: send,
    onDone: anew,
    onFailed(error) {
      setErrors([
        { message: messageOf(error, t('identity.resendFailed'), t('identity.resendUnknown')) },
      ]);
      anew();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: FormError[] = [];
    if (addressOf(email) === '')
      found.push({ fieldId: `${id}-email`, message: t('identity.emailMissing') });
    if (recaptcha === null)
      found.push({ message: registrationText(locale(), { field: 'recaptcha', code: 'missing' }) });
    setErrors(found);
    if (found.length === 0 && recaptcha !== null) resend.run(recaptcha);
  };

  return (
    <section className={styles.resend} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} ref={takesFocus ? focusIfAsked : undefined} tabIndex={-1}>
        {t('identity.resendTitle')}
      </h2>
      <p>{t('identity.resendIntro')}</p>
      {resend.result !== undefined && (
        <Notice kind="good" role="status">
          <p>{t('identity.resent', { email: resend.result })}</p>
        </Notice>
      )}
      <form className={styles.form} onSubmit={submit} noValidate>
        <ErrorSummary errors={errors} />
        <EmailField
          label={t('identity.email')}
          id={`${id}-email`}
          value={email}
          onChange={setEmail}
        />
        <Captcha attempt={attempt} onProof={setProof} />
        <Button
          type="submit"
          variant="secondary"
          busy={resend.pending}
          busyLabel={t('identity.resending')}
        >
          {t('identity.resend')}
        </Button>
      </form>
    </section>
  );
}

const addressOf = (typed: string): string => typed.trim().toLowerCase();
