import { doctorName, formatAppointment, showsNoShowNote } from '@clinic/domain';
import type { AppointmentType, Doctor } from '@clinic/domain';
import type { ClinicConfig, WireUser } from '@clinic/contract';
import { t } from '../../messages/t.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { AgreementText } from './agreement-text.tsx';
import type { PickedSlot } from './booking-draft.ts';
import styles from './details-dialog.module.css';
import { QuestionDialog } from './question-dialog.tsx';
import { cancelling, dollarWords } from './words.ts';

interface DetailsDialogProps {
  type: AppointmentType;
  doctor: Doctor;
  slot: PickedSlot;
  user: WireUser;
  config: ClinicConfig | null;
  busy: boolean;
  onAgree: () => void;
  onCancel: () => void;
}

/** Appointment Details: what the patient agrees to; nearer than 6 hours, the no-show note. */
export function DetailsDialog(props: DetailsDialogProps) {
  const { type, doctor, slot, user, config, busy, onAgree, onCancel } = props;
  const rule = cancelling(type.code, type.chargeCents, user.eligibility);
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
      <p className={styles.visit}>
        {type.description}
        <span>
          {formatAppointment(slot.start)}, {doctorName(doctor)}
        </span>
        <span>
          {user.firstName} {user.lastName}
        </span>
      </p>
      {showsNoShowNote(slot.start, clinicNow()) && (
        <Notice kind="caution">
          <p>{soonWords(config)}</p>
        </Notice>
      )}
      <p>{t(`booking.detailsCancel${rule}`)}</p>
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
