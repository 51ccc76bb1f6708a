import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { useEffect } from 'react';
import { t } from '../../messages/t.ts';
import { createStore, useStore } from '../store.ts';

interface Alert {
  readonly text: string;
  readonly title: string | undefined;
  readonly onClose: () => void;
}

const alerts = createStore<readonly Alert[]>([]);

/**
 * What a browser's `alert()` said before, as a dialog of the page: resolves when the patient has
 * closed it. The title is left out where the text says everything.
 */
export function alertPatient(text: string, title?: string): Promise<void> {
  return new Promise((resolve) => {
    const alert: Alert = {
      text,
      title,
      onClose() {
        alerts.set(alerts.get().filter((one) => one !== alert));
        resolve();
      },
    };
    alerts.set([...alerts.get(), alert]);
  });
}

/** Stands once in the app and shows what `alertPatient` was given, one after the other. */
export function AlertDialogHost() {
  const [alert] = useStore(alerts);
  // With the session that it stands in everything goes that was said to its patient.
  useEffect(
    () => () => {
      for (const { onClose } of alerts.get()) onClose();
    },
    [],
  );
  if (!alert) return null;
  return (
    <Dialog
      key={alert.text}
      kind="alert"
      title={alert.title ?? t('ui.errorSummary')}
      onClose={alert.onClose}
      actions={<Button onClick={alert.onClose}>{t('ui.ok')}</Button>}
    >
      <p>{alert.text}</p>
    </Dialog>
  );
}
