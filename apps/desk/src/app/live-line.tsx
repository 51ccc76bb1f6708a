import { toClinicTime } from '@clinic/app/clock';
import { formatTime } from '@clinic/domain';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../shared/api.ts';
import styles from '../shared/app.module.css';
import { listenToDesk } from './live.ts';
import { t } from '../shared/words.ts';

/** A shorter interruption is not reported. */
const LOST_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 5_000;

/**
 * Keeps what is shown up to date, and says so while the service is not heard. What was shown before is asked
 * for in the background.
 */
export function LiveLine() {
  const queries = useQueryClient();
  // The instant of the oldest data shown, in milliseconds; null while the service is heard.
  const [asOf, setAsOf] = useState<number | null>(null);
  // The live connection and its timers are outside of React.
  useEffect(() => {
    let lost: ReturnType<typeof setTimeout> | undefined;
    let looking: ReturnType<typeof setInterval> | undefined;
    const isHeard = () => {
      clearTimeout(lost);
      clearInterval(looking);
      lost = undefined;
    };
    let heardAt = Date.now();
    const look = () => setAsOf(oldestShown(queries) ?? heardAt);
    const stop = listenToDesk({
      onChange: () =>
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.live === true }),
      onConnection: (stands, isRefused) => {
        if (isRefused) void queries.invalidateQueries(sessionQuery);
        if (stands) {
          isHeard();
          setAsOf(null);
        } else if (lost === undefined) {
          heardAt = Date.now();
          lost = setTimeout(() => {
            look();
            looking = setInterval(look, LOOK_EVERY_MS);
          }, LOST_AFTER_MS);
        }
      },
    });
    return () => {
      stop();
      isHeard();
      setAsOf(null);
    };
  }, [queries]);
  return (
    <p className={styles.live}>
      {/* The time is not announced each time that it moves on. */}
      <span role="status">{asOf !== null && t('desk.notLive')}</span>
      {asOf !== null && ` ${t('desk.lastUpdated', { time: formatTime(toClinicTime(asOf)) })}`}
    </p>
  );
}

/** When the oldest of the live data shown was fetched. */
function oldestShown(queries: QueryClient): number | null {
  const shown = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.live === true })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0);
  return shown.length === 0 ? null : Math.min(...shown);
}
