import { describe, expect, it } from 'vitest';
import {
  ACTIVE_STATES,
  PAYMENT_STATES,
  MAX_TRIES_PER_KEY,
  paymentRetryDelay,
  nextCheckAt,
  idempotencyKeys,
} from './payment-step.ts';

describe('the retries of a capture', () => {
  it('come after 1, 2, 4 … minutes, then hourly', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(paymentRetryDelay)).toEqual([
      60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]);
  });

  it('use no key for longer than 23 hours', () => {
    const tries = Array.from({ length: MAX_TRIES_PER_KEY }, (_, n) => paymentRetryDelay(n + 1));
    expect(tries.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(23 * 3600);
  });

  it('begin with a minute even before the first try', () => {
    expect(paymentRetryDelay(0)).toBe(60);
  });
});

describe('the next look at a payment', () => {
  it('is due for every payment that is not at its end, and for no other', () => {
    expect(PAYMENT_STATES.filter((state) => nextCheckAt(state, 1, null, 1000) !== null)).toEqual(
      PAYMENT_STATES.filter((state) =>
        [...ACTIVE_STATES, 'capturing', 'refund_pending'].includes(state),
      ),
    );
  });

  it('is due when the hold ends, if that comes first', () => {
    expect(nextCheckAt('requires_action', 0, 1020, 1000)).toBe(1020);
    expect(nextCheckAt('requires_action', 0, 2000, 1000)).toBe(1060);
    expect(nextCheckAt('created', 0, 2000, 1000)).toBe(1030);
    expect(nextCheckAt('declined', 0, 1000, 1000)).toBe(1060);
  });
});

describe('the keys of a payment', () => {
  it('name one write each, and another round when an error would only be repeated', () => {
    expect([
      idempotencyKeys.create('p1'),
      idempotencyKeys.confirm('p1', 2),
      idempotencyKeys.capture('p1', 0),
      idempotencyKeys.capture('p1', 1),
      idempotencyKeys.cancel('p1', 0),
      idempotencyKeys.refund('p1', 'slotRemoved', 0),
      idempotencyKeys.refund('p1', 'slotRemoved', 1),
    ]).toEqual([
      'pi-create:p1',
      'pi-confirm:p1:2',
      'pi-capture:p1',
      'pi-capture:p1:1',
      'pi-cancel:p1:0',
      'refund:p1:slotRemoved',
      'refund:p1:slotRemoved:1',
    ]);
  });
});
