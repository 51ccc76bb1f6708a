import type { ApiUser } from '@clinic/contract';
import { useState } from 'react';
import { t } from '../../../messages/t.ts';
import { PharmacyPicker } from '../../../shared/pharmacies/pharmacy-picker.tsx';
import { QuestionDialog } from './question-dialog.tsx';

interface PharmacyDialogProps {
  user: ApiUser;
  busy: boolean;
  /** With the id of the pharmacy that was chosen. */
  onConfirm: (pharmacy: string) => void;
  onClose: () => void;
}

/** The prompt for the preferred pharmacy, where the clinic has switched it on. */
export function PharmacyDialog({ user, busy, onConfirm, onClose }: PharmacyDialogProps) {
  const [pharmacy, setPharmacy] = useState(user.preferredPharmacy);
  const [missing, setMissing] = useState(false);
  return (
    <QuestionDialog
      size="large"
      title={t('booking.pharmacyText')}
      busy={busy}
      yes={t('booking.confirm')}
      onYes={() => {
        setMissing(pharmacy === null);
        if (pharmacy !== null) onConfirm(pharmacy);
      }}
      no={t('booking.close')}
      onNo={onClose}
      onClose={onClose}
    >
      <PharmacyPicker
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
