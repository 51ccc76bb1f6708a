import { describe, expect, test } from 'vitest';
import { toInstant } from '../clinic-time.ts';
import { type MoneyMoved, mayRefund, moneyStateOf, takingsOf } from './money.ts';
import { PAYMENT_STATES } from './payment-step.ts';

const at = (date: string, time = '10:00') => toInstant(date, time);
const online = (over: Partial<MoneyMoved> = {}): MoneyMoved => ({
  means: null,
  cents: 7_500,
  at: at('2026-11-20'),
  state: 'captured',
  refundedAt: null,
  refundMeans: null,
  ...over,
});

describe('Where the money of a payment is', () => {
  test('is said of each state', () => {
    expect(PAYMENT_STATES.map((state) => `${state} ${moneyStateOf(state, false)}`)).toEqual([
      'created unknown',
      'requires_action unknown',
      'declined failed',
      'cancelling unknown',
      'cancelled failed',
      'capturing authorised',
      'captured captured',
      'kept captured',
      'capture_failed failed',
      'refund_pending refunding',
      'refunded refunded',
      'refund_failed refundFailed',
    ]);
  });

  test('is on its way back as soon as the clinic gives it back, also before the card company knows', () => {
    expect(moneyStateOf('captured', true)).toBe('refunding');
    expect(moneyStateOf('refunded', true)).toBe('refunded');
    expect(moneyStateOf('refund_failed', true)).toBe('refundFailed');
  });

  test('is given back only where the clinic has it', () => {
    expect(PAYMENT_STATES.filter(mayRefund)).toEqual(['captured', 'kept']);
  });
});

describe('The takings of a day', () => {
  test('are summed by means, and apart from what was paid online', () => {
    const moved = [
      online(),
      online({ means: 'cash', cents: 1_000 }),
      online({ means: 'cash', cents: 1_500, at: at('2026-11-20', '23:55') }),
      online({ means: 'debit', cents: 2_000, at: at('2026-11-21', '00:05') }),
    ];
    const none = { online: 0, refunded: 0, cash: 0, debit: 0, credit: 0, other: 0 };
    const back = { cash: 0, debit: 0, credit: 0, other: 0 };
    expect(takingsOf(moved)).toEqual([
      { ...none, date: '2026-11-20', online: 7_500, cash: 2_500, back },
      { ...none, date: '2026-11-21', debit: 2_000, back },
    ]);
  });

  test('count what was given back on the day on which it was, and what failed not at all', () => {
    const moved = [
      online({ state: 'refunded', refundedAt: at('2026-11-25') }),
      online({ state: 'failed' }),
      online({ state: 'unknown' }),
      online({ state: 'authorised' }),
    ];
    expect(takingsOf(moved)).toMatchObject([
      { date: '2026-11-20', online: 7_500, refunded: 0 },
      { date: '2026-11-25', online: 0, refunded: 7_500 },
    ]);
  });

  test('say what of it went back at the clinic, by the means by which it did', () => {
    const back = { means: 'credit', state: 'refunded', refundMeans: 'cash' } as const;
    const moved = [
      online({ ...back, cents: 1_000, refundedAt: at('2026-11-20', '16:00') }),
      online({ ...back, cents: 1_500, refundedAt: at('2026-11-21') }),
      online({ state: 'refunded', refundedAt: at('2026-11-21') }),
    ];
    expect(takingsOf(moved)).toMatchObject([
      { date: '2026-11-20', credit: 2_500, cash: 0, refunded: 1_000, back: { cash: 1_000 } },
      { date: '2026-11-21', cash: 0, refunded: 9_000, back: { cash: 1_500, credit: 0 } },
    ]);
  });
});
