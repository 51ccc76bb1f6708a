import type { Log } from '../../server/log.ts';
import { together } from '../../server/together.ts';
import type { Availability } from './availability.ts';

export interface AvailabilityWatchParts {
  readonly look: () => Promise<Availability['kind']>;
  /** The cheap half of it, for after each commit. */
  readonly isAnnounced: () => Promise<boolean>;
  /** Told soon after each commit on this database, of whichever process. */
  readonly onCommit: (listener: () => void) => void;
  readonly tell: (event: 'oscarOffline' | 'oscarOnline') => void;
  readonly log: Pick<Log, 'error'>;
}

export interface AvailabilityWatch {
  readonly start: () => void;
  readonly stop: () => void;
  /** In turn, every few seconds: asks the records too. */
  readonly look: () => Promise<void>;
}

/** Records that miss one question may answer the next: nobody is signed out for that. */
const LOOKS_BEFORE_OFFLINE = 3;

/**
 * Tells browsers when maintenance is announced or the clinic's records stop answering, and when it is
 * over. An announcement counts at once, silent records after three looks.
 */
export function availabilityWatch(parts: AvailabilityWatchParts): AvailabilityWatch {
  const { onCommit, tell, log } = parts;
  let told: 'online' | 'offline' = 'online';
  let silentLooks = 0;
  let isWatching = false;
  let hooked = false;

  const say = (next: typeof told) => {
    if (next === told) return;
    told = next;
    tell(next === 'offline' ? 'oscarOffline' : 'oscarOnline');
  };
  const look = together<'inTurn' | 'afterCommit', void>(async (asked) => {
    const answers = asked.map(() => undefined);
    if (!isWatching) return answers;
    const inTurn = asked.includes('inTurn');
    // Commits are many: the records are asked after one only where that may end what was told.
    const brief = !inTurn && told === 'online';
    if (brief && !(await parts.isAnnounced())) return answers;
    const found = await parts.look();
    if (found !== 'recordsOffline') silentLooks = 0;
    else if (inTurn) silentLooks += 1;
    if (found === 'online') say('online');
    else if (found === 'announced' || silentLooks >= LOOKS_BEFORE_OFFLINE) say('offline');
    return answers;
  });
  const lookBriefly = () => {
    if (!isWatching) return;
    look('afterCommit').catch((error: unknown) => log.error('availability-not-watched', error));
  };

  return {
    start() {
      if (isWatching) return;
      isWatching = true;
      // Whoever connects asks how things are; only what changes from then on is told.
      told = 'online';
      silentLooks = 0;
      if (!hooked) onCommit(lookBriefly);
      hooked = true;
      lookBriefly();
    },
    stop() {
      isWatching = false;
    },
    look: () => look('inTurn'),
  };
}
