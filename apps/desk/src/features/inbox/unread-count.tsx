import { useQuery } from '@tanstack/react-query';
import { t } from '../../shared/words.ts';
import { countsQuery } from './inbox-data.ts';
import styles from './inbox.module.css';

/** Number of messages that nobody has opened, shown beside the screen's name. */
export function UnreadCount() {
  const { data } = useQuery(countsQuery);
  if (!data || data.unread === 0) return null;
  return <span className={styles.count}>{t('desk.unread', { n: data.unread })}</span>;
}
