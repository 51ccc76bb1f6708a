import { messageOf } from '@clinic/app/api-error';
import { Form, type FoundError, useForm } from '@clinic/app/form';
import { registrationText } from '@clinic/contract/identity-texts';
import { Button } from '@clinic/ui/button';
import { focusIfAsked } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { EmailField } from '@clinic/ui/text-field';
import { useId, useState } from 'react';
import { locale, t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { Captcha } from '../captcha/captcha.tsx';
import { useCaptcha } from '../captcha/use-captcha.ts';
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
  const form = useForm(useState({ email: known }));
  const email = form.values.email.trim().toLowerCase();
  const captcha = useCaptcha();
  const resend = useAction({
    async work(proof: string) {
      await request('resendConfirmation', { body: { email, recaptcha: proof } });
      return email;
    },
    onDone: captcha.renew,
    onFailed(error) {
      form.failed(error, messageOf(error, t('identity.resendFailed'), t('identity.resendUnknown')));
      captcha.renew();
    },
  });

  const check = () => {
    const found: FoundError<'email'>[] = [];
    if (email === '') found.push({ field: 'email', message: t('identity.emailMissing') });
    if (captcha.proof === null)
      found.push({
        field: null,
        message: registrationText(locale(), { field: 'recaptcha', code: 'missing' }),
      });
    return found;
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
      <Form
        of={form}
        className={styles.form}
        pending={resend.pending}
        check={check}
        onSend={() => captcha.proof !== null && resend.run(captcha.proof)}
      >
        <EmailField {...form.field('email')} label={t('identity.email')} />
        <Captcha {...captcha.props} />
        <Button
          type="submit"
          variant="secondary"
          busy={resend.pending}
          busyLabel={t('identity.resending')}
        >
          {t('identity.resend')}
        </Button>
      </Form>
    </section>
  );
}
