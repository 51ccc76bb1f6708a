import type { ReactNode } from 'react';
import styles from './schedule.module.css';

/** So that the arrow keys scroll it where nothing in it takes the focus. */
const FOCUSABLE = { tabIndex: 0 };

/** A table that scrolls within the page, with its caption. */
export function ScrollingTable({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className={styles.scroll} role="group" aria-label={caption} {...FOCUSABLE}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        {children}
      </table>
    </div>
  );
}
