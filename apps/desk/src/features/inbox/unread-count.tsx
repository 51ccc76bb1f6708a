import { pageLanguage } from '@clinic/app/language';
import { useStore } from '@clinic/app/store';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../shared/words.ts';
import { countsQuery } from './inbox-data.ts';
import styles from './inbox.module.css';

/** Number of messages that nobody has opened, shown beside the screen's name. */
export function UnreadCount() {
  // It stands in a list that is made once, and is drawn anew by itself.
  useStore(pageLanguage);
  const { data } = useQuery(countsQuery);
  if (!data || data.unread === 0) return null;
  return <span className={styles.count}>{t('desk.unread', { n: data.unread })}</span>;
}
