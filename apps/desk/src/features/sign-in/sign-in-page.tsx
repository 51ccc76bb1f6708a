import { useForm } from '@clinic/app/form';
import { focusByPress } from '@clinic/ui/focus';
import { PasswordField } from '@clinic/ui/password-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
import { ask, queryClient, sessionQuery, showSession } from '../../shared/api.ts';
import styles from '../../shared/app.module.css';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { LanguageChoice } from '../../shared/language-choice.tsx';
import { Page } from '../../shared/page.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { PasskeyButton, passkeyFor } from './passkeys.tsx';
import { useProof } from './use-proof.tsx';
import { t } from '../../shared/words.ts';

/** Sends email, password and code (or passkey) together, so that nobody learns which was wrong. */
export function SignInPage() {
  const form = useForm(useState({ email: '', password: '', code: '' }));
  const { email, password, code } = form.values;
  const { withProof, shown: proofShown } = useProof();
  const signIn = useAction({
    work: async (by: 'code' | 'passkey') => {
      const factor =
        by === 'code'
          ? { code }
          : { passkey: await passkeyFor(ask('deskAskPasskey', { body: { email } })) };
      return withProof((proof) =>
        ask('deskSignIn', { body: { email, password, ...factor, ...proof } }),
      );
    },
    unknown: t('desk.secretUnknown'),
    onDone: ({ extras }) => showSession(extras),
    // They may be in.
    onFailed: () => void queryClient.invalidateQueries(sessionQuery),
  });
  const waitsFor = signIn.pending ? signIn.input : null;
  return (
    <Page size="narrow" title={t('desk.title')}>
      <SendForm
        does={t('desk.signIn')}
        doing={t('desk.signingIn')}
        busy={waitsFor === 'code'}
        onSend={() => signIn.run('code')}
        outcome={<Outcome of={signIn} />}
      >
        <EmailField
          {...form.field('email')}
          ref={focusByPress}
          label={t('desk.email')}
          autoComplete="username"
          required
        />
        <PasswordField
          {...form.field('password')}
          label={t('desk.password')}
          required
          maxLength={128}
        />
        <div className={styles.orElse}>
          <TextField
            {...form.field('code')}
            label={t('desk.code')}
            hint={t('desk.codeHint')}
            name="code"
            autoComplete="one-time-code"
            required
            maxLength={40}
            width="short"
          />
          <PasskeyButton
            inPlaceOf="code"
            busy={waitsFor === 'passkey'}
            onPress={() => signIn.run('passkey')}
          />
        </div>
        {proofShown}
      </SendForm>
      <LanguageChoice />
    </Page>
  );
}
