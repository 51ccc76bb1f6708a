import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { useEffect } from 'react';
import { t } from '../../messages/t.ts';
import { createStore, useStore } from '../store.ts';

interface Alert {
  readonly text: string;
  readonly title?: string | undefined;
  readonly onClose: () => void;
}

// Asked for from where no component is: the page has one list.
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
  // The store outlives the session that this stands in: what was said to its patient goes with it.
  useEffect(
    () => () => {
      for (const { onClose } of alerts.get()) onClose();
    },
    [],
  );
  return alert ? <AlertDialog key={alert.text} {...alert} /> : null;
}

export function AlertDialog({ text, title, onClose }: Alert) {
  return (
    <Dialog
      kind="alert"
      title={title ?? t('ui.errorSummary')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('ui.ok')}</Button>}
    >
      <p>{text}</p>
    </Dialog>
  );
}
