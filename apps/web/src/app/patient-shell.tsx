import { SuggestionButton } from '../features/suggestion/suggestion-button.tsx';
import { AlertDialogHost } from '../shared/ui/alert-dialog.tsx';
import { InactivityWarning } from './inactivity-warning.tsx';

export { LiveSession } from './live-session.tsx';
export { PageTabs } from './page-tabs.tsx';

/** The dialogs that stand around a patient's pages. */
export function PatientDialogs() {
  return (
    <>
      <InactivityWarning />
      <SuggestionButton />
      <AlertDialogHost />
    </>
  );
}
