import { formatFee } from '@clinic/domain';
import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';

interface FeeWarningDialogProps {
  cents: number;
  onAccept: () => void;
  onCancel: () => void;
}

/** A fee of 140 or more is accepted first (§4 Next on confirm, R-31). */
export function FeeWarningDialog({ cents, onAccept, onCancel }: FeeWarningDialogProps) {
  return (
    <Dialog
      title={t('booking.warning')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onAccept}>{t('pay.acceptFee')}</Button>
          <Button variant="secondary" onClick={onCancel}>
            {t('booking.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('pay.feeWarning', { fee: formatFee(cents) })}</p>
    </Dialog>
  );
}
