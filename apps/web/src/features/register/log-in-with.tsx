import { fieldLabels } from '@clinic/contract/identity-texts';
import { t } from '../../messages/t.ts';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { Group } from './group.tsx';
import { plainText, type SignUpGroup } from './sign-up-fields.ts';

const address = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 254,
} as const;

/** E-mail and password, each twice; everything may be pasted. */
export function LogInWith(group: SignUpGroup) {
  return (
    <Group title={t('register.logInWith')}>
      <TextField
        {...address}
        {...plainText(group, 'email')}
        label={fieldLabels.email}
        hint={t('register.emailHint')}
      />
      <TextField
        {...address}
        {...plainText(group, 'emailConfirm')}
        label={t('register.confirmField', { field: fieldLabels.email })}
      />
      <PasswordField
        {...plainText(group, 'password')}
        label={fieldLabels.password}
        hint={t('register.passwordHint')}
        autoComplete="new-password"
        maxLength={256}
      />
      <PasswordField
        {...plainText(group, 'passwordConfirm')}
        label={t('register.confirmField', { field: fieldLabels.password })}
        autoComplete="new-password"
        maxLength={256}
      />
    </Group>
  );
}
