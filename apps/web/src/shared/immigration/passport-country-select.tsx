import { ICAO_EXTRAS } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { useMemo } from 'react';
import { locale, t } from '../../messages/t.ts';
import { countriesByName, type CountrySelectProps } from '../places/country-select.tsx';
import './immigration-words.ts';

/** A country as passports name it, by its code, with those that are no country. */
export function PassportCountrySelect(props: CountrySelectProps) {
  const language = locale();
  const options = useMemo(
    () => [
      ...countriesByName(language).map(({ country, label }) => ({ value: country.code, label })),
      ...ICAO_EXTRAS.map((code) => ({ value: code, label: t(`immigration.issuer.${code}`) })),
    ],
    [language],
  );
  return (
    <SelectField
      {...props}
      placeholder={t('immigration.choose')}
      autoComplete="off"
      options={options}
    />
  );
}
