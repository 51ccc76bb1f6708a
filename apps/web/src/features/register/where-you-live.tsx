import { isProvince } from '@clinic/domain';
import { fieldLabels } from '@clinic/contract/identity-texts';
import { t } from '../../messages/t.ts';
import { CountrySelect } from '../../shared/places/country-select.tsx';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { Group } from './group.tsx';
import { inCountry } from './sign-up-changes.ts';
import { plainText, type SignUpGroup } from './sign-up-fields.ts';

const CARD = ['healthCardProvince', 'healthCardNumber', 'healthCardNumberConfirm'] as const;

/** Country, address, city, province and postal code. */
export function WhereYouLive(group: SignUpGroup) {
  const { typed, errors, change } = group;
  return (
    <Group title={t('register.place')}>
      <CountrySelect
        id={errors.idOf('country')}
        label={fieldLabels.country}
        error={errors.errorOf('country')}
        value={typed.country}
        onChange={(country) => change(inCountry(typed, country), 'country', ...CARD)}
      />
      <TextField
        {...plainText(group, 'address')}
        label={fieldLabels.address}
        autoComplete="address-line1"
        maxLength={200}
      />
      <TextField
        {...plainText(group, 'city')}
        label={fieldLabels.city}
        autoComplete="address-level2"
        maxLength={100}
      />
      <ProvinceSelect
        of="address"
        id={errors.idOf('province')}
        label={fieldLabels.province}
        error={errors.errorOf('province')}
        value={isProvince(typed.province) ? typed.province : ''}
        onChange={(province) => change({ ...typed, province }, 'province')}
      />
      <TextField
        {...plainText(group, 'postal')}
        label={fieldLabels.postal}
        hint={t('register.postalHint')}
        autoComplete="postal-code"
        autoCapitalize="characters"
        width="short"
        maxLength={20}
      />
    </Group>
  );
}
