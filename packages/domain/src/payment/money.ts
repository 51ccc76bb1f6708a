import { type ClinicDate, type EpochSeconds, toClinic } from '../clinic-time.ts';
import type { FeeMeans } from '../appointments/overrides.ts';
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

/** Money that came in or went back: by card online, or at the clinic by some means. */
export interface MoneyMoved {
  readonly means: FeeMeans | null;
  readonly cents: number;
  /** When it was taken. */
  readonly at: EpochSeconds;
  readonly state: MoneyState;
  /** When it was given back; null where it was not. */
  readonly refundedAt: EpochSeconds | null;
}

/** What came in and went back on a day, in cents: online, and at the clinic by means. */
export interface DayTakings extends Record<FeeMeans, number> {
  readonly date: ClinicDate;
  readonly online: number;
  readonly refunded: number;
}

const NOTHING = { online: 0, refunded: 0, cash: 0, debit: 0, credit: 0, other: 0 };
const WAS_TAKEN: readonly MoneyState[] = ['captured', 'refunding', 'refunded', 'refundFailed'];

/**
 * The takings of each day, the earliest first. What was given back later was taken all the same, and
 * counts as given back on the day on which it was.
 */
export function takingsOf(moved: readonly MoneyMoved[]): DayTakings[] {
  const days = new Map<ClinicDate, typeof NOTHING>();
  const add = (at: EpochSeconds, what: keyof typeof NOTHING, cents: number) => {
    const { date } = toClinic(at);
    const day = days.get(date) ?? NOTHING;
    days.set(date, { ...day, [what]: day[what] + cents });
  };
  for (const { means, cents, at, state, refundedAt } of moved) {
    if (WAS_TAKEN.includes(state)) add(at, means ?? 'online', cents);
    if (refundedAt !== null) add(refundedAt, 'refunded', cents);
  }
  return [...days]
    .map(([date, sums]) => ({ date, ...sums }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}
