import { type ClinicDate, type EpochSeconds, toClinic } from '../clinic-time.ts';
import type { PaymentState } from './payment-step.ts';

/**
 * Where the money of a payment is, in the words of the front desk. `unknown`: it is not settled
 * yet; `refunding`: the card company was asked to give it back and has not said that it did.
 */
export const MONEY_STATES = [
  'authorised',
  'captured',
  'refunding',
  'refunded',
  'refundFailed',
  'failed',
  'unknown',
] as const;
export type MoneyState = (typeof MONEY_STATES)[number];

const MONEY_STATE_OF: Readonly<Record<PaymentState, MoneyState>> = {
  created: 'unknown',
  requires_action: 'unknown',
  cancelling: 'unknown',
  declined: 'failed',
  cancelled: 'failed',
  capturing: 'authorised',
  captured: 'captured',
  kept: 'captured',
  capture_failed: 'failed',
  refund_pending: 'refunding',
  refunded: 'refunded',
  refund_failed: 'refundFailed',
};

/** Where the money of a payment is. One that is to be given back, and of which nothing came yet, is `refunding`. */
export const moneyStateOf = (state: PaymentState, isGivenBack: boolean): MoneyState =>
  isGivenBack && mayGiveBack(state) ? 'refunding' : MONEY_STATE_OF[state];

/** Whether the clinic has the money and may give it back. */
export const mayGiveBack = (state: PaymentState): boolean =>
  state === 'captured' || state === 'kept';

/** Why the clinic gives a fee back whose appointment it has not cancelled. */
export const REFUND_REASONS = ['notGiven', 'mistake', 'goodwill', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** How a fee was taken at the clinic, or given back there. */
export const FEE_MEANS = ['cash', 'debit', 'credit', 'other'] as const;
export type FeeMeans = (typeof FEE_MEANS)[number];

/** By whom of the staff something was done at the counter, how and when. */
interface AtCounter {
  readonly means: FeeMeans;
  readonly by: string;
  readonly at: EpochSeconds;
}

/** A fee that is taken at the clinic, and once it was, and once it was given back there, how. */
export interface FeeAtClinic {
  readonly cents: number;
  readonly taken?: AtCounter;
  readonly givenBack?: AtCounter & { readonly reason: RefundReason };
}

/** Money that came in or went back: by card online, or at the clinic by some means. */
export interface MoneyMoved {
  readonly means: FeeMeans | null;
  readonly cents: number;
  /** When it was taken. */
  readonly at: EpochSeconds;
  readonly state: MoneyState;
  /** When it was given back; null where it was not. */
  readonly refundedAt: EpochSeconds | null;
  /** How it was given back at the clinic; null where the card company did it, or nobody. */
  readonly refundMeans: FeeMeans | null;
}

/** What came in and went back on a day, in cents: online, and at the clinic by means. */
export interface DayTakings extends Record<FeeMeans, number> {
  readonly date: ClinicDate;
  readonly online: number;
  /** All that went back, and what of it at the clinic, by means. */
  readonly refunded: number;
  readonly back: Readonly<Record<FeeMeans, number>>;
}

const NO_MEANS = { cash: 0, debit: 0, credit: 0, other: 0 };
const NOTHING = { online: 0, refunded: 0, ...NO_MEANS, back: NO_MEANS };
const WAS_TAKEN: readonly MoneyState[] = ['captured', 'refunding', 'refunded', 'refundFailed'];

/**
 * The takings of each day, the earliest first. What was given back later was taken all the same, and
 * counts as given back on the day on which it was.
 */
export function takingsOf(moved: readonly MoneyMoved[]): DayTakings[] {
  const days = new Map<ClinicDate, typeof NOTHING>();
  const change = (at: EpochSeconds, to: (day: typeof NOTHING) => Partial<typeof NOTHING>) => {
    const { date } = toClinic(at);
    const day = days.get(date) ?? NOTHING;
    days.set(date, { ...day, ...to(day) });
  };
  for (const { means, cents, at, state, refundedAt, refundMeans } of moved) {
    const came = means ?? 'online';
    if (WAS_TAKEN.includes(state)) change(at, (day) => ({ [came]: day[came] + cents }));
    if (refundedAt === null) continue;
    change(refundedAt, ({ refunded, back }) => ({
      refunded: refunded + cents,
      back: refundMeans === null ? back : { ...back, [refundMeans]: back[refundMeans] + cents },
    }));
  }
  return [...days]
    .map(([date, sums]) => ({ date, ...sums }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}
