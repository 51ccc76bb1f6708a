import { ICAO_EXTRAS } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { t } from '../../messages/t.ts';
import { countriesByName, type CountrySelectProps } from '../places/country-select.tsx';
import './immigration-words.ts';

/** A country as passports name it, by its code, with those that are no country. */
export function PassportCountrySelect(props: CountrySelectProps) {
  return (
    <SelectField
      {...props}
      placeholder={t('immigration.choose')}
      autoComplete="off"
      options={[
        ...countriesByName().map(({ country, label }) => ({ value: country.code, label })),
        ...ICAO_EXTRAS.map((code) => ({ value: code, label: t(`immigration.issuer.${code}`) })),
      ]}
    />
  );
}
