import { errorOfField } from '@clinic/app/api-error';
import type { ActionSettings } from '@clinic/app/use-action';
import { Button } from '@clinic/ui/button';
import { type ReactNode, useId } from 'react';
import styles from './action-dialog.module.css';
import { Outcome, useAction } from './desk-action.tsx';
import { DeskDialog, LeaveButton } from './under-way.tsx';
import { t } from './words.ts';

interface ActionDialogProps<Result, Input> extends Omit<
  ActionSettings<Result, Input>,
  'onDone' | 'gcTime' | 'changes'
> {
  title: string;
  /** Whom, when or how much it changes, where the title does not say so. */
  actsOn?: string;
  /** Label of the button, and its label while busy. */
  does: string;
  doing?: string;
  /** Label of the button that leaves it. */
  leave?: string;
  isDanger?: boolean;
  size?: 'small' | 'large';
  /** What the press sends; null while the form lacks something. */
  input?: Input | null;
  onDone: (result: Result, input: Input) => unknown;
  onClose: () => void;
  /** The form's fields; as a function, they receive the service's error for each field. */
  children: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode);
}

/**
 * Asks before a change. It is not left while the change is under way, and stays open until that is known to be made:
 * what failed, or is not known, is said here.
 */
export function ActionDialog<Result, Input = void>({
  title,
  actsOn = title,
  does,
  doing,
  leave = t('desk.leaveIt'),
  isDanger = false,
  size = 'small',
  input,
  onDone,
  onClose,
  children,
  ...settings
}: ActionDialogProps<Result, Input>) {
  const formId = useId();
  const change = useAction({ ...settings, onDone });
  return (
    <DeskDialog
      title={title}
      actsOn={actsOn}
      size={size}
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            variant={isDanger ? 'danger' : 'primary'}
            busy={change.pending}
            busyLabel={doing}
          >
            {does}
          </Button>
          <LeaveButton onClick={onClose}>{leave}</LeaveButton>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (input !== null && !change.pending) change.run(input as Input);
        }}
      >
        {typeof children === 'function'
          ? children((field) => errorOfField(change.error, field))
          : children}
        <Outcome of={change} />
      </form>
    </DeskDialog>
  );
}
