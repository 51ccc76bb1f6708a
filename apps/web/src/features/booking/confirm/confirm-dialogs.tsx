import { formatMoment, formatMoney, formatPrice, translate, type Locale } from '@clinic/texts';
import {
  centsOf,
  doctorName,
  type AgreementTextKind,
  type AppointmentMode,
  type AppointmentType,
} from '@clinic/domain';
import { later } from '@clinic/app/later';
import { ErrorTextsGone } from '@clinic/ui/field';
import { focusByPress } from '@clinic/ui/focus';
import { useId, useState } from 'react';
import { changeWords, feeWords } from '@clinic/contract/change-texts';
import type { ApiUser, ClinicConfig } from '@clinic/contract';
import { Notice } from '@clinic/ui/notice';
import { useConfig } from '../../../api/config.ts';
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

function Asked(props: ConfirmDialogsProps) {
  const { type, sequence } = props;
  const { user } = props.data;
  const { view, close } = sequence;
  const { busy } = view;
  const asked = { busy, busyLabel: t('booking.working'), onClose: close };
  switch (view.asking) {
    case 'warnOfFee':
      return (
        <FeeWarningDialog
          cents={sequence.feeCents}
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
          {...asked}
          size="large"
          title={t('booking.icbc')}
          yes={t('booking.icbcConfirm')}
          onYes={sequence.confirmIcbc}
          no={t('booking.no')}
        >
          <AgreementText kind="icbc" />
        </QuestionDialog>
      );
    case 'askFamilyDoctor':
      return (
        <QuestionDialog
          {...asked}
          title={t('booking.familyDoctor')}
          yes={t('booking.yes')}
          onYes={() => sequence.sayFamilyDoctor(true)}
          no={t('booking.no')}
          onNo={() => sequence.sayFamilyDoctor(false)}
        >
          <p>{t('booking.familyDoctorText')}</p>
        </QuestionDialog>
      );
    case 'showNotice':
      return (
        <QuestionDialog
          {...asked}
          title={t('booking.notice')}
          yes={t('booking.understand')}
          onYes={sequence.understand}
        >
          <p>
            <ClinicWords>{noticeOf(user, type.code) ?? ''}</ClinicWords>
          </p>
        </QuestionDialog>
      );
    case 'agreeToDetails':
      return <DetailsDialog {...props} />;
    case 'choosePharmacy':
      return <PharmacyDialog user={user} sequence={sequence} />;
    case 'fillImmigrationForm':
      return <ImmigrationDialog user={user} onDone={sequence.formDone} onBack={close} />;
    case null:
      return null;
  }
}

/** Appointment Details, to which the patient agrees; within 6 hours of the start with a no-show note. */
function DetailsDialog({ data, type, slot, mode, rescheduleOf, sequence }: ConfirmDialogsProps) {
  const { user, config } = data;
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
      busy={sequence.view.busy}
      busyLabel={t('booking.bookingNow')}
      yes={t('booking.agree')}
      onYes={sequence.agree}
      no={t('booking.cancel')}
      onClose={sequence.close}
    >
      <p className={styles.appointment}>
        <TypeName of={type} />
        <span translate="no">
          {formatMoment(locale(), slot.start)}, {doctorName(doctorOf(data, slot.doctor))}
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
      <AgreementText kind="general" />
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
  sequence: ConfirmSequence;
}

/** The prompt for the preferred pharmacy, where the clinic has switched it on. */
function PharmacyDialog({ user, sequence }: PharmacyDialogProps) {
  const picker = useId();
  const [pharmacy, setPharmacy] = useState(user.preferredPharmacy);
  const [missing, setMissing] = useState(false);
  return (
    <QuestionDialog
      size="large"
      title={t('booking.pharmacyText')}
      busy={sequence.view.busy}
      busyLabel={t('booking.working')}
      yes={t('booking.confirm')}
      onYes={() => {
        setMissing(pharmacy === null);
        if (pharmacy !== null) sequence.choosePharmacy(pharmacy);
        else focusByPress(document.getElementById(picker));
      }}
      no={t('booking.close')}
      onClose={sequence.closePharmacy}
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
  /** The fee of this appointment, in cents, for texts that name it. */
  feeCents?: number;
}

/** An agreement text with its version. */
export function AgreementText({ kind, feeCents }: AgreementTextProps) {
  const config = useConfig();
  const { draft, version } = currentAgreement(kind, config?.agreements);
  const valuesIn = (language: Locale) => ({
    clinicName: config?.clinicName ?? translate(language, 'booking.theClinic'),
    // Formats the booking fee as the text formats the amounts written in it.
    ...(config && { bookingFee: formatPrice(language, centsOf(config.bookingFee) ?? 0) }),
    ...(feeCents !== undefined && { fee: formatMoney(language, feeCents) }),
  });
  return (
    <div className={styles.text}>
      <AgreementWords kind={kind} valuesIn={valuesIn} />
      <p className={styles.draft}>
        {draft && t('booking.draft')} {t('booking.version', { version })}
      </p>
    </div>
  );
}

interface FeeWarningDialogProps {
  cents: number;
  busy: boolean;
  onAccept: () => void;
  onCancel: () => void;
}

/** Asks the patient to accept a fee of 140 or more before going on. */
export function FeeWarningDialog({ cents, busy, onAccept, onCancel }: FeeWarningDialogProps) {
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
      <AgreementText kind="feeWarning" feeCents={cents} />
    </QuestionDialog>
  );
}
