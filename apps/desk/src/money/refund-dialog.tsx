import type { ApiMoneyRow } from '@clinic/contract';
import { type MoneyState, REFUND_REASONS, type RefundReason } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ask } from '../api.ts';
import { Failed, useDeskAction } from '../desk-action.tsx';
import styles from '../office.module.css';
import { DeskDialog, LeaveButton } from '../under-way.tsx';
import { locale, t } from '../words.ts';

interface RefundDialogProps {
  row: ApiMoneyRow;
  onClose: () => void;
  /** Receives the state of the payment afterwards. */
  onDone: (state: MoneyState) => void;
}

/** Gives a fee back after staff have given a reason. */
export function RefundDialog({ row, onClose, onDone }: RefundDialogProps) {
  const [chosen, setChosen] = useState('');
  const reason = REFUND_REASONS.find((each) => each === chosen);
  const refund = useDeskAction({
    work: (why: RefundReason) =>
      ask('deskRefund', { params: { id: row.id }, body: { reason: why } }),
    onSuccess: ({ extras }) => onDone(extras.state),
    shows: [['money']],
    unknown: t('desk.money.refundUnknown'),
  });
  const amount = formatMoney(locale, row.cents);
  return (
    <DeskDialog
      title={t('desk.money.giveBackTitle', { amount })}
      actsOn={`${row.id} ${row.patient} ${row.cents}`}
      onClose={onClose}
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
        <Failed of={refund} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant="danger"
            busy={refund.isPending}
            busyLabel={t('desk.money.givingBack')}
          >
            {t('desk.money.giveBack')}
          </Button>
          <LeaveButton onClick={onClose}>{t('desk.money.keep')}</LeaveButton>
        </div>
      </form>
    </DeskDialog>
  );
}
