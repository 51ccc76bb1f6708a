import { z } from 'zod';
import { epochSeconds, id } from './api-types.ts';

/**
 * S-12: a time that was taken or became free. Which one, and nothing of whom it is for: no patient,
 * no type, no reason.
 */
export const slotChange = z.strictObject({
  doctor: id,
  start: epochSeconds,
  end: epochSeconds,
  state: z.enum(['taken', 'freed']),
});

export type SlotChange = z.infer<typeof slotChange>;

/** What the service says over its socket; browsers say nothing. */
export interface LiveEvents {
  readonly slots: (changes: readonly SlotChange[]) => void;
  /** The clinic's records went away, or the clinic announced maintenance. */
  readonly oscarOffline: () => void;
  readonly oscarOnline: () => void;
  /** To the sockets of one patient alone: a message of theirs changed. Nothing of it is said. */
  readonly messages: () => void;
}
