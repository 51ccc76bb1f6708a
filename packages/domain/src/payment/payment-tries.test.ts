import { describe, expect, it } from 'vitest';
import {
  LIVE_STATES,
  PAYMENT_STATES,
  TRIES_UNDER_ONE_KEY,
  captureRetryDelay,
  nextLook,
  paymentKeys,
} from './payment-step.ts';

describe('the retries of a capture', () => {
  it('come after 1, 2, 4 … minutes, then hourly', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(captureRetryDelay)).toEqual([
      60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]);
  });

  it('use no key for longer than 23 hours', () => {
    const tries = Array.from({ length: TRIES_UNDER_ONE_KEY }, (_, n) => captureRetryDelay(n + 1));
    expect(tries.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(23 * 3600);
  });

  it('begin with a minute even before the first try', () => {
    expect(captureRetryDelay(0)).toBe(60);
  });
});

describe('the next look at a payment', () => {
  it('is due for every payment that is not at its end, and for no other', () => {
    expect(PAYMENT_STATES.filter((state) => nextLook(state, 1, null, 1000) !== null)).toEqual(
      PAYMENT_STATES.filter((state) =>
        [...LIVE_STATES, 'capturing', 'refund_pending'].includes(state),
      ),
    );
  });

  it('is due when the hold ends, if that comes first', () => {
    expect(nextLook('requires_action', 0, 1020, 1000)).toBe(1020);
    expect(nextLook('requires_action', 0, 2000, 1000)).toBe(1060);
    expect(nextLook('created', 0, 2000, 1000)).toBe(1030);
    expect(nextLook('declined', 0, 1000, 1000)).toBe(1060);
  });
});

describe('the keys of a payment', () => {
  it('name one write each, and another round when an error would only be repeated', () => {
    expect([
      paymentKeys.create('p1'),
      paymentKeys.confirm('p1', 2),
      paymentKeys.capture('p1', 0),
      paymentKeys.capture('p1', 1),
      paymentKeys.cancel('p1', 0),
      paymentKeys.refund('p1', 'slotRemoved', 0),
      paymentKeys.refund('p1', 'slotRemoved', 1),
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
