import { useMutation } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { request } from '../../shared/api/service.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { failureOf } from './recovery-calls.ts';

interface UserFoundDialogProps {
  email: string;
  onCancel: () => void;
  onSent: () => void;
}

/** IDENTIFY_SUCCESS: the mail goes out only when the patient says so (§4 Password recovery). */
export function UserFoundDialog({ email, onCancel, onSent }: UserFoundDialogProps) {
  const send = useMutation({
    mutationFn: () => request('sendResetCode', { body: { email } }),
    onSuccess: onSent,
  });
  return (
    <Dialog
      title={t('recovery.foundTitle')}
      onClose={send.isPending ? undefined : onCancel}
      actions={
        <>
          <Button
            busy={send.isPending}
            busyLabel={t('recovery.sending')}
            onClick={() => send.mutate()}
          >
            {t('recovery.confirm')}
          </Button>
          <Button variant="secondary" disabled={send.isPending} onClick={onCancel}>
            {t('recovery.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('recovery.found', { email })}</p>
      {send.error && (
        <Notice kind="danger" role="alert">
          <p>{failureOf(send.error, 'mailRefused', 'mailFailed').message}</p>
        </Notice>
      )}
    </Dialog>
  );
}
