import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '../class-names.ts';
import styles from './button.module.css';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  variant?: ButtonVariant;
  /** A lucide icon element, before the words. */
  icon?: ReactNode;
  /** As wide as its parent. */
  wide?: boolean;
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'disabled'> {
  disabled?: boolean;
  /** While true the button keeps its place and focus, says `busyLabel` and does nothing. */
  busy?: boolean;
  busyLabel?: string;
}

export function Button({
  variant = 'primary',
  icon,
  wide = false,
  busy = false,
  busyLabel,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={classNames(look(variant, wide), className)}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Spinner /> : icon}
      <span aria-live={busyLabel === undefined ? undefined : 'polite'}>
        {busy ? (busyLabel ?? children) : children}
      </span>
    </button>
  );
}

interface ButtonLinkProps extends Look, ComponentProps<typeof Link> {}

/** A link within the app that looks like a button. */
export function ButtonLink({
  variant = 'primary',
  icon,
  wide = false,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={classNames(look(variant, wide), className)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}

function look(variant: ButtonVariant, wide: boolean): string {
  return classNames(styles.button, styles[variant], wide && styles.wide);
}
