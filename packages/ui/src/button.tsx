import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './button.module.css';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

/** The look that buttons share with links that look like buttons. */
export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  /** A lucide icon element, before the label. */
  icon?: ReactNode;
  /** As wide as its parent. */
  wide?: boolean | undefined;
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'disabled'> {
  /** Whom, when or how much the press changes: a press that comes right after another value appeared does nothing. */
  actsOn?: string | undefined;
  disabled?: boolean;
  /** While true the button keeps its place and focus, says `busyLabel` and does nothing. */
  busy?: boolean;
  busyLabel?: string | undefined;
}

export function Button({
  variant = 'primary',
  icon,
  wide = false,
  busy = false,
  busyLabel,
  type = 'button',
  actsOn,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      data-acts-on={actsOn}
      className={classNames(buttonClass({ variant, wide }), className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon}
      <span aria-live={busyLabel === undefined ? undefined : 'polite'}>
        {busy ? (busyLabel ?? children) : children}
      </span>
    </button>
  );
}

/** The class of a link that looks like a button. */
export function buttonClass({ variant = 'primary', wide = false }: ButtonLook): string {
  return classNames(styles.button, styles[variant], wide && styles.wide);
}
