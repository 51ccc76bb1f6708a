import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToDesk } from '../live.ts';
import { t } from '../words.ts';
import { countsQuery } from './inbox-data.ts';
import styles from './inbox.module.css';

/** Number of messages that nobody has opened, shown beside the screen's name. */
export function UnreadCount() {
  const queries = useQueryClient();
  const { data } = useQuery(countsQuery);
  useEffect(
    () =>
      listenToDesk({
        onChange: () => void queries.invalidateQueries({ queryKey: countsQuery.queryKey }),
      }),
    [queries],
  );
  if (!data || data.unread === 0) return null;
  return <span className={styles.count}>{t('desk.unread', { n: data.unread })}</span>;
}
