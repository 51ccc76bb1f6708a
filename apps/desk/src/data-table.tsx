import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import type { ReactNode } from 'react';
import styles from './office.module.css';

interface DataTableProps {
  caption: string;
  /** Where no heading says the same above it. */
  showCaption?: boolean;
  children: ReactNode;
}

/** What scrolls can be reached by the keyboard. */
const scrolled = { tabIndex: 0 };

/** A table that scrolls within itself where the window is narrow; the keyboard scrolls it too. */
export function DataTable({ caption, showCaption = false, children }: DataTableProps) {
  return (
    <div className={styles.scroll} role="region" aria-label={caption} {...scrolled}>
      <table className={styles.table}>
        <caption>{showCaption ? caption : <VisuallyHidden>{caption}</VisuallyHidden>}</caption>
        {children}
      </table>
    </div>
  );
}
