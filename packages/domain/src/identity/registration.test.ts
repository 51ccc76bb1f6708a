import { describe, expect, test } from 'vitest';
import { COUNTRIES } from '../medical/countries.ts';
import { type RegistrationForm, cardOf, whyRegistrationRefused } from './forms.ts';

const today = '2026-11-21';
const form: RegistrationForm = {
  firstName: 'Ada',
  lastName: "O'Brien-Łuk",
  gender: 'Female',
  address: '12/34 Main St. #5',
  city: 'Vancouver',
  province: 'BC',
  postal: 'V5K 0A1',
  country: 'Canada',
  phone: '',
  mobilePhone: '6045550142',
  internationalPhone: '',
  email: 'Ada@practice.example',
  emailConfirm: ' ada@practice.example ',
  password: 'Practice-2026',
  passwordConfirm: 'Practice-2026',
  healthCardProvince: 'BC',
  healthCardNumber: '9876543218',
  healthCardNumberConfirm: '9876 543 218',
  birthYear: 1984,
  birthMonth: 5,
  birthDay: 17,
  consent: true,
  captcha: true,
};
const problems = (over: Partial<RegistrationForm>) =>
  whyRegistrationRefused({ ...form, ...over }, today).map(({ field, code }) => [field, code]);

describe('the sign-up form (§5 Sign-up)', () => {
  test('passes when everything is in order', () => {
    expect(problems({})).toEqual([]);
  });

  // Shows: 5.sign-up.1
  test.each([
    'firstName',
    'lastName',
    'gender',
    'address',
    'city',
    'province',
    'postal',
    'country',
    'email',
    'password',
    'healthCardProvince',
    'healthCardNumber',
  ] as const)('asks for %s', (field) => {
    expect(problems({ [field]: ' '.repeat(field === 'password' ? 0 : 2) })).toContainEqual([
      field,
      'missing',
    ]);
  });

  // Shows: 5.sign-up.2
  test.each(['firstName', 'lastName', 'city', 'postal', 'country'] as const)(
    'takes no invalid symbol in %s (R-62)',
    (field) => {
      expect(problems({ [field]: 'Anne<3' })).toEqual([[field, 'invalidSymbol']]);
    },
  );

  // Shows: S-17
  test.each(['firstName', 'lastName', 'city', 'address'] as const)(
    'takes nothing in %s that cannot be seen',
    (field) => {
      expect(problems({ [field]: '\u200B' })).toEqual([[field, 'missing']]);
      expect(problems({ [field]: 'Anne\u200BMarie' })).toEqual([[field, 'unseen']]);
      expect(problems({ [field]: 'Anne\u202EMarie' })).toMatchObject([[field, expect.any(String)]]);
    },
  );

  // Shows: S-17
  test.each([
    ['ada@practice.example,eve@evil.example', 'invalid'],
    ['zoé@practice.example', 'notAscii'],
    ['ada\u202E@practice.example', 'unseen'],
  ])('takes no email to %j', (email, code) => {
    expect(problems({ email, emailConfirm: email })).toEqual([['email', code]]);
  });

  test('compares emails by their domain in ASCII, as browsers differ in what they send', () => {
    const over = { email: 'ada@bücher.example', emailConfirm: 'ada@xn--bcher-kva.example' };
    expect(problems(over)).toEqual([]);
  });

  // Shows: R-62
  test('takes any symbol in the address and the password', () => {
    const password = '<p@ss;word>';
    expect(problems({ address: '#5 <rear>', password, passwordConfirm: password })).toEqual([]);
  });

  // Shows: 5.sign-up.3
  test.each([
    ['emailConfirm', { emailConfirm: 'eve@practice.example' }],
    ['passwordConfirm', { passwordConfirm: 'Practice-2027' }],
    ['healthCardNumberConfirm', { healthCardNumberConfirm: '9876543219' }],
  ])('compares %s', (field, over) => {
    expect(problems(over)).toEqual([[field, 'doNotMatch']]);
  });

  // Shows: R-61
  test('accepts passwords of 8 to 128 characters (R-61)', () => {
    const with_ = (length: number) =>
      problems({ password: 'p'.repeat(length), passwordConfirm: 'p'.repeat(length) });
    expect(with_(7)).toEqual([['password', 'tooShort']]);
    expect([with_(8), with_(128)]).toEqual([[], []]);
    expect(with_(129)).toEqual([['password', 'tooLong']]);
  });

  test.each(["O'Brien-Łuk", 'ada@practice.example', 'ADA-ADA-1'])(
    'takes the own name or e-mail for no password: %s (R-61)',
    (password) => {
      expect(problems({ password, passwordConfirm: password })).toEqual([
        ['password', 'tooCommon'],
      ]);
    },
  );

  test('takes every country of the list, and no other (§3)', () => {
    for (const { name: country } of COUNTRIES) expect(problems({ country })).toEqual([]);
    for (const country of ['Narnia', 'canada', 'CAN'])
      expect(problems({ country })).toContainEqual(['country', 'notInList']);
  });

  // Shows: 5.sign-up.4, 9.lengths.2
  test('says 8 and 6 where a password or a card number is too short', () => {
    const card = { healthCardProvince: 'AB', healthCardNumber: '12345' };
    const found = whyRegistrationRefused(
      { ...form, ...card, healthCardNumberConfirm: '12345', password: 'p', passwordConfirm: 'p' },
      today,
    );
    expect(found.map(({ minimum }) => minimum)).toEqual([8, 6]);
  });

  // Shows: 5.sign-up.7
  test('checks the BC number, and only that of BC (R-63, R-64)', () => {
    const card = { healthCardNumber: '9876543210', healthCardNumberConfirm: '9876543210' };
    expect(problems(card)).toEqual([['healthCardNumber', 'bcInvalid']]);
    expect(problems({ ...card, healthCardProvince: 'ON' })).toEqual([]);
  });

  // Shows: 5.sign-up.1
  test.each([
    ['the card is of no province', { healthCardProvince: 'Other' }],
    ['the country is another', { country: 'Chile', healthCardProvince: '' }],
  ])('asks for no card number when %s', (_, over) => {
    const none = { healthCardNumber: '', healthCardNumberConfirm: '' };
    expect(problems({ ...none, ...over })).toEqual([]);
    expect(cardOf({ ...form, ...over })).toEqual({ province: 'Other', number: '' });
  });

  // Shows: 5.sign-up.5, 5.sign-up.6
  test('asks for one phone at least, each in its form', () => {
    expect(problems({ mobilePhone: '' })).toEqual([['phones', 'missing']]);
    const wrong = { mobilePhone: '604555014', phone: '604555', internationalPhone: '+44555' };
    expect(problems(wrong)).toEqual([
      ['mobilePhone', 'invalid'],
      ['phone', 'invalid'],
      ['internationalPhone', 'invalid'],
    ]);
  });

  test('asks for a birth date that can be one; any age may register (R-65)', () => {
    expect(problems({ birthDay: 0 })).toEqual([['birthDate', 'missing']]);
    expect(problems({ birthMonth: 2, birthDay: 30 })).toEqual([['birthDate', 'invalid']]);
    expect(problems({ birthYear: 2027 })).toEqual([['birthDate', 'invalid']]);
    expect(problems({ birthYear: 2026, birthMonth: 11, birthDay: 21 })).toEqual([]);
  });

  // Shows: 5.sign-up.8
  test('asks for the lists, the consent and the captcha', () => {
    expect(problems({ gender: 'X' })).toEqual([['gender', 'notInList']]);
    expect(problems({ province: 'WA' })).toEqual([['province', 'notInList']]);
    expect(problems({ healthCardProvince: 'WA' })).toEqual([['healthCardProvince', 'notInList']]);
    expect(problems({ email: 'ada', emailConfirm: 'ada' })).toEqual([['email', 'invalid']]);
    expect(problems({ consent: false, captcha: false })).toEqual([
      ['consent', 'missing'],
      ['recaptcha', 'missing'],
    ]);
  });
});

describe('the card of a form (R-63)', () => {
  // Shows: R-63
  test.each([
    ['BC', '9876 543 218', '9876543218'],
    ['QC', 'cher 8512 3456', 'CHER85123456'],
    ['NT', 'n1234567', 'N1234567'],
    ['ON', '1234-567-890-AB', '1234567890'],
  ])('%s %j is kept as %s', (healthCardProvince, healthCardNumber, number) => {
    expect(cardOf({ country: 'Canada', healthCardProvince, healthCardNumber })).toEqual({
      province: healthCardProvince,
      number,
    });
  });
});
