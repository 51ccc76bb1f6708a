import { EARLIEST_ISSUE, type MedicalProfileRefusal } from '@clinic/domain';
import { immigration } from '../../messages/en/immigration.ts';
import { loadMessages, t } from '../../messages/t.ts';

// The form comes late in the journey, so it loads its own words.
await loadMessages({ immigration });

/** The error text of a refused field. */
export function refusalWords({ field, code }: MedicalProfileRefusal): string {
  switch (code) {
    case 'empty':
      return t('immigration.empty');
    case 'invalid':
      return invalidWords(field);
    case 'noNumber':
      return t('immigration.phoneNoNumber');
    case 'tooEarly':
    case 'inFuture':
      return t('immigration.issueOutOfRange', { from: EARLIEST_ISSUE });
    case 'notBeforeExpiry':
      return t('immigration.issueNotBefore');
    case 'expired':
      return t('immigration.expired');
    case 'tooLate':
      return t('immigration.expiryTooLate');
  }
}

function invalidWords(field: MedicalProfileRefusal['field']): string {
  if (field === 'passportNumber') return t('immigration.passportInvalid');
  if (field === 'phone') return t('immigration.phoneNotDigits');
  if (field === 'dob') return t('immigration.birthDate');
  return field.startsWith('date') ? t('immigration.noDate') : t('immigration.invalid');
}
