import { formatMoment, formatMoney, formatPrice, translate, type Locale } from '@clinic/texts';
import {
  centsOf,
  doctorName,
  type AgreementTextKind,
  type AppointmentMode,
  type AppointmentType,
  type Doctor,
} from '@clinic/domain';
import { later } from '@clinic/app/later';
import { ErrorTextsGone } from '@clinic/ui/field';
import { useId, useState } from 'react';
import { changeWords, feeWords } from '@clinic/contract/change-texts';
import type { ApiUser, ClinicConfig } from '@clinic/contract';
import { Notice } from '@clinic/ui/notice';
import { locale, t } from '../../../messages/t.ts';
import { lengthWords } from '../../../shared/appointment-length.ts';
import { ClinicWords, TypeName } from '../../../shared/clinic-words.tsx';
import { doctorOf, noticeOf, type BookingData } from '../booking-data.ts';
import type { PickedSlot, RescheduleOf } from '../journey.ts';
import styles from './confirm-dialogs.module.css';
import type { ConfirmSequence } from './use-confirm-sequence.ts';
import { usePlannedChanges } from '../appointment-summary.tsx';
import { currentAgreement } from '@clinic/contract/agreements';
import { AgreementWords } from '../../../shared/agreement-words.tsx';
import { QuestionDialog } from '../../../shared/shell/question-dialog.tsx';

// Most appointments need none of these dialogs, so their code loads only with the first use.
const UploadDocumentDialog = later(
  async () =>
    (await import('../../../shared/files/upload-document-dialog.tsx')).UploadDocumentDialog,
);
const PharmacyPicker = later(
  async () => (await import('../../../shared/pharmacies/pharmacy-picker.tsx')).PharmacyPicker,
);
const ImmigrationDialog = later(
  async () =>
    (await import('../../../shared/immigration/immigration-dialog.tsx')).ImmigrationDialog,
);

interface ConfirmDialogsProps {
  data: BookingData;
  type: AppointmentType;
  slot: PickedSlot;
  mode: AppointmentMode | 'either';
  rescheduleOf: RescheduleOf | null;
  sequence: ConfirmSequence;
}

/** The dialog of the question at which the sequence after Next waits. */
export function ConfirmDialogs(props: ConfirmDialogsProps) {
  return (
    // A dialog shows its own errors, even while the page beneath hides its own.
    <ErrorTextsGone value={false}>
      <Asked {...props} />
    </ErrorTextsGone>
  );
}

function Asked({ data, type, slot, mode, rescheduleOf, sequence }: ConfirmDialogsProps) {
  const { view, close } = sequence;
  const { user, config } = data;
  const { busy } = view;
  switch (view.asking) {
    case 'warnOfFee':
      return (
        <FeeWarningDialog
          cents={sequence.feeCents}
          config={config}
          busy={busy}
          onAccept={sequence.acceptFee}
          onCancel={close}
        />
      );
    case 'uploadHealthCard':
    case 'uploadPictureId': {
      const kind = view.asking === 'uploadHealthCard' ? 'healthCard' : 'pictureId';
      return (
        <UploadDocumentDialog
          kind={kind}
          onUploaded={() => sequence.uploaded(kind)}
          onCancel={close}
        />
      );
    }
    case 'confirmIcbc':
      return (
        <QuestionDialog
          size="large"
          title={t('booking.icbc')}
          busy={busy}
          busyLabel={t('booking.working')}
          yes={t('booking.icbcConfirm')}
          onYes={sequence.confirmIcbc}
          no={t('booking.no')}
          onClose={close}
        >
          <AgreementText kind="icbc" config={config} />
        </QuestionDialog>
      );
    case 'askFamilyDoctor':
      return (
        <QuestionDialog
          title={t('booking.familyDoctor')}
          busy={busy}
          busyLabel={t('booking.working')}
          yes={t('booking.yes')}
          onYes={() => sequence.sayFamilyDoctor(true)}
          no={t('booking.no')}
          onNo={() => sequence.sayFamilyDoctor(false)}
          onClose={close}
        >
          <p>{t('booking.familyDoctorText')}</p>
        </QuestionDialog>
      );
    case 'showNotice':
      return (
        <QuestionDialog
          title={t('booking.notice')}
          busy={busy}
          busyLabel={t('booking.working')}
          yes={t('booking.understand')}
          onYes={sequence.understand}
          onClose={close}
        >
          <p>
            <ClinicWords>{noticeOf(user, type.code) ?? ''}</ClinicWords>
          </p>
        </QuestionDialog>
      );
    case 'agreeToDetails':
      return (
        <DetailsDialog
          type={type}
          doctor={doctorOf(data, slot.doctor)}
          slot={slot}
          mode={mode}
          rescheduleOf={rescheduleOf}
          user={user}
          config={config}
          busy={busy}
          onAgree={sequence.agree}
          onCancel={close}
        />
      );
    case 'choosePharmacy':
      return (
        <PharmacyDialog
          user={user}
          busy={busy}
          onConfirm={sequence.choosePharmacy}
          onClose={sequence.closePharmacy}
        />
      );
    case 'fillImmigrationForm':
      return <ImmigrationDialog user={user} onDone={sequence.formDone} onBack={close} />;
    case null:
      return null;
  }
}

