import type { FormState } from '@clinic/app/form';
import { ACCOUNT_GENDERS, formatPhone, isProvince } from '@clinic/domain';
import { Card } from '@clinic/ui/card';
import { Checkbox } from '@clinic/ui/checkbox';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { t } from '../../messages/t.ts';
import { PharmacyPicker } from '../../shared/pharmacies/pharmacy-picker.tsx';
import { CountrySelect } from '../../shared/places/country-select.tsx';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import styles from './account.module.css';
import type { ProfileDraft } from './profile-draft.ts';
import { labelOf } from './profile-facts.tsx';

/** The fields that a patient may change, in three groups. */
export function ProfileFields({ form }: { form: FormState<ProfileDraft> }) {
  const { values: draft, change } = form;
  const field = <Name extends keyof ProfileDraft>(name: Name) => ({
    ...form.field(name),
    label: labelOf(name),
  });
  const phone = (name: 'mobilePhone' | 'phone') => ({
    ...field(name),
    type: 'tel',
    inputMode: 'numeric' as const,
    width: 'short' as const,
    optional: true,
    hint: t('account.phoneHint'),
    onChange: (typed: string) => change({ [name]: formatPhone(typed) }),
  });
  const province = isProvince(draft.province) ? draft.province : '';
  const { value: hasFamilyDoctor, ...familyDoctor } = field('familyDoctor');

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
          {...familyDoctor}
          label={t('account.familyDoctorLabel')}
          checked={hasFamilyDoctor}
        />
        <PharmacyPicker {...field('pharmacy')} optional />
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
