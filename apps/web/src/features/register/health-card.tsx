import { asksForCard, isProvince } from '@clinic/domain';
import { fieldLabels } from '@clinic/contract/identity-texts';
import { t } from '../../messages/t.ts';
import { ProvinceSelect } from '../../shared/places/province-select.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { Group } from './group.tsx';
import { cardCharacters, withCardProvince } from './sign-up-changes.ts';
import { plainText, type SignUpGroup } from './sign-up-fields.ts';

const NUMBERS = ['healthCardNumber', 'healthCardNumberConfirm'] as const;

/** The card's province and its number twice; no number without a card, no card abroad (§5, R-63). */
export function HealthCard(group: SignUpGroup) {
  const { typed, errors, change } = group;
  const { healthCardProvince: province } = typed;
  if (!asksForCard(typed))
    return <Group title={t('register.card')} hint={t('register.cardAbroad')} />;

  const letters = cardCharacters(province, 'A') !== '';
  const number = {
    inputMode: letters ? 'text' : 'numeric',
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    maxLength: 40,
  } as const;
  const changeNumber = (name: (typeof NUMBERS)[number]) => (text: string) =>
    change({ ...typed, [name]: cardCharacters(province, text) }, name);
  return (
    <Group title={t('register.card')}>
      <ProvinceSelect
        of="healthCard"
        id={errors.idOf('healthCardProvince')}
        label={fieldLabels.healthCardProvince}
        error={errors.errorOf('healthCardProvince')}
        value={isProvince(province) ? province : ''}
        onChange={(chosen) =>
          change(withCardProvince(typed, chosen), 'healthCardProvince', ...NUMBERS)
        }
      />
      {isProvince(province) && province !== 'Other' && (
        <>
          <TextField
            {...number}
            {...plainText(group, 'healthCardNumber')}
            label={fieldLabels.healthCardNumber}
            hint={t(hintOf(province, letters))}
            onChange={changeNumber('healthCardNumber')}
          />
          <TextField
            {...number}
            {...plainText(group, 'healthCardNumberConfirm')}
            label={t('register.confirmField', { field: fieldLabels.healthCardNumber })}
            onChange={changeNumber('healthCardNumberConfirm')}
          />
        </>
      )}
    </Group>
  );
}

function hintOf(province: string, letters: boolean) {
  if (province === 'ON') return 'register.cardHintOntario';
  return letters ? 'register.cardHintLetters' : 'register.cardHint';
}
