import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import styles from './visit-section.module.css';

interface VisitSectionProps {
  title: string;
  count: number;
  /** Said when there is nothing. */
  empty: string;
  initiallyOpen: boolean;
  children: ReactNode;
  /** Beneath the cards. */
  after?: ReactNode;
}

/** A section that folds; how many cards it has stands beside its name. */
export function VisitSection(props: VisitSectionProps) {
  const { title, count, empty, initiallyOpen, children, after } = props;
  const id = useId();
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className={styles.title} id={`${id}-title`}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => setOpen(!open)}
        >
          <span>
            {title} <span className={styles.count}>{t('appointments.count', { count })}</span>
          </span>
          <ChevronDown size={24} aria-hidden="true" className={styles.arrow} />
        </button>
      </h2>
      <div id={`${id}-body`} className={styles.body} data-open={open}>
        {count === 0 ? (
          <p className={styles.empty}>{empty}</p>
        ) : (
          <ul className={styles.cards}>{children}</ul>
        )}
        {after}
      </div>
    </section>
  );
}
