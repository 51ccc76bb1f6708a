import type { ReactNode } from 'react';
import { focusByPress } from './focus.ts';
import styles from './skip-link.module.css';

/** The first Tab stop: jumps over the header to the page's content. */
export function SkipLink({ targetId, children }: { targetId: string; children: ReactNode }) {
  return (
    <a
      className={styles.link}
      href={`#${targetId}`}
      onClick={(event) => {
        event.preventDefault();
        focusByPress(document.getElementById(targetId));
      }}
    >
      {children}
    </a>
  );
}
