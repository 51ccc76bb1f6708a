import type { CallInput } from '@clinic/contract';
import { PROVINCES } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { t } from '../words.ts';

/** Who a patient is, as it is typed. */
export interface Details {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  /** '' when no card is entered. */
  readonly province: string;
  readonly number: string;
}

type Written = Omit<CallInput<'deskAddPatient'>['body'], 'requestId'>;

export const bodyOf = ({ firstName, lastName, birthDate, province, number }: Details): Written => ({
  firstName,
  lastName,
  birthDate,
  ...(province !== '' && { card: { province, number } }),
});

interface DetailFieldsProps {
  details: Details;
  /** Placeholder of the province field, which says what it means to enter no card. */
  noCard: string;
  onChange: (details: Details) => void;
  errorOf: (field: string) => string | undefined;
}

export function DetailFields({ details, noCard, onChange, errorOf }: DetailFieldsProps) {
  const { firstName, lastName, birthDate, province, number } = details;
  return (
    <>
      <TextField
        label={t('desk.firstName')}
        required
        autoComplete="off"
        maxLength={100}
        error={errorOf('firstName')}
        value={firstName}
        onChange={(value) => onChange({ ...details, firstName: value })}
      />
      <TextField
        label={t('desk.lastName')}
        required
        autoComplete="off"
        maxLength={100}
        error={errorOf('lastName')}
        value={lastName}
        onChange={(value) => onChange({ ...details, lastName: value })}
      />
      <TextField
        type="date"
        label={t('desk.dateOfBirth')}
        required
        width="short"
        error={errorOf('birthDate')}
        value={birthDate}
        onChange={(value) => onChange({ ...details, birthDate: value })}
      />
      <SelectField
        label={t('desk.cardProvince')}
        placeholder={noCard}
        options={PROVINCES.map((each) => ({
          value: each,
          label: each === 'Other' ? t('desk.cardNoneHere') : each,
        }))}
        error={errorOf('card.province')}
        value={province}
        onChange={(value) => onChange({ ...details, province: value })}
      />
      {province !== '' && province !== 'Other' && (
        <TextField
          label={t('desk.cardNumber')}
          required
          autoComplete="off"
          maxLength={40}
          error={errorOf('card.number')}
          value={number}
          onChange={(value) => onChange({ ...details, number: value })}
        />
      )}
    </>
  );
}
