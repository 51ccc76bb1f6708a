import {
  birthYears,
  calendarDate,
  expiryYears,
  issueYears,
  PASSPORT_GENDERS,
  VISA_OPTIONS,
  type MedicalProfile,
  type MedicalProfileField,
  ICAO_EXTRAS,
} from '@clinic/domain';
import { formatLongDate } from '@clinic/texts';
import { DateField } from '@clinic/ui/date-field';
import { RadioRows } from '@clinic/ui/radio-cards';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import type { ComponentProps, ReactNode } from 'react';
import { t, locale } from '../../messages/t.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import type { FormErrors } from '../forms/form-errors.ts';
import styles from './immigration.module.css';
import './immigration-words.ts';
import { useMemo } from 'react';
import { countriesByName, type CountrySelectProps } from '../places/country-select.tsx';

interface ImmigrationFieldsProps {
  profile: MedicalProfile;
  errors: FormErrors<MedicalProfileField>;
  change: (part: Partial<MedicalProfile>) => void;
}

/** Address and birth, as in the passport. */
export function PersonFields(form: ImmigrationFieldsProps) {
  const { profile, change } = form;
  return (
    <Group title={t('immigration.you')}>
      <Text {...form} field="firstName" autoComplete="given-name" maxLength={100} />
      <Text {...form} field="lastName" autoComplete="family-name" maxLength={100} />
      <Text {...form} field="address" autoComplete="street-address" maxLength={200} />
      <Text {...form} field="city" autoComplete="address-level2" maxLength={100} />
      <Text {...form} field="postal" width="short" autoComplete="postal-code" maxLength={20} />
      <Text
        {...form}
        field="phone"
        width="short"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        hint={t('immigration.phoneHint')}
        maxLength={30}
      />
      <RadioRows
        {...wiring(form, 'gender')}
        options={PASSPORT_GENDERS.map((value) => ({
          value,
          label: t(`immigration.gender.${value}`),
        }))}
        value={profile.gender === '' ? null : profile.gender}
        onChange={(gender) => change({ gender })}
      />
      <DateField
        {...wiring(form, 'dob')}
        years={birthYears(clinicToday())}
        value={profile.dob}
        onChange={(dob) => change({ dob })}
      />
      <PassportCountrySelect
        {...wiring(form, 'countryOfBirth')}
        value={profile.countryOfBirth}
        onChange={(countryOfBirth) => change({ countryOfBirth })}
      />
    </Group>
  );
}

/** Fields of the passport itself. */
export function PassportFields(form: ImmigrationFieldsProps) {
  const { profile, change } = form;
  return (
    <Group title={t('immigration.passport')}>
      <Text
        {...form}
        field="passportNumber"
        width="short"
        autoCapitalize="characters"
        maxLength={40}
      />
      <PassportCountrySelect
        {...wiring(form, 'issuingCountry')}
        value={profile.issuingCountry}
        onChange={(issuingCountry) => change({ issuingCountry })}
      />
      <DateField
        {...wiring(form, 'dateOfIssue')}
        years={issueYears(clinicToday())}
        value={profile.dateOfIssue}
        onChange={(dateOfIssue) => change({ dateOfIssue })}
      />
      <DateField
        {...wiring(form, 'dateOfExpiry')}
        years={expiryYears(clinicToday())}
        value={profile.dateOfExpiry}
        onChange={(dateOfExpiry) => change({ dateOfExpiry })}
      />
    </Group>
  );
}

/** The purpose of the exam, and two codes whose defaults suit nearly everybody. */
export function ApplicationFields(form: ImmigrationFieldsProps) {
  const { profile, change } = form;
  return (
    <Group title={t('immigration.application')}>
      <SelectField
        {...wiring(form, 'applicationDetails')}
        placeholder={t('immigration.choose')}
        options={VISA_OPTIONS.map((value) => ({ value, label: t(`immigration.visa.${value}`) }))}
        value={profile.applicationDetails}
        onChange={(chosen) =>
          change({ applicationDetails: VISA_OPTIONS.find((one) => one === chosen) ?? '' })
        }
      />
      <Text
        {...form}
        field="identityDocument"
        width="short"
        hint={t('immigration.identityDocumentHint')}
        maxLength={10}
      />
      <Text
        {...form}
        field="preferredLanguage"
        width="short"
        hint={t('immigration.preferredLanguageHint')}
        maxLength={10}
      />
      <Text {...form} field="hearAboutUs" maxLength={200} />
    </Group>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  );
}

type TextName = Exclude<
  MedicalProfileField,
  | 'gender'
  | 'dob'
  | 'countryOfBirth'
  | 'issuingCountry'
  | 'applicationDetails'
  | 'dateOfIssue'
  | 'dateOfExpiry'
>;

interface TextProps
  extends
    ImmigrationFieldsProps,
    Omit<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange'> {
  field: TextName;
}

function Text({ field, profile, errors, change, ...rest }: TextProps) {
  return (
    <TextField
      autoComplete="off"
      {...rest}
      {...wiring({ errors }, field)}
      value={profile[field]}
      onChange={(text) => change({ [field]: text })}
    />
  );
}

const wiring = (
  { errors }: Pick<ImmigrationFieldsProps, 'errors'>,
  field: MedicalProfileField,
) => ({
  id: errors.idOf(field),
  label: t(`immigration.${field}`),
  error: errors.errorOf(field),
});

/** A field's value in words. */
export function ValueOf({ field, of }: { field: MedicalProfileField; of: MedicalProfile }) {
  const countries = usePassportCountries();
  switch (field) {
    case 'gender':
      return of.gender === '' ? '–' : t(`immigration.gender.${of.gender}`);
    case 'applicationDetails':
      return of.applicationDetails === '' ? '–' : t(`immigration.visa.${of.applicationDetails}`);
    case 'dob':
    case 'dateOfIssue':
    case 'dateOfExpiry': {
      const { year, month, day } = of[field];
      const date = calendarDate(year, month, day);
      return date === null ? '–' : formatLongDate(locale(), date);
    }
    case 'countryOfBirth':
    case 'issuingCountry':
      return countries.find(({ value }) => value === of[field])?.label ?? of[field];
    default:
      return of[field] || '–';
  }
}

/** A country by its code, as passports name it, or an issuer that is no country. */
export function PassportCountrySelect(props: CountrySelectProps) {
  const options = usePassportCountries();
  return (
    <SelectField
      {...props}
      placeholder={t('immigration.choose')}
      autoComplete="off"
      options={options}
    />
  );
}

function usePassportCountries() {
  const language = locale();
  return useMemo(
    () => [
      ...countriesByName(language).map(({ country, label }) => ({ value: country.code, label })),
      ...ICAO_EXTRAS.map((code) => ({ value: code, label: t(`immigration.issuer.${code}`) })),
    ],
    [language],
  );
}
