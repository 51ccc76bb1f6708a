import { type ClinicDate, type EpochSeconds, toClinic } from '../clinic-time.ts';
import type { PaymentState } from './payment-step.ts';

/**
 * Where the money of a payment is, in the words of the front desk. `unknown`: not settled yet. `refunding`:
 * the gateway was asked to refund it and has not confirmed.
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

/** Where the money of a payment is. `refunding` when it is to be refunded and the refund has not begun. */
export const moneyStateOf = (state: PaymentState, isGivenBack: boolean): MoneyState =>
  isGivenBack && mayRefund(state) ? 'refunding' : MONEY_STATE_OF[state];

/** Whether the clinic has the money, so that it may refund it. */
export const mayRefund = (state: PaymentState): boolean => state === 'captured' || state === 'kept';

/** Why the clinic refunds a fee without having cancelled the appointment. */
export const REFUND_REASONS = ['notGiven', 'mistake', 'goodwill', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** How a fee was taken or refunded at the clinic. */
export const FEE_MEANS = ['cash', 'debit', 'credit', 'other'] as const;
export type FeeMeans = (typeof FEE_MEANS)[number];

/** Money that came in or was refunded: by card online, or at the clinic by some means. */
export interface MoneyMoved {
  readonly means: FeeMeans | null;
  readonly cents: number;
  /** When the money was taken. */
  readonly at: EpochSeconds;
  readonly state: MoneyState;
  /** When the money was refunded; null when it was not. */
  readonly refundedAt: EpochSeconds | null;
  /** How the clinic refunded it at the counter; null when the gateway did, or nobody. */
  readonly refundMeans: FeeMeans | null;
}

/** What came in and was refunded on a day, in cents: online, and at the clinic by means. */
export interface DayTakings extends Record<FeeMeans, number> {
  readonly date: ClinicDate;
  readonly online: number;
  /** The sum of all refunds; `back` has those made at the clinic, by means. */
  readonly refunded: number;
  readonly back: Readonly<Record<FeeMeans, number>>;
}

const NO_MEANS = { cash: 0, debit: 0, credit: 0, other: 0 };
const NOTHING = { online: 0, refunded: 0, ...NO_MEANS, back: NO_MEANS };
const WAS_TAKEN: readonly MoneyState[] = ['captured', 'refunding', 'refunded', 'refundFailed'];

/**
 * The takings of each day, the earliest first. A fee that was refunded later counts as taken on its day, and
 * as refunded on the day of the refund.
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
