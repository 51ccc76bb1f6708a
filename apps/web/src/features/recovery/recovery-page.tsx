import { Notice } from '@clinic/ui/notice';
import { useState, useEffect } from 'react';
import { Navigate } from 'react-router';
import { recovery } from '../../messages/en/recovery.ts';
import { t, loadMessages } from '../../messages/t.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { IdentifyForm } from './identify-form.tsx';
import { ResetForm } from './reset-form.tsx';

loadMessages(recovery);

type Step =
  | { readonly name: 'identify' }
  | { readonly name: 'reset'; readonly email: string }
  | { readonly name: 'changed' };

/** Password recovery: who somebody is, the code from the email, the new password. */
export function RecoveryPage() {
  const [step, setStep] = useState<Step>({ name: 'identify' });
  switch (step.name) {
    case 'identify':
      return <IdentifyForm onCodeSent={(email) => setStep({ name: 'reset', email })} />;
    case 'reset':
      return (
        <ResetForm
          email={step.email}
          onChanged={() => setStep({ name: 'changed' })}
          onStartAgain={() => setStep({ name: 'identify' })}
        />
      );
    case 'changed':
      return <PasswordChanged />;
  }
}

/** How long the page stays before it leads to the login by itself. */
const COUNTDOWN_SECONDS = 5;

/** Success, and by itself to the login. */
function PasswordChanged() {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);

  if (left <= 0) return <Navigate to="/login" replace />;
  return (
    <Page title={t('recovery.doneTitle')} width="narrow" screen="changed">
      <Notice kind="good" role="status">
        <p>{t('recovery.done')}</p>
      </Notice>
      <p>{t('recovery.countdown', { left })}</p>
      <ButtonLink to="/login" replace wide>
        {t('recovery.toLogin')}
      </ButtonLink>
    </Page>
  );
}
