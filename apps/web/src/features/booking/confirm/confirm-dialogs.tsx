import type { AppointmentType } from '@clinic/domain';
import { ErrorTextsGone } from '@clinic/ui/field';
import { lazy, Suspense } from 'react';
import { t } from '../../../messages/t.ts';
import { AgreementText } from './agreement-text.tsx';
import { doctorOf, type BookingData, noticeOf } from '../choose/booking-data.ts';
import type { PickedSlot, RescheduleOf } from '../journey.ts';
import { DetailsDialog } from './details-dialog.tsx';
import { FeeWarningDialog } from './fee-warning-dialog.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import type { ConfirmSequence } from './use-confirm-sequence.ts';

// Most appointments ask for none of these, so their code comes when one does.
const UploadDocumentDialog = lazy(async () => {
  const { UploadDocumentDialog } = await import('../../../shared/files/upload-document-dialog.tsx');
  return { default: UploadDocumentDialog };
});
const PharmacyDialog = lazy(async () => {
  const { PharmacyDialog } = await import('./pharmacy-dialog.tsx');
  return { default: PharmacyDialog };
});
const ImmigrationDialog = lazy(async () => {
  const { ImmigrationDialog } = await import('../../../shared/immigration/immigration-dialog.tsx');
  return { default: ImmigrationDialog };
});

interface ConfirmDialogsProps {
  data: BookingData;
  type: AppointmentType;
  slot: PickedSlot;
  rescheduleOf: RescheduleOf | null;
  sequence: ConfirmSequence;
}

/** The dialog of the question that the sequence after Next waits at. */
export function ConfirmDialogs(props: ConfirmDialogsProps) {
  return (
    // A dialog's own errors stay, whatever became of those of the page beneath.
    <ErrorTextsGone value={false}>
      <Suspense fallback={null}>
        <Asked {...props} />
      </Suspense>
    </ErrorTextsGone>
  );
}

function Asked({ data, type, slot, rescheduleOf, sequence }: ConfirmDialogsProps) {
  const { view, close } = sequence;
  const { user, config } = data;
  const { busy } = view;
  switch (view.asking) {
    case 'warnOfFee':
      return (
        <FeeWarningDialog
          cents={view.feeCents}
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
          yes={t('booking.icbcConfirm')}
          onYes={sequence.confirmIcbc}
          no={t('booking.no')}
          onNo={close}
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
          yes={t('booking.understand')}
          onYes={sequence.understand}
          onClose={close}
        >
          <p>{noticeOf(user, type.code)}</p>
        </QuestionDialog>
      );
    case 'agreeToDetails':
      return (
        <DetailsDialog
          type={type}
          doctor={doctorOf(data, slot.doctor)}
          slot={slot}
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
