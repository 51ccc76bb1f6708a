import { patientPages } from '@clinic/domain';
import { Notice } from '@clinic/ui/notice';
import { useClinicNow } from '@clinic/app/use-clock';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { recovery } from '../../messages/en/recovery.ts';
import { t, loadMessages } from '../../messages/t.ts';
import { partOf } from '../../shared/navigation.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { IdentifyForm } from './identify-form.tsx';
import { ResetForm } from './reset-form.tsx';

await loadMessages({ recovery });

type Step =
  | { readonly name: 'identify' }
  | { readonly name: 'reset'; readonly email: string }
  | { readonly name: 'changed' };

/**
 * Password recovery: identify the patient, enter the emailed code, set a new password. The step is
 * in the history's state, so a reload continues where the patient was.
 */
export function RecoveryPage() {
  const step = stepIn(useHistoryState());
  const go = (recovery: Step, replace: boolean) =>
    navigate(patientPages.recovery, { replace, state: { recovery } });
  switch (step.name) {
    case 'identify':
      return <IdentifyForm onCodeSent={(email) => go({ name: 'reset', email }, false)} />;
    case 'reset':
      return (
        <ResetForm
          email={step.email}
          onChanged={() => go({ name: 'changed' }, true)}
          onStartAgain={() => go({ name: 'identify' }, true)}
        />
      );
    case 'changed':
      return <PasswordChanged />;
  }
}

function stepIn(state: unknown): Step {
  const kept = partOf(state, 'recovery');
  const [name, email] = [partOf(kept, 'name'), partOf(kept, 'email')];
  if (name === 'reset' && typeof email === 'string') return { name, email };
  return { name: name === 'changed' ? 'changed' : 'identify' };
}

/** How long the success page stays before it goes to the login. */
const COUNTDOWN_SECONDS = 5;

/** Says that the password was changed, then redirects to the login. */
function PasswordChanged() {
  const now = useClinicNow();
  const [until] = useState(now + COUNTDOWN_SECONDS);
  const left = until - now;
  if (left <= 0) return <Redirect to={patientPages.login} replace />;
  return (
    <Page title={t('recovery.doneTitle')} width="narrow" screen="changed">
      <Notice kind="good" role="status">
        <p>{t('recovery.done')}</p>
      </Notice>
      <p>{t('recovery.countdown', { left })}</p>
      <ButtonLink to={patientPages.login} replace wide>
        {t('recovery.toLogin')}
      </ButtonLink>
    </Page>
  );
}
