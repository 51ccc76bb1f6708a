import { Button } from '@clinic/ui/button';
import type { ComponentProps, ReactNode } from 'react';
import styles from './send-form.module.css';

interface SendFormProps extends Omit<ComponentProps<'form'>, 'className' | 'onSubmit'> {
  /** Label of the button, and its label while busy. */
  does: string;
  doing?: string;
  busy?: boolean;
  variant?: 'primary' | 'secondary';
  onSend: () => void;
  /** What became of the last press, above the button. */
  outcome?: ReactNode;
  /** Buttons beside that which sends it. */
  beside?: ReactNode;
}

/** Fields, and beneath them the button that sends them. */
export function SendForm({
  does,
  doing,
  busy = false,
  variant = 'primary',
  onSend,
  outcome,
  beside,
  children,
  ...rest
}: SendFormProps) {
  return (
    <form
      {...rest}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      {outcome}
      <div className={styles.buttons}>
        <Button type="submit" variant={variant} busy={busy} busyLabel={doing}>
          {does}
        </Button>
        {beside}
      </div>
    </form>
  );
}
