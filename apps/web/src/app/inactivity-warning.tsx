import { useQueryClient } from '@tanstack/react-query';
import { t } from '../messages/t.ts';
import { useInactivity } from '../shared/session/inactivity.ts';
import { endSession } from '../shared/session/session.ts';
import { Button } from '../shared/ui/button.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';

/** Stands while somebody is signed in; shows itself in the last minute. */
export function InactivityWarning() {
  const queryClient = useQueryClient();
  const { warning, stay } = useInactivity();
  if (!warning) return null;
  return (
    <Dialog
      kind="alert"
      title={t('shell.inactivityTitle')}
      onClose={stay}
      actions={
        <>
          <Button onClick={stay}>{t('shell.inactivityStay')}</Button>
          <Button variant="secondary" onClick={() => endSession(queryClient, { why: 'loggedOut' })}>
            {t('shell.logout')}
          </Button>
        </>
      }
    >
      <p>{t('shell.inactivityWarning')}</p>
    </Dialog>
  );
}
