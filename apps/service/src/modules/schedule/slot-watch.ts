import type { SlotChange } from '@clinic/contract';

import type { Log } from '../../server/log.ts';
import { together } from '../../server/together.ts';

/** What changed since a snapshot, and the snapshot to ask from next. */
export interface SlotChanges {
  readonly snapshot: string;
  readonly slots: readonly SlotChange[];
}

export interface SlotWatchParts {
  /** Reads what is committed and nothing else; null begins now. */
  readonly changesSince: (snapshot: string | null) => Promise<SlotChanges>;
  /** Told soon after each commit on this database, of whichever process. */
  readonly onCommit: (listener: () => void) => void;
  readonly tell: (changes: readonly SlotChange[]) => void;
  readonly log: Pick<Log, 'error'>;
}

export interface SlotWatch {
  /** From now on, until it stops; the same again is harmless. */
  readonly start: () => void;
  readonly stop: () => void;
  /** Now and then, for notes that were lost with a connection or a process. */
  readonly look: () => Promise<void>;
}

/**
 * Tells which times were taken or freed, always after the commit that did it: a look asks the database
 * what has become visible since the look before, so nothing is told twice, early or not at all.
 */
export function slotWatch({ changesSince, onCommit, tell, log }: SlotWatchParts): SlotWatch {
  let snapshot: string | null = null;
  let isWatching = false;
  let hooked = false;

  const look = together<void, void>(async (asked) => {
    if (!isWatching) return asked;
    const changes = await changesSince(snapshot);
    snapshot = changes.snapshot;
    if (changes.slots.length > 0) tell(changes.slots);
    return asked;
  });
  const lookNow = () => {
    if (!isWatching) return;
    look().catch((error: unknown) => log.error('slots-not-watched', error));
  };

  return {
    start() {
      if (isWatching) return;
      isWatching = true;
      snapshot = null;
      if (!hooked) onCommit(lookNow);
      hooked = true;
      lookNow();
    },
    stop() {
      isWatching = false;
    },
    look: () => look(),
  };
}
