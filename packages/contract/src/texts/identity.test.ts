import type { RegistrationProblem } from '@clinic/domain';
import { expect, test } from 'vitest';
import { passwordText, profileText, registrationText } from './identity.ts';

// Shows: 5.sign-up.3
test.each<[RegistrationProblem, string]>([
  [{ field: 'city', code: 'invalidSymbol' }, 'Invalid symbol detected in City field'],
  [{ field: 'emailConfirm', code: 'doNotMatch' }, 'Email and Confirm Email do not match'],
  [
    { field: 'password', code: 'tooShort', minimum: 8 },
    'The length of Password must be greater than 8',
  ],
  [
    { field: 'healthCardNumber', code: 'tooShort', minimum: 6 },
    'The length of Health Card Number must be greater than 6',
  ],
  [
    { field: 'phones', code: 'missing' },
    'Either Mobile Phone, Home Phone or International Phone is required for registration.',
  ],
  [{ field: 'mobilePhone', code: 'invalid' }, 'The Mobile Phone Number you entered is invalid'],
  [{ field: 'phone', code: 'invalid' }, 'The Home Phone Number you entered is invalid.'],
  [{ field: 'healthCardNumber', code: 'bcInvalid' }, 'The BC healthcard number is invalid.'],
  [{ field: 'consent', code: 'missing' }, 'Please mark checkbox below to continue.'],
  [{ field: 'recaptcha', code: 'missing' }, 'Please validate you are not a bot.'],
])('Sign-up says to %j: %s (§5 Sign-up)', (problem, said) => {
  expect(registrationText('en', problem)).toBe(said);
});

test('The account form has words of its own for what is empty, the phones and the province (§5)', () => {
  expect(profileText('en', { field: 'city', code: 'missing' })).toBe(
    'Highlighted input field cannot be empty',
  );
  expect(profileText('en', { field: 'phones', code: 'missing' })).toBe(
    'Please enter at least one phone number.',
  );
  expect(profileText('en', { field: 'province', code: 'notInList' })).toBe(
    'Please choose a Province from the drop down menu',
  );
});

test('A new password is refused in the words of §5', () => {
  expect(['empty', 'tooShort'].map((code) => passwordText('en', code as 'empty'))).toEqual([
    'Password input cannot be empty',
    'The length of password must be greater than 8',
  ]);
});
