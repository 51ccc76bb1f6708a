import { expect, test } from 'vitest';
import { type ProfileForm, whyProfileRefused } from './forms.ts';

const form: ProfileForm = {
  address: '#5, 1 Main Street',
  city: 'Vancouver',
  province: 'BC',
  postal: 'V5K 0A1',
  country: 'Canada',
  sex: 'Transgendered',
  phone: '',
  mobilePhone: '604-555-0142',
  internationalPhone: '',
};
const keptAccount = { ...form, country: 'Burma', mobilePhone: '' };
const problems = (over: Partial<ProfileForm>, kept: Partial<ProfileForm> = {}) =>
  whyProfileRefused({ ...form, ...over }, { ...keptAccount, ...kept }).map(({ field, code }) => [
    field,
    code,
  ]);

test('an account form in order is saved (§5 Account edit)', () => {
  expect(problems({})).toEqual([]);
});

test.each(['address', 'city', 'postal', 'country', 'sex'] as const)('%s is required', (field) => {
  expect(problems({ [field]: ' ' })).toEqual([[field, 'missing']]);
});

test('province and gender must be in their lists', () => {
  expect(problems({ province: '' })).toEqual([['province', 'notInList']]);
  expect(problems({ sex: 'X' })).toEqual([['sex', 'notInList']]);
});

test('a country is one of the list, or the one that the account has kept since before it', () => {
  expect(problems({ country: 'Narnia' })).toEqual([['country', 'notInList']]);
  expect(problems({ country: 'canada' })).toEqual([['country', 'notInList']]);
  expect(problems({ country: 'Burma' })).toEqual([]);
  expect(problems({ country: ' Chile ' })).toEqual([]);
});

// Shows: S-17
test('what cannot be seen is refused, and what is kept since before that rule stays until it is changed', () => {
  const old = { ...form, address: '1 Main\u202E Street', city: 'Van\u200Bcouver' };
  const codes = (kept: ProfileForm) =>
    whyProfileRefused(old, kept).map(({ field, code }) => [field, code]);
  expect(codes(form)).toEqual([
    ['city', 'unseen'],
    ['address', 'unseen'],
  ]);
  expect(codes(old)).toEqual([]);
});

test('no field but the address takes an invalid symbol (R-62)', () => {
  expect(problems({ city: 'Van<couver' })).toEqual([['city', 'invalidSymbol']]);
});

// Shows: 9.lengths.2
test('one phone at least is kept; mobile and home have ten digits, international its country code', () => {
  expect(problems({ mobilePhone: '' })).toEqual([['phones', 'missing']]);
  expect(problems({ mobilePhone: '604555014' })).toEqual([['mobilePhone', 'invalid']]);
  expect(problems({ phone: '60455501422' })).toEqual([['phone', 'abroad']]);
  expect(problems({ internationalPhone: '+44 20' })).toEqual([['internationalPhone', 'invalid']]);
  expect(problems({ internationalPhone: '44205' })).toEqual([['internationalPhone', 'invalid']]);
  expect(problems({ mobilePhone: '', internationalPhone: '+44 20 7946 0958' })).toEqual([]);
});

test('a kept number that cannot be right blocks no save until it is changed', () => {
  const wrong = { mobilePhone: '0000000000', phone: '1604555', internationalPhone: '020 7946' };
  expect(problems(wrong, wrong)).toEqual([]);
  expect(problems({ ...wrong, mobilePhone: '0000000001' }, wrong)).toEqual([
    ['mobilePhone', 'invalid'],
  ]);
});
