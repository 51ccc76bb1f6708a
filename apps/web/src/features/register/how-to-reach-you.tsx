import { digitsOf } from '@clinic/domain';
import { fieldLabels } from '@clinic/contract/identity-texts';
import { t } from '../../messages/t.ts';
import { PhonePartsField } from '../../shared/fields/phone-parts-field.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { Group } from './group.tsx';
import { plainText, type SignUpGroup } from './sign-up-fields.ts';

/** At least one of three numbers; when none is there, the first of them says so (§5 Sign-up). */
export function HowToReachYou(group: SignUpGroup) {
  const { typed, errors, change } = group;
  const none = errors.errorOf('phones');
  return (
    <Group title={t('register.reach')} hint={t('register.reachHint')}>
      <PhonePartsField
        id={errors.idOf(none === null ? 'mobilePhone' : 'phones')}
        kind="mobile"
        label={fieldLabels.mobilePhone}
        error={none ?? errors.errorOf('mobilePhone')}
        value={typed.mobilePhone}
        onChange={(mobilePhone) => change({ ...typed, mobilePhone }, 'mobilePhone', 'phones')}
      />
      <PhonePartsField
        id={errors.idOf('phone')}
        kind="home"
        label={fieldLabels.phone}
        error={errors.errorOf('phone')}
        value={typed.phone}
        onChange={(phone) => change({ ...typed, phone }, 'phone', 'phones')}
      />
      <TextField
        {...plainText(group, 'internationalPhone')}
        label={fieldLabels.internationalPhone}
        hint={t('register.internationalHint')}
        type="tel"
        inputMode="numeric"
        autoComplete="tel"
        maxLength={30}
        onChange={(number) =>
          change({ ...typed, internationalPhone: digitsOf(number) }, 'internationalPhone', 'phones')
        }
      />
    </Group>
  );
}
