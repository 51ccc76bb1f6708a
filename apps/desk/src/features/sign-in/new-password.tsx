import { useForm } from '@clinic/app/form';
import { Button } from '@clinic/ui/button';
import { PasswordField } from '@clinic/ui/password-field';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import styles from '../../shared/office.module.css';
import { ownSessionsKey } from '../../shared/sessions.tsx';
import { useStays } from '../../shared/under-way.tsx';
import { t } from '../../shared/words.ts';

const NOTHING = { currentPassword: '', newPassword: '' };

/** Changes one's own password, for which the current one is asked; every other session ends. */
export function NewPassword({ onChanged }: { onChanged: (says: string) => void }) {
  useStays();
  const form = useForm(useState(NOTHING));
  const change = useAction({
    work: () => ask('deskChangePassword', { body: form.values }),
    onDone: () => {
      form.change(NOTHING);
      onChanged(t('desk.passwordChanged'));
    },
    onFailed: (error) => form.failed(error, null),
    shows: [ownSessionsKey],
    unknown: t('desk.passwordUnknown'),
  });
  return (
    <section className={styles.section}>
      <h2>{t('desk.changePassword')}</h2>
      <p className={styles.about}>{t('desk.changePasswordAbout')}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.run();
        }}
      >
        <PasswordField
          {...form.field('currentPassword')}
          label={t('desk.currentPassword')}
          required
          maxLength={128}
        />
        <PasswordField
          {...form.field('newPassword')}
          label={t('desk.nextPassword')}
          hint={t('desk.newPasswordHint')}
          autoComplete="new-password"
          required
          maxLength={128}
        />
        <Outcome of={change} />
        <div>
          <Button type="submit" busy={change.pending} busyLabel={t('desk.changingPassword')}>
            {t('desk.changePassword')}
          </Button>
        </div>
      </form>
    </section>
  );
}
