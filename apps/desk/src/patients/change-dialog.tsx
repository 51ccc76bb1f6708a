import { errorOfField } from '@clinic/app/api-error';
import { Button } from '@clinic/ui/button';
import type { ReactNode } from 'react';
import { Failed, useDeskAction } from '../desk-action.tsx';
import styles from './patients.module.css';
import { DeskDialog, LeaveButton } from '../under-way.tsx';
import { t } from '../words.ts';

interface ChangeDialogProps {
  title: string;
  /** Whom or what it changes, where the title does not say so. */
  actsOn?: string;
  /** Label of the button, and its label while busy. */
  does: string;
  doing: string;
  isDanger?: boolean;
  size?: 'large';
  /** Makes the change and returns a sentence on the outcome. */
  onChange: () => Promise<string>;
  onDone: (says: string) => void;
  onClose: () => void;
  /** The form's fields; as a function, they receive the service's error for each field. */
  children: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode);
}

/** Asks before a change to a patient. The dialog stays open until the change is known to be made. */
export function ChangeDialog(props: ChangeDialogProps) {
  const {
    title,
    actsOn = title,
    does,
    doing,
    isDanger = false,
    size,
    onChange,
    onDone,
    onClose,
    children,
  } = props;
  // The page below shows what is so: the change may be made, or overtaken.
  const change = useDeskAction({ work: onChange, shows: [['patient']], onSuccess: onDone });
  const errorOf = (field: string) => errorOfField(change.error, field);
  return (
    <DeskDialog title={title} actsOn={actsOn} onClose={onClose} {...(size && { size })}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate();
        }}
      >
        {typeof children === 'function' ? children(errorOf) : children}
        <Failed of={change} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            busy={change.isPending}
            busyLabel={doing}
          >
            {does}
          </Button>
          <LeaveButton onClick={onClose}>{t('desk.leaveIt')}</LeaveButton>
        </div>
      </form>
    </DeskDialog>
  );
}
