import type { ApiOpenedAppointment } from '@clinic/contract';
import { FEE_MEANS, type FeeMeans, REFUND_REASONS, type RefundReason } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ask } from '../api.ts';
import { Failed, useDeskAction } from '../desk-action.tsx';
import { useMay } from '../may.ts';
import office from '../office.module.css';
import { DeskDialog, LeaveButton } from '../under-way.tsx';
import { locale, t } from '../words.ts';
import styles from './booking.module.css';

interface FeeProps {
  id: string;
  fee: NonNullable<ApiOpenedAppointment['feeAtClinic']>;
}

/** A fee that is paid at the clinic: staff record its payment, and its return. */
export function FeeAtClinic({ id, fee }: FeeProps) {
  const mayNote = useMay()('takeFee');
  const [isGivingBack, setGivingBack] = useState(false);
  // Held here, because the form gives way once its note is read again.
  const [isTaken, setTaken] = useState(false);
  const [noted, setNoted] = useState(0);
  const amount = formatMoney(locale, fee.cents);
  const { taken, givenBack } = fee;
  if (taken === undefined && !isTaken)
    return mayNote ? (
      <TakeFee id={id} amount={amount} onTaken={() => setTaken(true)} />
    ) : (
      <p>{t('desk.feeDueAmount', { fee: amount })}</p>
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
      {isGivingBack && (
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
  const [chosen, setChosen] = useState('');
  const means = FEE_MEANS.find((each) => each === chosen);
  const take = useDeskAction({
    work: (by: FeeMeans) => ask('deskTakeFee', { params: { id }, body: { means: by } }),
    onSuccess: onTaken,
    shows: whereShown(id),
  });
  return (
    <form
      className={styles.override}
      data-acts-on={`${id} ${amount}`}
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
        options={meansToChoose()}
        value={chosen}
        onChange={setChosen}
      />
      <div>
        <Button type="submit" busy={take.isPending} busyLabel={t('desk.takingFee')}>
          {t('desk.takeFee')}
        </Button>
      </div>
      <Failed of={take} />
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
  const [chosen, setChosen] = useState({ means: '', reason: '' });
  const means = FEE_MEANS.find((each) => each === chosen.means);
  const reason = REFUND_REASONS.find((each) => each === chosen.reason);
  const note = useDeskAction({
    work: (body: { means: FeeMeans; reason: RefundReason }) =>
      ask('deskFeeBack', { params: { id }, body }),
    onSuccess: onNoted,
    shows: whereShown(id),
    unknown: t('desk.feeBackUnknown'),
  });
  return (
    <DeskDialog
      title={t('desk.feeBackTitle', { fee: formatMoney(locale, cents) })}
      actsOn={`${id} ${cents}`}
      onClose={onClose}
    >
      <form
        className={classNames(office.section, office.inDialog)}
        onSubmit={(event) => {
          event.preventDefault();
          if (means && reason && !note.isPending) note.mutate({ means, reason });
        }}
      >
        <p>{t('desk.feeBackAbout')}</p>
        <SelectField
          label={t('desk.feeBackMeans')}
          placeholder={t('desk.feeMeansChoose')}
          required
          data-autofocus=""
          options={meansToChoose()}
          value={chosen.means}
          onChange={(next) => setChosen({ ...chosen, means: next })}
        />
        <SelectField
          label={t('desk.money.reason')}
          placeholder={t('desk.money.reasonChoose')}
          required
          options={REFUND_REASONS.map((each) => ({
            value: each,
            label: t(`desk.money.reason.${each}`),
          }))}
          value={chosen.reason}
          onChange={(next) => setChosen({ ...chosen, reason: next })}
        />
        <Failed of={note} />
        <div className={office.buttons}>
          <Button type="submit" busy={note.isPending} busyLabel={t('desk.takingFee')}>
            {t('desk.feeBackNote')}
          </Button>
          <LeaveButton onClick={onClose}>{t('desk.close')}</LeaveButton>
        </div>
      </form>
    </DeskDialog>
  );
}
