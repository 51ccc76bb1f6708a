import type { ReactNode } from 'react';
import styles from './schedule.module.css';

/** Lets the arrow keys scroll the table where nothing inside is focusable. */
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
