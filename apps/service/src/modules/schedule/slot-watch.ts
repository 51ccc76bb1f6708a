import type { Platform } from '../../platform.ts';
import { together } from '../../database/db.ts';
import { type TakenTime, slotChangesSince } from './store.ts';

/**
 * Open grids learn what is taken and freed while somebody looks at one, always after the commit
 * that did it: a look asks the database what has become visible since the look before, so nothing
 * is told twice, early or not at all. Besides after each commit it looks now and then, for notes
 * that were lost with a connection or a process.
 */
export function watchSlots(
  { database, clock, log, realtime }: Pick<Platform, 'database' | 'clock' | 'log' | 'realtime'>,
  takenTime: TakenTime,
) {
  let snapshot: string | null = null;
  let isWatching = false;

  const look = together<void, void>(async (asked) => {
    if (!isWatching) return asked;
    const changes = await slotChangesSince(database.db, takenTime, snapshot, clock.now());
    snapshot = changes.snapshot;
    if (changes.slots.length > 0) realtime.say('slots', changes.slots);
    return asked;
  });
  const lookNow = () => {
    if (isWatching) look().catch((error: unknown) => log.error('slots-not-watched', error));
  };
  database.onCommit(lookNow);
  const start = () => {
    isWatching = true;
    snapshot = null;
    lookNow();
  };
  realtime.onAudience(start, () => (isWatching = false));
  return { look: () => look() };
}
