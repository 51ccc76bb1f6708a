import { changeWords, feeKeptWords } from '@clinic/contract/change-texts';
import { doctorName, formatAppointment } from '@clinic/domain';
import type { AppointmentType, Doctor } from '@clinic/domain';
import type { ClinicConfig, ApiUser } from '@clinic/contract';
import { Notice } from '@clinic/ui/notice';
import { t } from '../../../messages/t.ts';
import { AgreementText } from './agreement-text.tsx';
import type { PickedSlot, RescheduleOf } from '../journey.ts';
import styles from './details-dialog.module.css';
import { usePlannedChanges } from './planned-changes.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { dollarWords } from '../words.ts';

interface DetailsDialogProps {
  type: AppointmentType;
  doctor: Doctor;
  slot: PickedSlot;
  rescheduleOf: RescheduleOf | null;
  user: ApiUser;
  config: ClinicConfig | null;
  busy: boolean;
  onAgree: () => void;
  onCancel: () => void;
}

/** Appointment Details: what the patient agrees to; nearer than 6 hours, the no-show note. */
export function DetailsDialog(props: DetailsDialogProps) {
  const { type, doctor, slot, rescheduleOf, user, config, busy, onAgree, onCancel } = props;
  const changes = usePlannedChanges({
    type: type.code,
    eligibility: user.eligibility,
    chargeCents: type.chargeCents,
    start: slot.start,
    rescheduleOf,
  });
  const words = changeWords(changes, formatAppointment);
  // The note says already that it cannot be cancelled.
  const cancelling = changes.noShowNote ? feeKeptWords(changes) : words.cancel;
  return (
    <QuestionDialog
      size="large"
      title={t('booking.details')}
      busy={busy}
      busyLabel={t('booking.bookingNow')}
      yes={t('booking.agree')}
      onYes={onAgree}
      no={t('booking.cancel')}
      onNo={onCancel}
      onClose={onCancel}
    >
      <p className={styles.appointment}>
        {type.description}
        <span>
          {formatAppointment(slot.start)}, {doctorName(doctor)}
        </span>
        <span>
          {user.firstName} {user.lastName}
        </span>
      </p>
      {changes.noShowNote && (
        <Notice kind="caution">
          <p>{soonWords(config)}</p>
        </Notice>
      )}
      {cancelling !== null && <p>{cancelling}</p>}
      {words.reschedule !== null && <p>{words.reschedule}</p>}
      <p>{t('booking.detailsIntro')}</p>
      <AgreementText kind="general" config={config} />
    </QuestionDialog>
  );
}

function soonWords(config: ClinicConfig | null): string {
  const fee = config?.noShowFee ?? null;
  return fee === null
    ? t('booking.detailsSoon')
    : t('booking.detailsSoonFee', { fee: dollarWords(fee) });
}
