import { t } from '../../messages/t.ts';
import styles from './skip-link.module.css';

/** The first stop of the Tab key: over the header to the page. */
export function SkipLink({ targetId }: { targetId: string }) {
  return (
    <a
      className={styles.link}
      href={`#${targetId}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(targetId)?.focus();
      }}
    >
      {t('shell.skipLink')}
    </a>
  );
}
