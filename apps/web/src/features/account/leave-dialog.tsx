import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';

interface LeaveDialogProps {
  onStay: () => void;
  onLeave: () => void;
}

/** Between a stray press on a link and what was typed. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      kind="alert"
      title={t('account.leaveTitle')}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>{t('account.leaveStay')}</Button>
          <Button variant="secondary" onClick={onLeave}>
            {t('account.leaveGo')}
          </Button>
        </>
      }
    >
      <p>{t('account.leaveText')}</p>
    </Dialog>
  );
}
