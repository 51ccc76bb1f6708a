import type { TextCode } from '@clinic/contract/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { PasswordField } from '@clinic/ui/password-field';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { Redirect } from 'wouter';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { configQuery } from '../../api/config.ts';
import { request } from '../../api/service.ts';
import { PasteMailedLink } from '../../shared/confirmation/paste-mailed-link.tsx';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
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
  const { data: config = null } = useQuery(configQuery);
  const errors = useFormErrors<'password'>(useId());
  const [password, setPassword] = useState('');
  const send = (link: string) => request('confirmEmail', { body: { token: link, password } });
  const confirm = useAction({
    work: send,
    onFailed(error) {
      const [wrong] = error instanceof ApiError ? error.fieldErrors : [];
      errors.show([
        wrong
          ? { field: 'password', message: wrong.message }
          : {
              field: null,
              message: messageOf(error, t('register.confirmFailed'), t('register.confirmUnknown')),
            },
      ]);
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.pending) return;
    if (password === '')
      errors.show([{ field: 'password', message: t('register.confirmPasswordMissing') }]);
    else confirm.run(token);
  };
  const logIn = (variant: 'primary' | 'secondary') => (
    <ButtonLink to="/login" variant={variant} wide>
      {t('register.logIn')}
    </ButtonLink>
  );
  const code = confirm.error instanceof ApiError ? confirm.error.code : null;
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
            {code === 'cardKnown' && <ClinicContact config={config} />}
          </Notice>
          {(code === 'linkNotValid' || code === 'signUpEnded') && (
            <ButtonLink to="/register" wide>
              {t('register.title')}
            </ButtonLink>
          )}
          {logIn(code === 'linkUsed' ? 'primary' : 'secondary')}
          {code === 'linkNotValid' && <PasteMailedLink />}
        </>
      )}
      {screen === 'confirm' && (
        <Card>
          <form className={styles.form} onSubmit={submit} noValidate>
            <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
            <ErrorTextsGone value={errors.textsGone}>
              <PasswordField
                label={t('register.confirmPassword')}
                hint={t('register.confirmPasswordHint')}
                id={errors.idOf('password')}
                error={errors.errorOf('password')}
                name="password"
                maxLength={128}
                value={password}
                onChange={(value) => {
                  setPassword(value);
                  errors.edited('password');
                }}
              />
            </ErrorTextsGone>
            <Button type="submit" wide busy={confirm.pending} busyLabel={t('register.confirming')}>
              {t('register.confirm')}
            </Button>
          </form>
        </Card>
      )}
    </Page>
  );
}
