import type { ApiOpenedAppointment } from '@clinic/contract';
import { FEE_MEANS, type FeeMeans, REFUND_REASONS, type RefundReason } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { ask } from '../api.ts';
import { Outcome, useAction } from '../desk-action.tsx';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import styles from './booking.module.css';

interface FeeProps {
  id: string;
  /** Undefined while it is known alone that one is due. */
  fee: NonNullable<ApiOpenedAppointment['feeAtClinic']> | undefined;
}

/** A fee that is paid at the clinic: staff record its payment, and its return. */
export function FeeAtClinic({ id, fee }: FeeProps) {
  const mayNote = useMay()('takeFee');
  const [isGivingBack, setGivingBack] = useState(false);
  // Held here, because the form gives way once its note is read again.
  const [isTaken, setTaken] = useState(false);
  const [noted, setNoted] = useState(0);
  const amount = fee ? formatMoney(locale, fee.cents) : '';
  const { taken, givenBack } = fee ?? {};
  if (taken === undefined && !isTaken)
    return mayNote ? (
      <TakeFee id={id} amount={amount} onTaken={() => setTaken(true)} />
    ) : (
      <p>{amount === '' ? t('desk.feeDue') : t('desk.feeDueAmount', { fee: amount })}</p>
    );
  return (
    <div className={styles.stack}>
      {taken && (
        <p>{t('desk.feeTakenAmount', { fee: amount, means: t(`desk.means.${taken.means}`) })}</p>
      )}
      {isTaken && noted === 0 && (
        <ActionOutcome press={0} kind="good">
          {t('desk.feeTakenNoted', { fee: amount })}
        </ActionOutcome>
      )}
      {givenBack && (
        <p>
          {t('desk.feeBackAmount', {
            means: t(`desk.means.${givenBack.means}`),
            when: formatMoment(locale, givenBack.at),
            reason: t(`desk.money.reason.${givenBack.reason}`),
          })}
        </p>
      )}
      {taken && !givenBack && mayNote && noted === 0 && (
        <div>
          <Button variant="secondary" onClick={() => setGivingBack(true)}>
            {t('desk.feeBack')}
          </Button>
        </div>
      )}
      {noted > 0 && (
        <ActionOutcome press={noted} kind="good">
          {t('desk.feeBackNoted', { fee: amount })}
        </ActionOutcome>
      )}
      {isGivingBack && fee && (
        <FeeBackDialog
          id={id}
          cents={fee.cents}
          onClose={() => setGivingBack(false)}
          onNoted={() => {
            setGivingBack(false);
            setNoted((before) => before + 1);
          }}
        />
      )}
    </div>
  );
}

/** Everything that shows the fee. */
const whereShown = (id: string) => [['day'], ['appointment', id], ['money']];

const meansToChoose = () =>
  FEE_MEANS.map((each) => ({ value: each, label: t(`desk.means.${each}`) }));

interface TakeFeeProps {
  /** The appointment's id. */
  id: string;
  amount: string;
  onTaken: () => void;
}

function TakeFee({ id, amount, onTaken }: TakeFeeProps) {
  const [means, setMeans] = useState<FeeMeans | ''>('');
  const take = useAction({
    work: (by: FeeMeans) => ask('deskTakeFee', { params: { id }, body: { means: by } }),
    onDone: onTaken,
    shows: whereShown(id),
  });
  return (
    <form
      className={styles.override}
      data-acts-on={`${id} ${amount}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (means && !take.pending) take.run(means);
      }}
    >
      <p>{amount === '' ? t('desk.feeDue') : t('desk.feeDueAmount', { fee: amount })}</p>
      <SelectField
        label={t('desk.feeMeans')}
        placeholder={t('desk.feeMeansChoose')}
        required
        options={meansToChoose()}
        value={means}
        onChange={setMeans}
      />
      <div>
        <Button type="submit" busy={take.pending} busyLabel={t('desk.takingFee')}>
          {t('desk.takeFee')}
        </Button>
      </div>
      <Outcome of={take} />
    </form>
  );
}

interface FeeBackProps {
  /** The appointment's id. */
  id: string;
  cents: number;
  onClose: () => void;
  onNoted: () => void;
}

/** Records that a fee taken at the clinic was given back there, how and why. */
export function FeeBackDialog({ id, cents, onClose, onNoted }: FeeBackProps) {
  const [means, setMeans] = useState<FeeMeans | ''>('');
  const [reason, setReason] = useState<RefundReason | ''>('');
  return (
    <ActionDialog
      title={t('desk.feeBackTitle', { fee: formatMoney(locale, cents) })}
      actsOn={`${id} ${cents}`}
      does={t('desk.feeBackNote')}
      doing={t('desk.takingFee')}
      leave={t('desk.close')}
      input={means && reason ? { means, reason } : null}
      work={(body) => ask('deskFeeBack', { params: { id }, body })}
      shows={whereShown(id)}
      unknown={t('desk.feeBackUnknown')}
      onDone={onNoted}
      onClose={onClose}
    >
      <p>{t('desk.feeBackAbout')}</p>
      <SelectField
        label={t('desk.feeBackMeans')}
        placeholder={t('desk.feeMeansChoose')}
        required
        data-autofocus=""
        options={meansToChoose()}
        value={means}
        onChange={setMeans}
      />
      <SelectField
        label={t('desk.money.reason')}
        placeholder={t('desk.money.reasonChoose')}
        required
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
