import { useState } from 'react';
import { IdentifyForm } from './identify-form.tsx';
import { PasswordChanged } from './password-changed.tsx';
import './recovery-words.ts';
import { ResetForm } from './reset-form.tsx';

type Step =
  | { readonly name: 'identify' }
  | { readonly name: 'reset'; readonly email: string }
  | { readonly name: 'changed' };

/** §2 Password recovery: who somebody is, the code from the mail, the new password. */
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
