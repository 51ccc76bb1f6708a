import type { EpochSeconds } from '../clinic-time.ts';
import {
  type AppointmentState,
  isHold,
  isBooked,
  mayLapse,
  hasPaymentLink,
} from './appointment-state.ts';

/** How long emails and refunds of an act of staff wait, and it can be undone. */
export const UNDO_SECONDS = 30;

export const UNDOABLE_ACTS = ['book', 'move', 'cancel'] as const;
export type UndoableAct = (typeof UNDOABLE_ACTS)[number];

/** The state in which an act leaves what it is about. */
const LEFT = { book: 'booked', move: 'booked', cancel: 'cancelled' } as const;

/** Why an act is not undone. `tooLate`: its time is over; `changed`: somebody has changed since what it left. */
export type NotUndone = 'tooLate' | 'changed' | 'bookedSince';

interface Standing {
  readonly id: string;
  readonly state: AppointmentState;
  readonly changedAt: EpochSeconds;
}

interface UndoFacts {
  readonly act: {
    readonly kind: UndoableAct;
    readonly until: EpochSeconds;
    /** What it booked, cancelled or moved to. */
    readonly subject: string;
  };
  readonly subject: Standing & { readonly isFeeNoted: boolean };
  /** The holds of the patient and what they have booked. */
  readonly ownAppointments: readonly Standing[];
  readonly now: EpochSeconds;
}

/**
 * Why an act of staff is not undone, or null. Time that was given up is taken back only where its patient has
 * booked nothing since: the limits were decided without it.
 */
export function whyNotUndone({ act, subject, ownAppointments, now }: UndoFacts): NotUndone | null {
  if (now >= act.until) return 'tooLate';
  if (subject.state !== LEFT[act.kind] || subject.isFeeNoted) return 'changed';
  if (act.kind === 'book') return null;
  const at = act.until - UNDO_SECONDS;
  const counts = (each: Standing) =>
    isBooked(each) || (isHold(each) && (!mayLapse(each) || hasPaymentLink(each)));
  const since = ownAppointments.some(
    (each) => each.id !== act.subject && counts(each) && each.changedAt >= at,
  );
  return since ? 'bookedSince' : null;
}
