import { text } from '@clinic/contract/texts';
import { TriangleAlert } from 'lucide-react';
import { loadMessages, locale, t } from '../../messages/t.ts';
import styles from './maintenance-message.module.css';

// It may be the first on the page to say a text of the service.
await loadMessages({});

const takeFocus = (heading: HTMLElement | null) => heading?.focus();

interface MaintenanceMessageProps {
  /** What the clinic adds, such as when it will be back. */
  added: string | null;
}

/**
 * It has no way to be closed and goes when the service is back. It stands in the page and takes the
 * focus once: header, footer and legal texts stay in reach of keyboard and screen reader.
 */
export function MaintenanceMessage({ added }: MaintenanceMessageProps) {
  return (
    <section
      className={styles.message}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby="maintenance-title"
      aria-describedby="maintenance-text"
    >
      <TriangleAlert size={24} aria-hidden="true" />
      <div className={styles.words}>
        <h2 ref={takeFocus} id="maintenance-title" className={styles.title} tabIndex={-1}>
          {t('shell.maintenanceTitle')}
        </h2>
        <div id="maintenance-text">
          <p>{text(locale(), 'recordsOffline')}</p>
          {added !== null && <p>{added}</p>}
        </div>
      </div>
    </section>
  );
}
