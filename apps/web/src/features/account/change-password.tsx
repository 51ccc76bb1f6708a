import { passwordText } from '@clinic/contract/identity-texts';
import { whyPasswordRefused } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { focusIfLost } from '@clinic/ui/focus';
import { Card } from '@clinic/ui/card';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { PasswordField } from '@clinic/ui/password-field';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { locale, t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import { useFormErrors, type FoundError } from '../../shared/forms/form-errors.ts';
import { useUser } from '../../shared/session/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './account.module.css';
import { sessionsQuery } from './session-list.tsx';

const EMPTY = { current: '', next: '', confirm: '' };
type Typed = typeof EMPTY;

/** Changes the password, for which the current one is required; the change ends other sessions. */
export function ChangePassword() {
  const { email } = useUser();
  const queryClient = useQueryClient();
  const errors = useFormErrors<keyof Typed>(useId());
  const [typed, setTyped] = useState<Typed | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // The pressed button disappears, so move the focus.
  const open = () => {
    flushSync(() => setTyped(EMPTY));
    heading.current?.focus();
  };
  const close = () => {
    flushSync(() => setTyped(null));
    focusIfLost(opener.current);
  };
  const send = ({ current, next }: Typed) =>
    request('changePassword', { body: { currentPassword: current, newPassword: next } });
  const save = useAction({
    work: send,
    onDone({ extras }) {
      close();
      announce('success', extras.message);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    afterLeaving: (error) => t('account.passwordLeft', { why: messageOf(error) }),
    onFailed: (error) => errors.show([failureOf(error)]),
  });

  if (typed === null)
    return (
      <div>
        <Button ref={opener} variant="secondary" onClick={open}>
          {t('account.password')}
        </Button>
      </div>
    );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.pending) return;
    const wrong = wrongIn(typed);
    errors.show(wrong);
    if (wrong.length === 0) save.run(typed);
  };
  const wiring = (name: keyof Typed) => ({
    id: errors.idOf(name),
    error: errors.errorOf(name),
    value: typed[name],
    maxLength: 256,
    onChange: (value: string) => {
      setTyped({ ...typed, [name]: value });
      errors.edited(name);
    },
  });
  return (
    <Card>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h3 ref={heading} tabIndex={-1}>
          {t('account.password')}
        </h3>
        <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
        {/* Password managers save the new password under this email. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <ErrorTextsGone value={errors.textsGone}>
          <PasswordField {...wiring('current')} label={t('account.currentPassword')} />
          <PasswordField
            {...wiring('next')}
            label={t('account.newPassword')}
            hint={t('account.newPasswordHint')}
            autoComplete="new-password"
          />
          <PasswordField
            {...wiring('confirm')}
            label={t('account.confirmPassword')}
            autoComplete="new-password"
          />
        </ErrorTextsGone>
        <div className={styles.actions}>
          <Button type="submit" busy={save.pending} busyLabel={t('account.savingPassword')}>
            {t('account.savePassword')}
          </Button>
          <Button
            variant="secondary"
            disabled={save.pending}
            onClick={() => {
              errors.show([]);
              close();
            }}
          >
            {t('account.cancel')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function wrongIn({ current, next, confirm }: Typed): FoundError<keyof Typed>[] {
  const refused = whyPasswordRefused(next);
  return [
    ...(current === ''
      ? [{ field: 'current', message: t('account.currentPasswordMissing') } as const]
      : []),
    ...(refused === null
      ? []
      : [{ field: 'next', message: passwordText(locale(), refused) } as const]),
    ...(next === confirm
      ? []
      : [{ field: 'confirm', message: t('account.passwordsDiffer') } as const]),
  ];
}

const FIELDS: Readonly<Record<string, keyof Typed>> = {
  currentPassword: 'current',
  newPassword: 'next',
};

function failureOf(error: unknown): FoundError<keyof Typed> {
  const [named] = error instanceof ApiError ? error.fieldErrors : [];
  if (named) return { field: FIELDS[named.field] ?? null, message: named.message };
  const field = error instanceof ApiError && error.code === 'passwordWrong' ? 'current' : null;
  return { field, message: messageOf(error) };
}
