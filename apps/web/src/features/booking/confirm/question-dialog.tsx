import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import type { ReactNode } from 'react';
import { t } from '../../../messages/t.ts';

interface QuestionDialogProps {
  title: string;
  children: ReactNode;
  size?: 'small' | 'large';
  /** While the answer is under way the dialog stays. */
  busy: boolean;
  busyLabel?: string;
  yes: string;
  onYes: () => void;
  /** The second answer, where there is one. */
  no?: string;
  onNo?: () => void;
  /** Escape, or Back: no answer at all. */
  onClose: () => void;
}

/** A question of the sequence after Next: one answer that goes on, one that does not. */
export function QuestionDialog({
  title,
  children,
  size = 'small',
  busy,
  busyLabel = t('booking.working'),
  yes,
  onYes,
  no,
  onNo,
  onClose,
}: QuestionDialogProps) {
  return (
    <Dialog
      size={size}
      title={title}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button busy={busy} busyLabel={busyLabel} onClick={onYes}>
            {yes}
          </Button>
          {no !== undefined && (
            <Button variant="secondary" disabled={busy} onClick={onNo}>
              {no}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  );
}
