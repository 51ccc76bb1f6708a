import { clinicNow } from '@clinic/app/clock';
import type { ApiOpenedAppointment } from '@clinic/contract';
import {
  FEE_MEANS,
  type FeeMeans,
  REFUND_REASONS,
  type RefundReason,
  WAIVE_REASONS,
  type WaiveReason,
  feeStateOf,
  strikeableOf,
} from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import type { QueryKey } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { ask } from '../api.ts';
import { Outcome, useAction, useSaid } from '../desk-action.tsx';
import { useMay } from '../may.ts';
import { locale, t } from '../words.ts';
import styles from './booking.module.css';

interface FeeProps {
  id: string;
  /** Undefined while it is known alone that one is due. */
  fee: NonNullable<ApiOpenedAppointment['feeAtClinic']> | undefined;
}

/** A fee that is paid at the clinic: staff note that it was taken, waived or given back, and strike a note. */
export function FeeAtClinic({ id, fee }: FeeProps) {
  const mayNote = useMay()('takeFee');
  const [asks, setAsks] = useState<'waive' | 'giveBack'>();
  const Asked = asks && { waive: WaiveDialog, giveBack: FeeBackDialog }[asks];
  const notedAs = asks === 'waive' ? 'desk.feeWaivedNoted' : 'desk.feeBackNoted';
  // Held here, because what was pressed gives way once its note is read again.
  const [said, say] = useSaid();
  const amount = fee ? formatMoney(locale(), fee.cents) : '';
  const state = fee ? feeStateOf(fee) : 'due';
  const { taken, waived, givenBack } = fee ?? {};
  const struckAt = fee ? strikeableOf(fee, clinicNow()) : null;
  const strike = useAction({
    work: (at: number) => ask('deskStrikeFee', { params: { id }, body: { at } }),
    onDone: () => say(t('desk.feeStruck', { fee: amount })),
    shows: whereShown(id),
  });
  return (
    <div className={styles.stack}>
      {state === 'due' && mayNote && (
        <TakeFee
          id={id}
          amount={amount}
          onTaken={() => say(t('desk.feeTakenNoted', { fee: amount }))}
          onWaive={fee && (() => setAsks('waive'))}
        />
      )}
      {state === 'due' && !mayNote && <p>{dueText(amount)}</p>}
      {taken && (
        <p>{t('desk.feeTakenAmount', { fee: amount, means: t(`desk.means.${taken.means}`) })}</p>
      )}
      {waived && (
        <p>
          {t('desk.feeWaivedAmount', {
            fee: amount,
            when: formatMoment(locale(), waived.at),
            reason: t(`desk.waive.${waived.reason}`),
          })}
        </p>
      )}
      {givenBack && (
        <p>
          {t('desk.feeBackAmount', {
            means: t(`desk.means.${givenBack.means}`),
            when: formatMoment(locale(), givenBack.at),
            reason: t(`desk.money.reason.${givenBack.reason}`),
          })}
        </p>
      )}
      {said}
      {mayNote && (state === 'taken' || struckAt !== null) && (
        <div className={styles.buttons}>
          {state === 'taken' && (
            <Button variant="secondary" onClick={() => setAsks('giveBack')}>
              {t('desk.feeBack')}
            </Button>
          )}
          {struckAt !== null && (
            <Button
              variant="quiet"
              actsOn={`${id} ${struckAt}`}
              busy={strike.pending}
              busyLabel={t('desk.takingFee')}
              onClick={() => strike.run(struckAt)}
            >
              {t(taken ? 'desk.feeNotTaken' : 'desk.feeNotWaived')}
            </Button>
          )}
        </div>
      )}
      <Outcome of={strike} />
      {Asked && fee && (
        <Asked
          id={id}
          cents={fee.cents}
          onClose={() => setAsks(undefined)}
          onNoted={() => {
            setAsks(undefined);
            say(t(notedAs, { fee: amount }));
          }}
        />
      )}
    </div>
  );
}

const dueText = (amount: string) =>
  amount === '' ? t('desk.feeDue') : t('desk.feeDueAmount', { fee: amount });

/** Everything that shows the fee. */
const whereShown = (id: string) => [['day'], ['appointment', id], ['money']];

