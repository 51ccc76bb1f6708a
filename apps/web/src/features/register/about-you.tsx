import { SIGN_UP_GENDERS } from '@clinic/domain';
import { fieldLabels } from '@clinic/contract/identity-texts';
import { t } from '../../messages/t.ts';
import { clinicToday } from '../../shared/api/clinic-today.ts';
import { BirthDateField } from '../../shared/fields/birth-date-field.tsx';
import { RadioRows } from '../../shared/ui/radio-cards.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { Group } from './group.tsx';
import { bornOn } from './sign-up-changes.ts';
import { plainText, type SignUpGroup } from './sign-up-fields.ts';

type Gender = (typeof SIGN_UP_GENDERS)[number];

const isGender = (text: string): text is Gender =>
  SIGN_UP_GENDERS.some((gender) => gender === text);

/** Names, gender and birth date. */
export function AboutYou(group: SignUpGroup) {
  const { typed, errors, change } = group;
  return (
    <Group title={t('register.you')} hint={t('register.youHint')}>
      <TextField
        {...plainText(group, 'firstName')}
        label={fieldLabels.firstName}
        autoComplete="given-name"
        maxLength={100}
      />
      <TextField
        {...plainText(group, 'lastName')}
        label={fieldLabels.lastName}
        autoComplete="family-name"
        maxLength={100}
      />
      <RadioRows
        id={errors.idOf('gender')}
        label={fieldLabels.gender}
        error={errors.errorOf('gender')}
        options={SIGN_UP_GENDERS.map((gender) => ({
          value: gender,
          label: t(`register.gender${gender}`),
        }))}
        value={isGender(typed.gender) ? typed.gender : null}
        onChange={(gender) => change({ ...typed, gender }, 'gender')}
      />
      <BirthDateField
        id={errors.idOf('birthDate')}
        hint={t('register.birthDateHint')}
        error={errors.errorOf('birthDate')}
        value={typed.birthDate}
        onChange={(parts) => change(bornOn(typed, parts, clinicToday()), 'birthDate')}
      />
    </Group>
  );
}
