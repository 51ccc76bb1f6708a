import { texts } from '@clinic/contract/texts';
import { t } from '../../messages/t.ts';
import { Dialog } from '../ui/dialog.tsx';

/** It has no way to be closed: it goes when the service is back. */
export function MaintenanceDialog() {
  return (
    <Dialog kind="alert" title={t('shell.maintenanceTitle')}>
      <p>{texts.en.recordsOffline}</p>
    </Dialog>
  );
}
