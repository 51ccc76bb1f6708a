import type { ApiMoneyRow } from '@clinic/contract';
import { type MoneyState, REFUND_REASONS, type RefundReason } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { locale, t } from '../../shared/words.ts';

interface RefundDialogProps {
  row: ApiMoneyRow;
  onClose: () => void;
  /** Receives the state of the payment afterwards. */
  onDone: (state: MoneyState) => void;
}

/** Gives a fee back after staff have given a reason. */
export function RefundDialog({ row, onClose, onDone }: RefundDialogProps) {
  const [reason, setReason] = useState<RefundReason | ''>('');
  return (
    <ActionDialog
      title={t('desk.money.giveBackTitle', { amount: formatMoney(locale(), row.cents) })}
      actsOn={`${row.id} ${row.patient} ${row.cents}`}
      does={t('desk.money.giveBack')}
      doing={t('desk.money.givingBack')}
      isDanger
      input={reason || null}
      work={(why) => ask('deskRefund', { params: { id: row.id }, body: { reason: why } })}
      shows={[['money']]}
      unknown={t('desk.money.refundUnknown')}
      onDone={({ extras }) => onDone(extras.state)}
      onClose={onClose}
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
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  );
}
