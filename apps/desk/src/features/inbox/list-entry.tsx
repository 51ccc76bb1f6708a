import { formatMoment } from '@clinic/texts';
import { classNames } from '@clinic/ui/class-names';
import type { ComponentProps, ReactNode } from 'react';
import { locale } from '../../shared/words.ts';
import styles from './inbox.module.css';

interface ListEntryProps extends Pick<ComponentProps<'button'>, 'id' | 'tabIndex'> {
  patient: string;
  at: number;
  /** How it begins. */
  message: string;
  isOpen: boolean;
  onPress: () => void;
  /** How it stands. */
  children: ReactNode;
}

/** What a patient wrote, in a list. */
export function ListEntry(props: ListEntryProps) {
  const { patient, at, message, isOpen, onPress, children, ...rest } = props;
  return (
    <button
      {...rest}
      type="button"
      className={classNames(styles.entry, isOpen && styles.isOpen)}
      data-choice=""
      aria-expanded={isOpen}
      onClick={onPress}
    >
      <span className={styles.line}>
        <b>{patient}</b>
        <span className={styles.soft}>{formatMoment(locale(), at)}</span>
      </span>
      <span className={styles.beginning}>{message}</span>
      <span className={styles.line}>{children}</span>
    </button>
  );
}
