import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';

/** Asks before the booking starts for the visit that is to move (§2 Reschedule dialog). */
export function RescheduleDialog({
  onConfirm,
  onClose,
}: {
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      kind="alert"
      title={t('appointments.warning')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onConfirm}>{t('appointments.rescheduleYes')}</Button>
          <Button variant="secondary" onClick={onClose}>
            {t('appointments.rescheduleNo')}
          </Button>
        </>
      }
    >
      <p>{t('appointments.rescheduleQuestion')}</p>
    </Dialog>
  );
}
