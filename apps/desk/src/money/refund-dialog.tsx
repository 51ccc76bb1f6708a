import type { ApiMoneyRow } from '@clinic/contract';
import { type MoneyState, REFUND_REASONS, type RefundReason } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { Dialog } from '@clinic/ui/dialog';
import { SelectField } from '@clinic/ui/select-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, isUnknown } from '../api.ts';
import styles from '../office.module.css';
import { locale, t } from '../words.ts';

interface RefundDialogProps {
  row: ApiMoneyRow;
  onClose: () => void;
  /** Receives the state of the payment afterwards. */
  onDone: (state: MoneyState) => void;
}

/** Gives a fee back after staff have given a reason. */
export function RefundDialog({ row, onClose, onDone }: RefundDialogProps) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState('');
  const reason = REFUND_REASONS.find((each) => each === chosen);
  const refund = useMutation({
    mutationFn: (why: RefundReason) =>
      ask('deskRefund', { params: { id: row.id }, body: { reason: why } }),
    onSuccess: ({ extras }) => onDone(extras.state),
    onSettled: () => queries.invalidateQueries({ queryKey: ['money'] }),
  });
  const amount = formatMoney(locale, row.cents);
  return (
    <Dialog
      title={t('desk.money.giveBackTitle', { amount })}
      onClose={refund.isPending ? undefined : onClose}
    >
      <form
        className={classNames(styles.section, styles.inDialog)}
        onSubmit={(event) => {
          event.preventDefault();
          if (reason && !refund.isPending) refund.mutate(reason);
        }}
      >
        <p>{t('desk.money.giveBackAbout', { patient: row.patient })}</p>
        <SelectField
          label={t('desk.money.reason')}
          placeholder={t('desk.money.reasonChoose')}
          required
          data-autofocus=""
          options={REFUND_REASONS.map((each) => ({
            value: each,
            label: t(`desk.money.reason.${each}`),
          }))}
          value={chosen}
          onChange={setChosen}
        />
        <ActionOutcome press={refund.submittedAt}>
          {refund.error && why(refund.error)}
        </ActionOutcome>
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant="danger"
            busy={refund.isPending}
            busyLabel={t('desk.money.givingBack')}
          >
            {t('desk.money.giveBack')}
          </Button>
          <Button variant="secondary" disabled={refund.isPending} onClick={onClose}>
            {t('desk.money.keep')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const why = (error: Error): string =>
  isUnknown(error) ? t('desk.money.refundUnknown') : error.message;
