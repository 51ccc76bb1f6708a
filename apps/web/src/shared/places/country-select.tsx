import { COUNTRIES, ICAO_EXTRAS, type Country } from '@clinic/domain';
import type { FieldWords } from '@clinic/ui/field';
import { SelectField } from '@clinic/ui/select-field';
import { t } from '../../messages/t.ts';
import './place-words.ts';

interface CountrySelectProps extends FieldWords {
  value: string;
  onChange: (country: string) => void;
  id?: string;
  disabled?: boolean;
}

const byName = ({ name }: Country) => ({ value: name, label: name });
const byCode = ({ code, name }: Country) => ({ value: code, label: name });

/** The country of an address, by its name; Canada is the first guess of every form. */
export function CountrySelect({ value, ...rest }: CountrySelectProps) {
  const options = COUNTRIES.map(byName);
  // An account of before the list keeps what it says until somebody chooses.
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <SelectField
      {...rest}
      value={value}
      placeholder={t('places.choose')}
      autoComplete="country-name"
      options={known ? options : [{ value, label: value }, ...options]}
    />
  );
}

/** A country as passports name it, by its code, with those that are no country. */
export function PassportCountrySelect(props: CountrySelectProps) {
  return (
    <SelectField
      {...props}
      placeholder={t('places.choose')}
      autoComplete="off"
      options={[...COUNTRIES, ...ICAO_EXTRAS].map(byCode)}
    />
  );
}
