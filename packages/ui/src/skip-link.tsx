import type { ReactNode } from 'react';
import styles from './skip-link.module.css';

/** The first stop of the Tab key: over the header to the page. */
export function SkipLink({ targetId, children }: { targetId: string; children: ReactNode }) {
  return (
    <a
      className={styles.link}
      href={`#${targetId}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(targetId)?.focus();
      }}
    >
      {children}
    </a>
  );
}
