import type { ApiOpenedAppointment } from '@clinic/contract';
import { FEE_MEANS } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { locale, t } from '../words.ts';
import styles from './booking.module.css';

interface TakeFeeProps {
  id: string;
  fee: NonNullable<ApiOpenedAppointment['feeAtClinic']>;
}

/** A fee that is due at the clinic: noted once it was taken, and how. */
export function TakeFee({ id, fee }: TakeFeeProps) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState('');
  const means = FEE_MEANS.find((each) => each === chosen);
  const take = useMutation({
    mutationFn: (by: (typeof FEE_MEANS)[number]) =>
      ask('deskTakeFee', { params: { id }, body: { means: by } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['day'] }),
        queries.invalidateQueries({ queryKey: ['appointment', id] }),
      ]),
  });
  const amount = formatMoney(locale, fee.cents);
  if (fee.taken)
    return (
      <p>{t('desk.feeTakenAmount', { fee: amount, means: t(`desk.means.${fee.taken.means}`) })}</p>
    );
  return (
    <form
      className={styles.override}
      onSubmit={(event) => {
        event.preventDefault();
        if (means && !take.isPending) take.mutate(means);
      }}
    >
      <p>{t('desk.feeDueAmount', { fee: amount })}</p>
      <SelectField
        label={t('desk.feeMeans')}
        placeholder={t('desk.feeMeansChoose')}
        required
        options={FEE_MEANS.map((each) => ({ value: each, label: t(`desk.means.${each}`) }))}
        value={chosen}
        onChange={setChosen}
      />
      <div>
        <Button type="submit" busy={take.isPending} busyLabel={t('desk.takingFee')}>
          {t('desk.takeFee')}
        </Button>
      </div>
      <ActionOutcome press={take.submittedAt}>{take.error?.message}</ActionOutcome>
    </form>
  );
}
