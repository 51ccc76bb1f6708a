import { text } from '@clinic/contract/texts';
import { TriangleAlert } from 'lucide-react';
import { loadMessages, locale, t } from '../../messages/t.ts';
import styles from './maintenance-message.module.css';

// This may be the first component on the page to show a text of the service, so it loads those texts.
await loadMessages({});

const takeFocus = (heading: HTMLElement | null) => heading?.focus();

interface MaintenanceMessageProps {
  /** The clinic's addition, such as when the service will be back. */
  added: string | null;
}

/**
 * Cannot be closed and disappears when the service is back. It is part of the page and takes the
 * focus once; header, footer and legal texts stay reachable by keyboard and screen reader.
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
