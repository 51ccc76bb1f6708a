import styles from './day-strip.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface StripItem {
  readonly id: string;
  /** Such as 'Tue 15' or a provider's name. */
  readonly label: string;
  /** A second line, such as a month or the number of free times. */
  readonly detail?: string;
  /** What a screen reader says after label and detail. */
  readonly more?: string;
  /** True to show a dot; `more` says what it means. */
  readonly marked?: boolean;
  readonly disabled?: boolean;
}

interface DayStripProps {
  label: string;
  items: readonly StripItem[];
  selected: string | null;
  onSelect: (id: string) => void;
}

function scrollToMiddle(chosen: HTMLElement | null): void {
  const row = chosen?.parentElement;
  if (!chosen || !row) return;
  row.scrollLeft = Math.max(0, chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2);
}

/** A row of days or columns that scrolls sideways. */
export function DayStrip({ label, items, selected, onSelect }: DayStripProps) {
  return (
    <div className={styles.strip} role="group" aria-label={label}>
      {items.map((item) => (
        <button
          key={item.id}
          ref={item.id === selected ? scrollToMiddle : null}
          type="button"
          className={styles.item}
          data-marked={item.marked || undefined}
          aria-pressed={item.id === selected}
          disabled={item.disabled}
          onClick={() => onSelect(item.id)}
        >
          <span className={styles.label}>{item.label}</span>{' '}
          {item.detail && <span className={styles.detail}>{item.detail}</span>}{' '}
          {item.more && <VisuallyHidden>{item.more}</VisuallyHidden>}
        </button>
      ))}
    </div>
  );
}
