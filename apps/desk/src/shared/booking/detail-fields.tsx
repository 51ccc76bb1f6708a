import type { CallInput } from '@clinic/contract';
import { PROVINCES } from '@clinic/domain';
import { SelectField } from '@clinic/ui/select-field';
import { TextField } from '@clinic/ui/text-field';
import { useState } from 'react';
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
  /** The first field that is empty has the focus as the form opens. */
  begins?: boolean;
}

export function DetailFields({
  details,
  noCard,
  onChange,
  errorOf,
  begins = false,
}: DetailFieldsProps) {
  const { province } = details;
  const [first] = useState(() =>
    (['firstName', 'lastName', 'birthDate'] as const).find((name) => details[name] === ''),
  );
  const field = (name: keyof Details, apiName: string = name) => ({
    error: errorOf(apiName),
    value: details[name],
    onChange: (value: string) => onChange({ ...details, [name]: value }),
    ...(begins && name === first && { 'data-autofocus': '' }),
  });
  return (
    <>
      <TextField
        {...field('firstName')}
        label={t('desk.firstName')}
        required
        autoComplete="off"
        maxLength={100}
      />
      <TextField
        {...field('lastName')}
        label={t('desk.lastName')}
        required
        autoComplete="off"
        maxLength={100}
      />
      <TextField
        {...field('birthDate')}
        type="date"
        label={t('desk.dateOfBirth')}
        required
        width="short"
      />
      <SelectField
        {...field('province', 'card.province')}
        label={t('desk.cardProvince')}
        placeholder={noCard}
        options={PROVINCES.map((each) => ({
          value: each,
          label: each === 'Other' ? t('desk.cardNoneHere') : each,
        }))}
      />
      {province !== '' && province !== 'Other' && (
        <TextField
          {...field('number', 'card.number')}
          label={t('desk.cardNumber')}
          required
          autoComplete="off"
          maxLength={40}
        />
      )}
    </>
  );
}
