import { doctorName, formatAppointment, showsNoShowNote, visitMode } from '@clinic/domain';
import type { AppointmentType, Doctor } from '@clinic/domain';
import type { ClinicConfig, WireUser } from '@clinic/contract';
import { t } from '../../messages/t.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { PickedSlot } from './booking-draft.ts';
import styles from './details-dialog.module.css';
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
  const phone = visitMode(type.code) === 'phone';
  const rule = cancelling(type.code, type.chargeCents, user.eligibility);
  return (
    <Dialog
      size="large"
      title={t('booking.details')}
      onClose={busy ? undefined : onCancel}
      actions={
        <>
          <Button busy={busy} busyLabel={t('booking.bookingNow')} onClick={onAgree}>
            {t('booking.agree')}
          </Button>
          <Button variant="secondary" disabled={busy} onClick={onCancel}>
            {t('booking.cancel')}
          </Button>
        </>
      }
    >
      <p className={styles.visit}>
        {type.description}
        <span>
          {formatAppointment(slot.start)}, {doctorName(doctor)}
        </span>
      </p>
      {showsNoShowNote(slot.start, clinicNow()) && (
        <Notice kind="caution">
          <p>{soonWords(config)}</p>
        </Notice>
      )}
      <p>{t('booking.detailsIntro')}</p>
      <ul className={styles.points}>
        <li>{t('booking.detailsAccount', { name: `${user.firstName} ${user.lastName}` })}</li>
        <li>{t(phone ? 'booking.detailsPhone' : 'booking.detailsEarly')}</li>
        <li>{t(`booking.detailsCancel${rule}`)}</li>
        <li>{t('booking.detailsNoShow')}</li>
      </ul>
    </Dialog>
  );
}

function soonWords(config: ClinicConfig | null): string {
  const fee = config?.noShowFee ?? null;
  return fee === null
    ? t('booking.detailsSoon')
    : t('booking.detailsSoonFee', { fee: dollarWords(fee) });
}
