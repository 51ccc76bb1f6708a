import { describe, expect, it } from 'vitest';
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
