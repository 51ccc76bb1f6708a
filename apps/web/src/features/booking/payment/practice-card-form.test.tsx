import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CLINIC_NOW } from '../../../testing/booking-clinic.ts';
import { atPayment, payWith } from '../../../testing/booking-person.tsx';
import { asCardNumber, asExpiry, cardProblems } from './practice-card-form.tsx';

const good = { number: '4242 4242 4242 4242', expiry: '11/26', cvc: '123' };

test('a practice card with this month or a later one can be used', () => {
  expect(cardProblems(good, CLINIC_NOW)).toEqual([]);
  expect(cardProblems({ ...good, expiry: '01/27' }, CLINIC_NOW)).toEqual([]);
});

test.each([
  ['a real number', { number: '4111 1111 1111 1111' }, 'number'],
  ['no number', { number: '' }, 'number'],
  ['the month before this one', { expiry: '10/26' }, 'expiry'],
  ['a thirteenth month', { expiry: '13/30' }, 'expiry'],
  ['no month at all', { expiry: '00/30' }, 'expiry'],
  ['half an expiry', { expiry: '12' }, 'expiry'],
  ['two digits of a CVC', { cvc: '12' }, 'cvc'],
])('%s is refused', (_, wrong, field) => {
  expect(cardProblems({ ...good, ...wrong }, CLINIC_NOW)).toEqual([field]);
});

test('number and expiry are grouped as they are typed', () => {
  expect(asCardNumber('42424242424242429')).toBe('4242 4242 4242 4242');
  expect(asCardNumber('4242-42')).toBe('4242 42');
  expect(asExpiry('1')).toBe('1');
  expect(asExpiry('1230')).toBe('12/30');
});

test('the form says that it is practice, and refuses any other card by name', async () => {
  const person = await atPayment();
  expect(await screen.findByText(/Never type a real card number\. These/)).toBeTruthy();
  await payWith(person, '4111111111111111');
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toContain('Only the practice card numbers above work.');
  expect(screen.getByLabelText('Card number').getAttribute('aria-invalid')).toBe('true');
  expect(person.service.calls).not.toContain('POST /services/charge');
});
