import { PROVINCES, type Province } from '@clinic/domain';
import type { FieldWords } from '@clinic/ui/field';
import { SelectField } from '@clinic/ui/select-field';
import { t } from '../../messages/t.ts';
import './place-words.ts';

interface ProvinceSelectProps extends FieldWords {
  /** For an address or a health card; on a health card, Other means having none. */
  of: 'address' | 'healthCard';
  /** '' while nothing is chosen. */
  value: Province | '';
  onChange: (province: Province | '') => void;
  id?: string;
}

/** The 13 provinces and territories, and Other. */
export function ProvinceSelect({ of, onChange, ...rest }: ProvinceSelectProps) {
  return (
    <SelectField
      {...rest}
      placeholder={t('places.choose')}
      autoComplete={of === 'address' ? 'address-level1' : 'off'}
      options={PROVINCES.map((province) => ({ value: province, label: nameOf(province, of) }))}
      onChange={(chosen) => onChange(PROVINCES.find((province) => province === chosen) ?? '')}
    />
  );
}

/** Name of a province; for a health card, Other reads as having no Canadian card. */
export function nameOf(province: Province, of: ProvinceSelectProps['of'] = 'address'): string {
  if (of === 'healthCard' && province === 'Other') return t('places.noCanadianCard');
  return t(`places.province.${province}`);
}
