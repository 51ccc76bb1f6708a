import { t } from '../../messages/t.ts';
import { useConfig } from '../../shared/api/config.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';

/** Until visits can be cancelled online: how to reach the clinic. */
export function CancelLater({ onClose }: { onClose: () => void }) {
  const config = useConfig();
  return (
    <Dialog
      title={t('appointments.cancelTitle')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('ui.ok')}</Button>}
    >
      <p>{t('appointments.cancelLater')}</p>
      {config && (
        <p>
          <a href={`tel:${config.clinicPhone}`}>{config.clinicPhone}</a>
          {' · '}
          <a href={`mailto:${config.clinicEmail}`}>{config.clinicEmail}</a>
        </p>
      )}
    </Dialog>
  );
}
