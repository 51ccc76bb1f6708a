import type { FormState } from '@clinic/app/form';
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
import styles from './immigration.module.css';
import './immigration-words.ts';
import { useMemo } from 'react';
import { countriesByName, type CountrySelectProps } from '../places/country-select.tsx';

interface ImmigrationFieldsProps {
  form: FormState<MedicalProfile>;
}

/** Address and birth, as in the passport. */
export function PersonFields({ form }: ImmigrationFieldsProps) {
  const { gender } = form.values;
  return (
    <Group title={t('immigration.you')}>
      <Text {...wiring(form, 'firstName')} autoComplete="given-name" maxLength={100} />
      <Text {...wiring(form, 'lastName')} autoComplete="family-name" maxLength={100} />
      <Text {...wiring(form, 'address')} autoComplete="street-address" maxLength={200} />
      <Text {...wiring(form, 'city')} autoComplete="address-level2" maxLength={100} />
      <Text {...wiring(form, 'postal')} width="short" autoComplete="postal-code" maxLength={20} />
      <Text
        {...wiring(form, 'phone')}
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
        value={gender === '' ? null : gender}
      />
      <DateField {...wiring(form, 'dob')} years={birthYears(clinicToday())} />
      <PassportCountrySelect {...wiring(form, 'countryOfBirth')} />
    </Group>
  );
}

/** Fields of the passport itself. */
export function PassportFields({ form }: ImmigrationFieldsProps) {
  return (
    <Group title={t('immigration.passport')}>
      <Text
        {...wiring(form, 'passportNumber')}
        width="short"
        autoCapitalize="characters"
        maxLength={40}
      />
      <PassportCountrySelect {...wiring(form, 'issuingCountry')} />
      <DateField {...wiring(form, 'dateOfIssue')} years={issueYears(clinicToday())} />
      <DateField {...wiring(form, 'dateOfExpiry')} years={expiryYears(clinicToday())} />
    </Group>
  );
}

/** The purpose of the exam, and two codes whose defaults suit nearly everybody. */
export function ApplicationFields({ form }: ImmigrationFieldsProps) {
  return (
    <Group title={t('immigration.application')}>
      <SelectField
        {...wiring(form, 'applicationDetails')}
        placeholder={t('immigration.choose')}
        options={VISA_OPTIONS.map((value) => ({ value, label: t(`immigration.visa.${value}`) }))}
      />
      <Text
        {...wiring(form, 'identityDocument')}
        width="short"
        hint={t('immigration.identityDocumentHint')}
        maxLength={10}
      />
      <Text
        {...wiring(form, 'preferredLanguage')}
        width="short"
        hint={t('immigration.preferredLanguageHint')}
        maxLength={10}
      />
      <Text {...wiring(form, 'hearAboutUs')} maxLength={200} />
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

const Text = (props: ComponentProps<typeof TextField>) => (
  <TextField autoComplete="off" {...props} />
);

const wiring = <Field extends MedicalProfileField>(
  form: FormState<MedicalProfile>,
  field: Field,
) => ({
  ...form.field(field),
  label: t(`immigration.${field}`),
});

/** Returns what says a field's value in words. */
export function useWordsOf(of: MedicalProfile): (field: MedicalProfileField) => string {
  const countries = usePassportCountries();
  return (field) => {
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
  };
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
