import { COUNTRIES, type Country } from '@clinic/domain';
import { type Locale, regionName } from '@clinic/texts';
import type { FieldWords } from '@clinic/ui/field';
import { SelectField } from '@clinic/ui/select-field';
import { useMemo } from 'react';
import { locale, t } from '../../messages/t.ts';
import './place-words.ts';

export interface CountrySelectProps extends FieldWords {
  value: string;
  onChange: (country: string) => void;
  id?: string;
}

const nameOf = ({ region, name }: Country) => regionName(locale(), region) ?? name;

/** Every country with its name in the given language, sorted by that language's rules. */
export function countriesByName(language: Locale): readonly {
  readonly country: Country;
  readonly label: string;
}[] {
  const { compare } = new Intl.Collator(language);
  return COUNTRIES.map((country) => ({ country, label: nameOf(country) })).sort((one, other) =>
    compare(one.label, other.label),
  );
}

/** Localized name of an address's country, which is stored by its English name. */
export function countryName(kept: string): string {
  const country = COUNTRIES.find(({ name }) => name === kept);
  return country ? nameOf(country) : kept;
}

/** Selects the country of an address. */
export function CountrySelect({ value, ...rest }: CountrySelectProps) {
  const language = locale();
  // Memoized, so that typing elsewhere in the form does not sort the list again.
  const options = useMemo(
    () => countriesByName(language).map(({ country, label }) => ({ value: country.name, label })),
    [language],
  );
  // An account older than the list keeps its country until another is chosen.
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
