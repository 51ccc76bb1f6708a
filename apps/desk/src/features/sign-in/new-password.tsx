import { useForm } from '@clinic/app/form';
import { PasswordField } from '@clinic/ui/password-field';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
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
    <Section title={t('desk.changePassword')} about={t('desk.changePasswordAbout')}>
      <SendForm
        does={t('desk.changePassword')}
        doing={t('desk.changingPassword')}
        busy={change.pending}
        onSend={change.run}
        outcome={<Outcome of={change} />}
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
      </SendForm>
    </Section>
  );
}
