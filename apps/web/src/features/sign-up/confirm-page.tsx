import { codeOf, messageOf } from '@clinic/app/api-error';
import { Form, useForm } from '@clinic/app/form';
import type { TextCode } from '@clinic/contract/texts';
import { patientPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { PasswordField } from '@clinic/ui/password-field';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { PasteMailedLink } from '../../shared/confirmation/paste-mailed-link.tsx';
import { useMailedLink } from '../../shared/mailed-link.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../shared/shell/clinic-contact.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { LinkNotWhole } from './link-not-whole.tsx';
import './register-words.ts';
import styles from './register.module.css';

/** Refusals after which the link is no longer usable. */
const OVER: readonly (TextCode | null)[] = ['linkUsed', 'linkNotValid', 'signUpEnded', 'cardKnown'];

/** For every address below /confirm: the mailed link that it is, however it was rewritten on its way. */
export function ConfirmPage() {
  const { link, mended } = useMailedLink();
  if (link === null) return <LinkNotWhole title={t('register.confirmTitle')} />;
  if (mended !== null) return <Redirect to={mended} replace />;
  return <Confirm key={link.secret} token={link.secret} />;
}

/**
 * Confirms an email address on the press of a button, as mail scanners follow links but press
 * nothing. Asks for the form's password, so that nobody confirms what a stranger filled in.
 */
function Confirm({ token }: { token: string }) {
  const form = useForm(useState({ password: '' }));
  const { password } = form.values;
  const confirm = useAction({
    work: () => request('confirmEmail', { body: { token, password } }),
    onFailed: (error) =>
      form.failed(
        error,
        messageOf(error, t('register.confirmFailed'), t('register.confirmUnknown')),
      ),
  });
  const check = () =>
    password === ''
      ? [{ field: 'password' as const, message: t('register.confirmPasswordMissing') }]
      : [];
  const logIn = (variant: 'primary' | 'secondary') => (
    <ButtonLink to={patientPages.login} variant={variant} wide>
      {t('register.logIn')}
    </ButtonLink>
  );
  const code = codeOf(confirm.error);
  const screen = confirm.result ? 'confirmed' : OVER.includes(code) ? 'over' : 'confirm';
  const lead = screen === 'confirm' ? t('register.confirmIntro') : null;

  return (
    <Page title={t('register.confirmTitle')} width="narrow" lead={lead} screen={screen}>
      {screen === 'confirmed' && (
        <>
          <Notice kind="good" role="status">
            <p>{t('register.confirmed')}</p>
          </Notice>
          {logIn('primary')}
        </>
      )}
      {screen === 'over' && (
        <>
          <Notice kind="danger" role="alert">
            <p>{messageOf(confirm.error)}</p>
            {code === 'cardKnown' && <ClinicContact />}
          </Notice>
          {(code === 'linkNotValid' || code === 'signUpEnded') && (
            <ButtonLink to={patientPages.signUp} wide>
              {t('register.title')}
            </ButtonLink>
          )}
          {logIn(code === 'linkUsed' ? 'primary' : 'secondary')}
          {code === 'linkNotValid' && <PasteMailedLink />}
        </>
      )}
      {screen === 'confirm' && (
        <Card>
          <Form
            of={form}
            className={styles.form}
            pending={confirm.pending}
            check={check}
            onSend={confirm.run}
          >
            <PasswordField
              {...form.field('password')}
              label={t('register.confirmPassword')}
              hint={t('register.confirmPasswordHint')}
              name="password"
              maxLength={128}
            />
            <Button type="submit" wide busy={confirm.pending} busyLabel={t('register.confirming')}>
              {t('register.confirm')}
            </Button>
          </Form>
        </Card>
      )}
    </Page>
  );
}
