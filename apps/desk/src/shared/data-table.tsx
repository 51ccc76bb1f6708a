import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import type { ReactNode, Ref } from 'react';
import styles from './office.module.css';

interface Column {
  readonly name: string;
  readonly className?: string | undefined;
}

/** The head of a column of numbers. */
export const ofNumbers = (name: string): Column => ({ name, className: styles.number });

interface DataTableProps {
  caption: string;
  /** Shows the caption where no heading above says the same. */
  showCaption?: boolean;
  /** The heads of the columns. */
  columns?: readonly (string | Column | false)[];
  /** The rows of its body. */
  rows?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  children?: ReactNode;
}

/** Makes what scrolls focusable, so that the keyboard can scroll it. */
const scrolled = { tabIndex: 0 };

/** A table that scrolls by itself in a narrow window, also with the keyboard. */
export function DataTable({
  caption,
  showCaption = false,
  columns,
  rows,
  ref,
  children,
}: DataTableProps) {
  const heads = columns?.filter((column) => column !== false);
  return (
    <div ref={ref} className={styles.scroll} role="group" aria-label={caption} {...scrolled}>
      <table className={styles.table}>
        <caption>{showCaption ? caption : <VisuallyHidden>{caption}</VisuallyHidden>}</caption>
        {heads && (
          <thead>
            <tr>
              {heads.map((head) => {
                const { name, className }: Column =
                  typeof head === 'string' ? { name: head } : head;
                return (
                  <th key={name} scope="col" className={className}>
                    {name}
                  </th>
                );
              })}
            </tr>
          </thead>
        )}
        {rows && <tbody>{rows}</tbody>}
        {children}
      </table>
    </div>
  );
}
