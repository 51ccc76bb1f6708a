import { type EpochSeconds, toClinic } from '../clinic-time.ts';
import type { FeeMeans, RefundReason } from './money.ts';

/** Why the clinic asks no fee of somebody who would owe one. */
export const WAIVE_REASONS = ['hardship', 'ownMistake', 'longWait', 'clinician', 'other'] as const;
export type WaiveReason = (typeof WAIVE_REASONS)[number];

/** Who of the staff noted something of a fee, and when. */
interface Noted {
  readonly by: string;
  readonly at: EpochSeconds;
}

interface AtCounter extends Noted {
  readonly means: FeeMeans;
}

/** A fee to be taken at the clinic; once it was taken or waived, how or why; and how it was refunded there. */
export interface FeeAtClinic {
  readonly cents: number;
  readonly taken?: AtCounter;
  readonly waived?: Noted & { readonly reason: WaiveReason };
  readonly givenBack?: AtCounter & { readonly reason: RefundReason };
}

export type FeeState = 'due' | 'taken' | 'waived' | 'givenBack';

/** Of what was noted of a fee, when. */
type NotedWhen = {
  readonly [Note in 'taken' | 'waived' | 'givenBack']?: { readonly at: EpochSeconds } | undefined;
};

export function feeStateOf({ taken, waived, givenBack }: NotedWhen): FeeState {
  if (givenBack !== undefined) return 'givenBack';
  if (taken !== undefined) return 'taken';
  return waived === undefined ? 'due' : 'waived';
}

/** What staff note of a fee. What is struck is named by when it was noted. */
export type FeeNote =
  | { readonly kind: 'taken'; readonly means: FeeMeans }
  | { readonly kind: 'waived'; readonly reason: WaiveReason }
  | { readonly kind: 'givenBack'; readonly means: FeeMeans; readonly reason: RefundReason }
  | { readonly kind: 'struck'; readonly at: EpochSeconds };

/**
 * When what can be struck of a fee was noted; null where nothing can. R-126: that it was taken or waived, until
 * midnight of that day. An earlier day is in sums that were read, and what was given back has left the drawer.
 */
export function strikeableOf(
  { taken, waived, givenBack }: NotedWhen,
  now: EpochSeconds,
): EpochSeconds | null {
  const noted = givenBack === undefined ? (taken ?? waived) : undefined;
  return noted && toClinic(noted.at).date === toClinic(now).date ? noted.at : null;
}

/** A fee once staff have noted something of it; null where that cannot be noted of it. */
export function noteOnFee(fee: FeeAtClinic, note: FeeNote, { by, at }: Noted): FeeAtClinic | null {
  const state = feeStateOf(fee);
  switch (note.kind) {
    case 'taken':
      return state === 'due' ? { ...fee, taken: { means: note.means, by, at } } : null;
    case 'waived':
      return state === 'due' ? { ...fee, waived: { reason: note.reason, by, at } } : null;
    case 'givenBack': {
      const { means, reason } = note;
      return state === 'taken' ? { ...fee, givenBack: { means, reason, by, at } } : null;
    }
    case 'struck':
      return strikeableOf(fee, at) === note.at ? { cents: fee.cents } : null;
  }
}
