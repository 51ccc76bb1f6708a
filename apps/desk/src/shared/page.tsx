import { classNames } from '@clinic/ui/class-names';
import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  /** Absent where a part of the page has the heading. */
  title?: string;
  /** What the page is set to, beside its heading. */
  beside?: ReactNode;
  /** How wide it is at the most; 'wide' is the window, and 'full' all of it beneath the menu. */
  size?: 'narrow' | 'usual' | 'wide' | 'full';
  children: ReactNode;
}

/** A page, beneath the menu where there is one. */
export function Page({ title, beside, size = 'usual', children }: PageProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className={classNames(styles.page, styles[size])}
      data-full={size === 'full' || undefined}
    >
      {title !== undefined && (
        <div className={styles.head}>
          <h1>{title}</h1>
          {beside}
        </div>
      )}
      {children}
    </main>
  );
}
