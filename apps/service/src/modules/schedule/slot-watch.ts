import type { SlotChange } from '@clinic/contract';

import type { Log } from '../../platform/log.ts';
import { together } from '../../platform/together.ts';

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
  readonly log: Pick<Log, 'trouble'>;
}

export interface SlotWatch {
  /** From now on, until it stops; the same again is harmless. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** For notes that were lost with a connection or a process. */
const LOOK_EVERY_MS = 2_000;

/**
 * Tells which times were taken or freed, always after the commit that did it: a look asks the database
 * what has become visible since the look before, so nothing is told twice, early or not at all.
 */
export function slotWatch({ changesSince, onCommit, tell, log }: SlotWatchParts): SlotWatch {
  let snapshot: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hooked = false;

  const look = together<void, void>(async (asked) => {
    if (timer === undefined) return asked;
    const changes = await changesSince(snapshot);
    snapshot = changes.snapshot;
    if (changes.slots.length > 0) tell(changes.slots);
    return asked;
  });
  const lookNow = () => {
    if (timer === undefined) return;
    look().catch((error: unknown) => log.trouble('slots-not-watched', error));
  };

  return {
    start() {
      if (timer !== undefined) return;
      snapshot = null;
      timer = setInterval(lookNow, LOOK_EVERY_MS);
      timer.unref();
      if (!hooked) onCommit(lookNow);
      hooked = true;
      lookNow();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