interface DetailsDialogProps {
  type: AppointmentType;
  doctor: Doctor;
  slot: PickedSlot;
  mode: AppointmentMode | 'either';
  rescheduleOf: RescheduleOf | null;
  user: ApiUser;
  config: ClinicConfig | null;
  busy: boolean;
  onAgree: () => void;
  onCancel: () => void;
}

/** Appointment Details, to which the patient agrees; within 6 hours of the start with a no-show note. */
function DetailsDialog(props: DetailsDialogProps) {
  const { type, doctor, slot, mode, rescheduleOf, user, config, busy, onAgree, onCancel } = props;
  const changes = usePlannedChanges({
    type,
    eligibility: user.eligibility,
    chargeCents: type.chargeCents,
    start: slot.start,
    rescheduleOf,
  });
  const words = changeWords(locale(), changes);
  // The no-show note already says that the appointment cannot be cancelled.
  const cancelling = changes.noShowNote ? feeWords(locale(), changes) : words.cancel;
  return (
    <QuestionDialog
      size="large"
      title={t('booking.details')}
      busy={busy}
      busyLabel={t('booking.bookingNow')}
      yes={t('booking.agree')}
      onYes={onAgree}
      no={t('booking.cancel')}
      onClose={onCancel}
    >
      <p className={styles.appointment}>
        <TypeName of={type} />
        <span translate="no">
          {formatMoment(locale(), slot.start)}, {doctorName(doctor)}
        </span>
        <span>{lengthWords({ ...slot, mode })}</span>
        <span translate="no">
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
    : t('booking.detailsSoonFee', { fee: formatMoney(locale(), centsOf(fee) ?? 0) });
}

interface PharmacyDialogProps {
  user: ApiUser;
  busy: boolean;
  /** Called with the id of the chosen pharmacy. */
  onConfirm: (pharmacy: string) => void;
  onClose: () => void;
}

/** The prompt for the preferred pharmacy, where the clinic has switched it on. */
function PharmacyDialog({ user, busy, onConfirm, onClose }: PharmacyDialogProps) {
  const picker = useId();
  const [pharmacy, setPharmacy] = useState(user.preferredPharmacy);
  const [missing, setMissing] = useState(false);
  return (
    <QuestionDialog
      size="large"
      title={t('booking.pharmacyText')}
      busy={busy}
      busyLabel={t('booking.working')}
      yes={t('booking.confirm')}
      onYes={() => {
        setMissing(pharmacy === null);
        if (pharmacy !== null) onConfirm(pharmacy);
        else document.getElementById(picker)?.focus();
      }}
      no={t('booking.close')}
      onClose={onClose}
    >
      <PharmacyPicker
        id={picker}
        label={t('booking.pharmacy')}
        value={pharmacy}
        error={missing ? t('booking.pharmacyMissing') : null}
        onChange={(chosen) => {
          setMissing(false);
          setPharmacy(chosen);
        }}
      />
    </QuestionDialog>
  );
}

interface AgreementTextProps {
  kind: AgreementTextKind;
  config: ClinicConfig | null;
  /** The fee of this appointment, in cents, for texts that name it. */
  feeCents?: number;
}

/** An agreement text with its version. */
export function AgreementText({ kind, config, feeCents }: AgreementTextProps) {
  const { draft, version } = currentAgreement(kind, config?.agreements);
  const valuesIn = (language: Locale) => ({
    clinicName: config?.clinicName ?? translate(language, 'booking.theClinic'),
    // Formats the booking fee as the text formats the amounts written in it.
    ...(config && { bookingFee: formatPrice(language, centsOf(config.bookingFee) ?? 0) }),
    ...(feeCents !== undefined && { fee: formatMoney(language, feeCents) }),
  });
  return (
    <div className={styles.text}>
      <AgreementWords kind={kind} config={config} valuesIn={valuesIn} />
      <p className={styles.draft}>
        {draft && t('booking.draft')} {t('booking.version', { version })}
      </p>
    </div>
  );
}

interface FeeWarningDialogProps {
  cents: number;
  config: ClinicConfig | null;
  busy: boolean;
  onAccept: () => void;
  onCancel: () => void;
}

/** Asks the patient to accept a fee of 140 or more before going on. */
export function FeeWarningDialog({
  cents,
  config,
  busy,
  onAccept,
  onCancel,
}: FeeWarningDialogProps) {
  return (
    <QuestionDialog
      size="large"
      title={t('booking.warning')}
      actsOn={String(cents)}
      busy={busy}
      busyLabel={t('booking.working')}
      yes={t('pay.acceptFee')}
      onYes={onAccept}
      no={t('booking.cancel')}
      onClose={onCancel}
    >
      <AgreementText kind="feeWarning" config={config} feeCents={cents} />
    </QuestionDialog>
  );
}
