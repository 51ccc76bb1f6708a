import { describe, expect, it } from 'vitest';
import { paymentKeys } from './payment-keys.ts';
import { practiceCardOf, practicePaymentMethod } from './practice-card.ts';

describe('a practice card', () => {
  it.each([
    ['4242 4242 4242 4242', 'succeeds'],
    ['4000 0000 0000 3220', 'needsBank'],
    ['4000000000000002', 'declined'],
    ['4000-0000-0000-9995', 'insufficient'],
    ['4000 0000 0000 0069', 'expired'],
  ])('%s becomes a payment method that %s, without its number', (number, card) => {
    const method = practicePaymentMethod(number, 'a1B2') ?? '';
    expect(practiceCardOf(method)).toBe(card);
    expect(method).not.toContain(number.replaceAll(/\D/g, ''));
  });

  it.each(['', '4242', '4111 1111 1111 1111', '42424242424242421', 'abcd'])(
    'refuses %j, so that nobody types a real card',
    (number) => expect(practicePaymentMethod(number, 'a1')).toBeNull(),
  );

  it.each(['pm_card_visa', 'pm_practice_', 'pm_practice_succeeds_', 'pm_practice_other_a1'])(
    'does not know %j',
    (method) => expect(practiceCardOf(method)).toBeNull(),
  );
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
