import { messageOf } from '@clinic/app/api-error';
import { Form, type FoundError, useForm } from '@clinic/app/form';
import { passwordText } from '@clinic/contract/identity-texts';
import { whyPasswordRefused } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { focusByPress, focusIfLost } from '@clinic/ui/focus';
import { Card } from '@clinic/ui/card';
import { PasswordField } from '@clinic/ui/password-field';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { locale, t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { useUser } from '../../shared/session/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './account.module.css';
import { sessionsQuery } from './session-list.tsx';

const EMPTY = { currentPassword: '', newPassword: '', confirm: '' };
type Typed = typeof EMPTY;

/** Changes the password, for which the current one is required; the change ends other sessions. */
export function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // The pressed button disappears, so move the focus.
  const open = () => {
    flushSync(() => setOpen(true));
    focusByPress(heading.current);
  };
  const close = () => {
    flushSync(() => setOpen(false));
    focusIfLost(opener.current);
  };
  if (isOpen)
    return (
      <Card className={styles.card}>
        <h3 ref={heading} tabIndex={-1}>
          {t('account.password')}
        </h3>
        <NewPassword onClose={close} />
      </Card>
    );
  return (
    <div>
      <Button ref={opener} variant="secondary" onClick={open}>
        {t('account.password')}
      </Button>
    </div>
  );
}

function NewPassword({ onClose }: { onClose: () => void }) {
  const { email } = useUser();
  const queryClient = useQueryClient();
  const form = useForm(useState(EMPTY));
  const { currentPassword, newPassword } = form.values;
  const save = useAction({
    work: () => request('changePassword', { body: { currentPassword, newPassword } }),
    onDone({ extras }) {
      onClose();
      announce('success', extras.message);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    afterLeaving: (error) => t('account.passwordLeft', { why: messageOf(error) }),
    onFailed: (error) => form.failed(error),
  });
  return (
    <Form
      of={form}
      className={styles.form}
      pending={save.pending}
      check={() => wrongIn(form.values)}
      onSend={save.run}
    >
      {/* Password managers save the new password under this email. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.field('currentPassword')}
        label={t('account.currentPassword')}
        maxLength={256}
      />
      <PasswordField
        {...form.field('newPassword')}
        label={t('account.newPassword')}
        hint={t('account.newPasswordHint')}
        autoComplete="new-password"
        maxLength={256}
      />
      <PasswordField
        {...form.field('confirm')}
        label={t('account.confirmPassword')}
        autoComplete="new-password"
        maxLength={256}
      />
      <div className={styles.actions}>
        <Button type="submit" busy={save.pending} busyLabel={t('account.savingPassword')}>
          {t('account.savePassword')}
        </Button>
        <Button variant="secondary" disabled={save.pending} onClick={onClose}>
          {t('account.cancel')}
        </Button>
      </div>
    </Form>
  );
}

function wrongIn({ currentPassword, newPassword, confirm }: Typed): FoundError<keyof Typed>[] {
  const wrong: FoundError<keyof Typed>[] = [];
  const find = (field: keyof Typed, message: string) => wrong.push({ field, message });
  if (currentPassword === '') find('currentPassword', t('account.currentPasswordMissing'));
  const refused = whyPasswordRefused(newPassword);
  if (refused !== null) find('newPassword', passwordText(locale(), refused));
  if (newPassword !== confirm) find('confirm', t('account.passwordsDiffer'));
  return wrong;
}
