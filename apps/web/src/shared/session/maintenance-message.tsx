import { text } from '@clinic/contract/told-by-pages';
import { focusIfLost } from '@clinic/ui/focus';
import { TriangleAlert } from 'lucide-react';
import { loadMessages, locale, t } from '../../messages/t.ts';
import styles from './maintenance-message.module.css';

// This may be the first component on the page to show a text of the service, so it loads those texts.
await loadMessages({});

/** The heading of the login, which comes at the same time, gives it up. */
const takeFocus = (heading: HTMLElement | null) =>
  focusIfLost(heading, document.querySelector('h1'));

interface MaintenanceMessageProps {
  /** The clinic's addition, such as when the service will be back. */
  added: string | null;
}

/**
 * Cannot be closed and disappears when the service is back. It is part of the page, is announced and takes
 * the focus only where nothing has it; header, footer and legal texts stay reachable by keyboard and screen
 * reader.
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
