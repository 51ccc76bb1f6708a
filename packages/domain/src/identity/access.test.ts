import { describe, expect, test } from 'vitest';
import { anAccount } from '../testing/index.ts';
import { type AccountFacts, accessOf } from './access.ts';

// Shows: R-60
describe('What an account may do follows from its facts', () => {
  const BOOKS = { block: 'none', signIn: null, booking: null, booksOnline: true };
  const blockedFrom = (block: 'booking' | 'account') => ({
    block,
    signIn: block === 'account' ? 'accountBlocked' : null,
    booking: 'bookingBlocked',
    booksOnline: false,
  });
  test.each<[string, Partial<AccountFacts>, object]>([
    ['nothing', {}, BOOKS],
    ['booking', { bookingBlocked: true }, blockedFrom('booking')],
    ['the account', { blocked: true }, blockedFrom('account')],
    ['both', { blocked: true, bookingBlocked: true }, blockedFrom('account')],
    ['sight', { visibility: [] }, { ...BOOKS, signIn: 'notVisible', booksOnline: false }],
    [
      'booking and sight',
      { bookingBlocked: true, visibility: [] },
      { ...blockedFrom('booking'), signIn: 'notVisible' },
    ],
    [
      'the account, which is closed',
      { blocked: true, closedAt: 1 },
      { ...BOOKS, signIn: 'accountBlocked', booksOnline: false },
    ],
    [
      'booking, and the account is closed',
      { blocked: true, bookingBlocked: true, closedAt: 1 },
      { ...blockedFrom('booking'), signIn: 'accountBlocked' },
    ],
  ])('blocked: %s', (_, facts, access) => {
    expect(accessOf(anAccount(facts))).toEqual(access);
  });

  test('without an account staff book, and nothing is offered online', () => {
    const none = { ...BOOKS, signIn: 'accountBlocked', booksOnline: false };
    expect(accessOf(null)).toEqual(none);
  });
});
