import { Button } from '@clinic/ui/button';
import styles from './office.module.css';
import { t } from './words.ts';

interface PagerProps<After> {
  label: string;
  /** Where the shown page begins; null for the first. */
  after: After | null;
  /** Where the next page begins; null after the last. */
  next: After | null;
  busy: boolean;
  onTurn: (after: After | null) => void;
}

/** Turns the pages of a list that begins with the newest. */
export function Pager<After>({ label, after, next, busy, onTurn }: PagerProps<After>) {
  const button = (name: string, to: After | null, isThere: boolean) => (
    <Button variant="secondary" disabled={!isThere} busy={busy} onClick={() => onTurn(to)}>
      {name}
    </Button>
  );
  return (
    <nav className={styles.buttons} aria-label={label}>
      {button(t('desk.newest'), null, after !== null)}
      {button(t('desk.older'), next, next !== null)}
    </nav>
  );
}