const meansToChoose = () =>
  FEE_MEANS.map((each) => ({ value: each, label: t(`desk.means.${each}`) }));

interface TakeFeeProps {
  /** The appointment's id. */
  id: string;
  amount: string;
  onTaken: () => void;
  onWaive: (() => void) | undefined;
}

function TakeFee({ id, amount, onTaken, onWaive }: TakeFeeProps) {
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
      <p>{dueText(amount)}</p>
      <SelectField
        label={t('desk.feeMeans')}
        placeholder={t('desk.feeMeansChoose')}
        required
        options={meansToChoose()}
        value={means}
        onChange={setMeans}
      />
      <div className={styles.buttons}>
        <Button type="submit" busy={take.pending} busyLabel={t('desk.takingFee')}>
          {t('desk.takeFee')}
        </Button>
        {onWaive && (
          <Button variant="secondary" onClick={onWaive}>
            {t('desk.feeWaive')}
          </Button>
        )}
      </div>
      <Outcome of={take} />
    </form>
  );
}

/** Enter in a choice sends its form. */
function sendByEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface TakeFeeDialogProps extends FeeDialogProps {
  name: string;
  /** What else shows the fee. */
  shows: readonly QueryKey[];
}

/** Notes that a fee was taken, where its appointment is not open. */
export function TakeFeeDialog({ name, shows, ...dialog }: TakeFeeDialogProps) {
  const { id, cents } = dialog;
  const [means, setMeans] = useState<FeeMeans | ''>('');
  return (
    <ActionDialog
      title={t('desk.takeFeeTitle', { fee: formatMoney(locale(), cents), name })}
      {...notingOf(dialog)}
      does={t('desk.takeFee')}
      input={means ? { means } : null}
      work={(body) => ask('deskTakeFee', { params: { id }, body })}
      shows={[...whereShown(id), ...shows]}
    >
      <SelectField
        label={t('desk.feeMeans')}
        placeholder={t('desk.feeMeansChoose')}
        required
        data-autofocus=""
        options={meansToChoose()}
        value={means}
        onChange={setMeans}
        onKeyDown={sendByEnter}
      />
    </ActionDialog>
  );
}

interface FeeDialogProps {
  /** The appointment's id. */
  id: string;
  cents: number;
  onClose: () => void;
  onNoted: () => void;
}

/** What the dialogs have in common that note something of a fee. */
const notingOf = ({ id, cents, onNoted, onClose }: FeeDialogProps) => ({
  actsOn: `${id} ${cents}`,
  doing: t('desk.takingFee'),
  leave: t('desk.close'),
  shows: whereShown(id),
  unknown: t('desk.feeBackUnknown'),
  onDone: onNoted,
  onClose,
});

/** Notes that a fee is asked no more, and why. */
function WaiveDialog(dialog: FeeDialogProps) {
  const { id, cents } = dialog;
  const [reason, setReason] = useState<WaiveReason | ''>('');
  return (
    <ActionDialog
      title={t('desk.feeWaiveTitle', { fee: formatMoney(locale(), cents) })}
      {...notingOf(dialog)}
      does={t('desk.feeWaiveIt')}
      input={reason ? { reason } : null}
      work={(body) => ask('deskWaiveFee', { params: { id }, body })}
    >
      <p>{t('desk.feeWaiveAbout')}</p>
      <SelectField
        label={t('desk.overrideReason')}
        placeholder={t('desk.overrideChoose')}
        required
        data-autofocus=""
        options={WAIVE_REASONS.map((each) => ({ value: each, label: t(`desk.waive.${each}`) }))}
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  );
}

/** Records that a fee taken at the clinic was given back there, how and why. */
export function FeeBackDialog(dialog: FeeDialogProps) {
  const { id, cents } = dialog;
  const [means, setMeans] = useState<FeeMeans | ''>('');
  const [reason, setReason] = useState<RefundReason | ''>('');
  return (
    <ActionDialog
      title={t('desk.feeBackTitle', { fee: formatMoney(locale(), cents) })}
      {...notingOf(dialog)}
      does={t('desk.feeBackNote')}
      input={means && reason ? { means, reason } : null}
      work={(body) => ask('deskFeeBack', { params: { id }, body })}
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
