import type { SlotChange } from '@clinic/contract';

import { type Db, together } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';

/** Reads what is committed and nothing else; null begins now. */
type ChangesSince = (
  db: Db,
  snapshot: string | null,
  now: number,
) => Promise<{ readonly snapshot: string; readonly slots: readonly SlotChange[] }>;

/**
 * Open grids learn what is taken and freed while somebody looks at one, always after the commit
 * that did it: a look asks the database what has become visible since the look before, so nothing
 * is told twice, early or not at all. Besides after each commit it looks now and then, for notes
 * that were lost with a connection or a process.
 */
export function watchSlots(
  { database, clock, log, realtime }: Pick<Platform, 'database' | 'clock' | 'log' | 'realtime'>,
  changesSince: ChangesSince,
) {
  let snapshot: string | null = null;
  let isWatching = false;
  let hooked = false;

  const look = together<void, void>(async (asked) => {
    if (!isWatching) return asked;
    const changes = await changesSince(database.db, snapshot, clock.now());
    snapshot = changes.snapshot;
    if (changes.slots.length > 0) realtime.say('slots', changes.slots);
    return asked;
  });
  const lookNow = () => {
    if (!isWatching) return;
    look().catch((error: unknown) => log.error('slots-not-watched', error));
  };
  const start = () => {
    if (isWatching) return;
    isWatching = true;
    snapshot = null;
    if (!hooked) database.onCommit(lookNow);
    hooked = true;
    lookNow();
  };
  realtime.onAudience(start, () => (isWatching = false));
  return { look: () => look() };
}
