import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DeskError } from '../api.ts';
import styles from './patients.module.css';
import { whyNot } from './patient-data.ts';
import { t } from '../words.ts';

interface ChangeDialogProps {
  title: string;
  /** Label of the button, and its label while busy. */
  does: string;
  doing: string;
  isDanger?: boolean;
  /** Makes the change and returns a sentence on the outcome. */
  onChange: () => Promise<string>;
  onDone: (says: string) => void;
  onClose: () => void;
  /** The form's fields; as a function, they receive the service's error for each field. */
  children: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode);
}

/** Asks before a change to a patient. The dialog stays open until the change is known to be made. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, does, doing, isDanger = false, onChange, onDone, onClose, children } = props;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: onChange,
    onSuccess: onDone,
    // The page below shows what is so: the change may be made, or overtaken.
    onError: (error) => {
      if (error instanceof DeskError) void queries.invalidateQueries({ queryKey: ['patient'] });
    },
  });
  const errorOf = (field: string) =>
    change.error instanceof DeskError
      ? change.error.fields?.find((each) => each.field === field)?.message
      : undefined;
  return (
    <Dialog title={title} onClose={change.isPending ? undefined : onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate();
        }}
      >
        {typeof children === 'function' ? children(errorOf) : children}
        <ActionOutcome press={change.submittedAt}>{whyNot(change.error)}</ActionOutcome>
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            busy={change.isPending}
            busyLabel={doing}
          >
            {does}
          </Button>
          <Button variant="secondary" disabled={change.isPending} onClick={onClose}>
            {t('desk.leaveIt')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
