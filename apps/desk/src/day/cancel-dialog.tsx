import type { ApiSheetAppointment } from '@clinic/contract';
import { CANCEL_REASONS, HIGH_FEE_CENTS } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { SelectField } from '@clinic/ui/select-field';
import { type ReactNode, useId, useState } from 'react';
import styles from '../booking/booking.module.css';
import { DeskDialog, LeaveButton } from '../under-way.tsx';
import { locale, t } from '../words.ts';

export interface CancelBody {
  readonly wantedBy?: 'patient' | 'clinic';
  readonly overrideReason?: (typeof CANCEL_REASONS)[number];
}

interface CancelDialogProps {
  appointment: ApiSheetAppointment;
  busy: boolean;
  /** Why the last press did not cancel it. */
  failed: ReactNode;
  onCancel: (body: CancelBody) => void;
  onClose: () => void;
}

/** Asks who wants to cancel: for the patient, the fee is kept and the patients' rules apply. */
export function CancelDialog({ appointment, busy, failed, onCancel, onClose }: CancelDialogProps) {
  const { id, patient, start, linkUntil, hasAccount, movedByClinic, patientCannotCancel, fee } =
    appointment;
  const [wantedBy, setWantedBy] = useState<'patient' | 'clinic'>('patient');
  const [chosen, setChosen] = useState('');
  const formId = useId();
  const isLink = linkUntil !== null;
  const forPatient = !isLink && wantedBy === 'patient';
  const rule = forPatient ? patientCannotCancel : null;
  const overrideReason = CANCEL_REASONS.find((each) => each === chosen);
  const goesBack = !forPatient || movedByClinic;
  const body = rule !== null && overrideReason ? { wantedBy, overrideReason } : { wantedBy };
  return (
    <DeskDialog
      title={t('desk.cancelTitle')}
      actsOn={`${id} ${patient} ${start} ${fee}`}
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={busy}
            busyLabel={t('desk.cancelling')}
          >
            {t('desk.cancel')}
          </Button>
          <LeaveButton onClick={onClose}>{t('desk.cancelKeep')}</LeaveButton>
        </>
      }
    >
      <form
        id={formId}
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onCancel(isLink ? {} : body);
        }}
      >
        {!isLink && (
          <SelectField
            label={t('desk.cancelWantedBy')}
            options={[
              { value: 'patient', label: t('desk.moveWantedBy.patient') },
              { value: 'clinic', label: t('desk.moveWantedBy.clinic') },
            ]}
            value={wantedBy}
            onChange={(who) => setWantedBy(who === 'clinic' ? 'clinic' : 'patient')}
          />
        )}
        {rule !== null && (
          <>
            <p>
              {t(`desk.cancelRule.${rule}`, { fee: formatMoney(locale, HIGH_FEE_CENTS) })}{' '}
              {t('desk.cancelOverride')}
            </p>
            <SelectField
              label={t('desk.overrideReason')}
              placeholder={t('desk.overrideChoose')}
              required
              options={CANCEL_REASONS.map((each) => ({
                value: each,
                label: t(`desk.override.${each}`),
              }))}
              value={chosen}
              onChange={setChosen}
            />
          </>
        )}
        <p>{t(aboutOf({ isLink, hasAccount, goesBack }))}</p>
        {fee === 'taken' && goesBack && <p>{t('desk.cancelFeeTaken')}</p>}
        {failed}
      </form>
    </DeskDialog>
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
