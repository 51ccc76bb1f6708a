import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import type { ReactNode, Ref } from 'react';
import styles from './office.module.css';

interface DataTableProps {
  caption: string;
  /** Shows the caption where no heading above says the same. */
  showCaption?: boolean;
  /** The heads of the columns, where they are words alone. */
  columns?: readonly string[];
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** Makes what scrolls focusable, so that the keyboard can scroll it. */
const scrolled = { tabIndex: 0 };

/** A table that scrolls by itself in a narrow window, also with the keyboard. */
export function DataTable({
  caption,
  showCaption = false,
  columns,
  ref,
  children,
}: DataTableProps) {
  return (
    <div ref={ref} className={styles.scroll} role="group" aria-label={caption} {...scrolled}>
      <table className={styles.table}>
        <caption>{showCaption ? caption : <VisuallyHidden>{caption}</VisuallyHidden>}</caption>
        {columns && (
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        {children}
      </table>
    </div>
  );
}
