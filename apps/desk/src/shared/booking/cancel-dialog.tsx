import type { ApiSheetAppointment, CallAnswer } from '@clinic/contract';
import { CANCEL_REASONS, HIGH_FEE_CENTS } from '@clinic/domain';
import { formatMoment, formatMoney } from '@clinic/texts';
import { SelectField } from '@clinic/ui/select-field';
import { useState } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { ask } from '../api.ts';
import { locale, t } from '../words.ts';
import { CANCELLING } from './booking-data.ts';

interface CancelDialogProps {
  appointment: ApiSheetAppointment;
  onClose: () => void;
  onCancelled: (answer: CallAnswer<'deskCancelAppointment'>) => unknown;
  onFailed: (error: Error) => unknown;
}

/** Asks who wants to cancel: for the patient, the fee is kept and the patients' rules apply. */
export function CancelDialog({ appointment, onClose, onCancelled, onFailed }: CancelDialogProps) {
  const { id, patient, start, linkUntil, hasAccount, movedByClinic, patientCannotCancel, fee } =
    appointment;
  const [wantedBy, setWantedBy] = useState<'patient' | 'clinic'>('patient');
  const [overrideReason, setReason] = useState<(typeof CANCEL_REASONS)[number] | ''>('');
  const isLink = linkUntil !== null;
  const forPatient = !isLink && wantedBy === 'patient';
  const rule = forPatient ? patientCannotCancel : null;
  const goesBack = !forPatient || movedByClinic;
  const body = rule !== null && overrideReason ? { wantedBy, overrideReason } : { wantedBy };
  return (
    <ActionDialog
      title={t('desk.cancelTitle', { name: patient ?? '', when: formatMoment(locale(), start) })}
      actsOn={`${id} ${patient} ${start} ${fee}`}
      does={t('desk.cancel')}
      doing={t('desk.cancelling')}
      leave={t('desk.cancelKeep')}
      isDanger
      mutationKey={CANCELLING}
      input={isLink ? {} : body}
      work={(asked) => ask('deskCancelAppointment', { params: { id }, body: asked })}
      onDone={onCancelled}
      onFailed={onFailed}
      onClose={onClose}
    >
      {!isLink && (
        <SelectField
          label={t('desk.cancelWantedBy')}
          data-autofocus={rule === null ? '' : undefined}
          options={[
            { value: 'patient', label: t('desk.moveWantedBy.patient') },
            { value: 'clinic', label: t('desk.moveWantedBy.clinic') },
          ]}
          value={wantedBy}
          onChange={setWantedBy}
        />
      )}
      {rule !== null && (
        <>
          <p>
            {t(`desk.cancelRule.${rule}`, { fee: formatMoney(locale(), HIGH_FEE_CENTS) })}{' '}
            {t('desk.cancelOverride')}
          </p>
          <SelectField
            label={t('desk.overrideReason')}
            placeholder={t('desk.overrideChoose')}
            required
            data-autofocus=""
            options={CANCEL_REASONS.map((each) => ({
              value: each,
              label: t(`desk.override.${each}`),
            }))}
            value={overrideReason}
            onChange={setReason}
          />
        </>
      )}
      <p>{t(aboutOf({ isLink, hasAccount, goesBack }))}</p>
      {fee === 'taken' && goesBack && <p>{t('desk.cancelFeeTaken')}</p>}
    </ActionDialog>
  );
}

interface Told {
  readonly isLink: boolean;
  readonly hasAccount: boolean;
  readonly goesBack: boolean;
}

function aboutOf({ isLink, hasAccount, goesBack }: Told) {
  if (isLink) return 'desk.cancelLinkAbout';
  if (!hasAccount) return goesBack ? 'desk.cancelAboutUntold' : 'desk.cancelAboutUntoldKept';
  return goesBack ? 'desk.cancelAbout' : 'desk.cancelAboutPatient';
}
