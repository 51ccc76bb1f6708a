import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import type { ComponentProps, ReactNode } from 'react';

interface QuestionDialogProps extends Omit<ComponentProps<typeof Dialog>, 'actions'> {
  /** The answer that goes on; without `onYes` it closes. */
  yes: string;
  onYes?: (() => void) | undefined;
  /** Id of the form within that `yes` sends. */
  form?: string;
  busy?: boolean;
  busyLabel?: string;
  /** The second answer, where there is one; without `onNo` it closes. */
  no?: string;
  onNo?: (() => void) | undefined;
  /** Further buttons. */
  more?: ReactNode;
  /** Whether it may be left while it is busy. */
  mayLeave?: boolean;
  /** Called for Escape and Back, which give no answer. */
  onClose: () => void;
}

/** The dialog of the patients' pages: a question, or something to read, and at most two answers. */
export function QuestionDialog({
  yes,
  form,
  busy = false,
  busyLabel,
  no,
  more,
  mayLeave = !busy,
  onClose,
  onYes = form === undefined ? onClose : undefined,
  onNo = onClose,
  ...rest
}: QuestionDialogProps) {
  return (
    <Dialog
      {...rest}
      onClose={mayLeave ? onClose : undefined}
      actions={
        <>
          <Button
            type={form === undefined ? 'button' : 'submit'}
            form={form}
            busy={busy}
            busyLabel={busyLabel}
            onClick={onYes}
          >
            {yes}
          </Button>
          {no !== undefined && (
            <Button variant="secondary" disabled={!mayLeave} onClick={onNo}>
              {no}
            </Button>
          )}
          {more}
        </>
      }
    />
  );
}
