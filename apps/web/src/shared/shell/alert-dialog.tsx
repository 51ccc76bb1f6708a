import { useEffect } from 'react';
import { t } from '../../messages/t.ts';
import { createStore, useStore } from '@clinic/app/store';
import { QuestionDialog } from './question-dialog.tsx';

interface Alert {
  readonly text: string;
  readonly title?: string | undefined;
  readonly onClose: () => void;
}

// Module state, as callers outside components open dialogs too.
const alerts = createStore<readonly Alert[]>([]);

/**
 * Shows a dialog in place of the browser's `alert()`; resolves when the patient has closed it. Omit
 * the title where the text says everything.
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

/** Shows the dialogs of `alertPatient`, one after the other. Used once in the app. */
export function AlertDialogHost() {
  const [alert] = useStore(alerts);
  // The store outlives the session of this component: close all dialogs of its patient with it.
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
    <QuestionDialog
      kind="alert"
      title={title ?? t('ui.errorSummary')}
      yes={t('ui.ok')}
      onClose={onClose}
    >
      <p>{text}</p>
    </QuestionDialog>
  );
}
