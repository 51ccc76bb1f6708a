import { ACCOUNT_GENDERS, formatPhone, isProvince } from '@clinic/domain';
import { Card } from '@clinic/ui/card';
import { Checkbox } from '@clinic/ui/checkbox';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { t } from '../../messages/t.ts';
import type { FormErrors } from '../../shared/forms/form-errors.ts';
import { PharmacyPicker } from '../../shared/pharmacies/pharmacy-picker.tsx';
import { CountrySelect } from '../../shared/places/country-select.tsx';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import styles from './account.module.css';
import type { DraftField, ProfileDraft } from './profile-draft.ts';

interface ProfileFieldsProps {
  draft: ProfileDraft;
  errors: FormErrors<DraftField>;
  onChange: (part: Partial<ProfileDraft>) => void;
}

/** The label of a field, in the form and in the error summary. */
export function labelOf(name: DraftField): string {
  if (name === 'sex') return t('account.gender');
  return t(`account.${name === 'phone' ? 'homePhone' : name}`);
}

/** The fields that a patient may change, in three groups. */
export function ProfileFields({ draft, errors, onChange }: ProfileFieldsProps) {
  const field = (name: DraftField) => ({
    id: errors.idOf(name),
    label: labelOf(name),
    error: errors.errorOf(name),
    value: draft[name],
    onChange: (value: string) => {
      onChange({ [name]: value });
      errors.edited(name);
    },
  });
  const phone = (name: 'mobilePhone' | 'phone') => ({
    ...field(name),
    type: 'tel',
    inputMode: 'numeric' as const,
    width: 'short' as const,
    optional: true,
    hint: t('account.phoneHint'),
    onChange: (typed: string) => {
      onChange({ [name]: formatPhone(typed) });
      errors.edited(name);
    },
  });
  const province = isProvince(draft.province) ? draft.province : '';

  return (
    <>
      <Card as="section" className={styles.group} aria-labelledby="account-where">
        <h3 id="account-where">{t('account.where')}</h3>
        <TextField {...field('address')} autoComplete="street-address" maxLength={200} />
        <TextField {...field('city')} autoComplete="address-level2" maxLength={100} />
        <ProvinceSelect {...field('province')} of="address" value={province} />
        <TextField {...field('postal')} autoComplete="postal-code" width="short" maxLength={20} />
        <CountrySelect {...field('country')} />
      </Card>
      <Card as="section" className={styles.group} aria-labelledby="account-contact">
        <div>
          <h3 id="account-contact">{t('account.contact')}</h3>
          <p className={styles.note}>{t('account.onePhone')}</p>
        </div>
        <TextField {...phone('mobilePhone')} autoComplete="mobile tel-national" />
        <TextField {...phone('phone')} autoComplete="home tel-national" />
        <TextField
          {...field('internationalPhone')}
          hint={t('account.internationalHint')}
          type="tel"
          inputMode="tel"
          width="short"
          optional
          autoComplete="tel"
        />
      </Card>
      <Card as="section" className={styles.group} aria-labelledby="account-care">
        <h3 id="account-care">{t('account.care')}</h3>
        <SelectField {...field('sex')} autoComplete="sex" options={genderOptions(draft.sex)} />
        <Checkbox
          label={t('account.familyDoctorLabel')}
          checked={draft.familyDoctor}
          onChange={(familyDoctor) => onChange({ familyDoctor })}
        />
        <PharmacyPicker
          label={t('account.pharmacy')}
          optional
          value={draft.pharmacy}
          onChange={(pharmacy) => onChange({ pharmacy })}
        />
      </Card>
    </>
  );
}

/** The account's four genders, with no choice made where the clinic's records hold another value. */
function genderOptions(sex: string) {
  const options = ACCOUNT_GENDERS.map((gender) => ({
    value: gender as string,
    label: t(`account.gender.${gender}`),
  }));
  const known = options.some(({ value }) => value === sex);
  return known ? options : [{ value: sex, label: t('account.none') }, ...options];
}
