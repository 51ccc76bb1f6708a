import type { CallId } from '@clinic/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountRequests } from '../../../tests/account-requests.ts';
import { type TwoPatients, twoPatients } from '../../../tests/two-patients.ts';
import { validRequests } from '../../../tests/valid-requests.ts';
import { ask } from '../../../testing/index.ts';
import { everyRow } from '../../../tests/rows-of.ts';

let clinic: TwoPatients;
beforeEach(async () => {
  clinic = await twoPatients();
});
afterEach(() => clinic.close());

const limited: readonly CallId[] = [
  'login',
  'register',
  'resendConfirmation',
  'validateRecovery',
  'sendResetCode',
  'resetPassword',
  'changePassword',
];

// Shows: S-5
test('Nothing is tried while tries cannot be counted: 503, and no row is written (S-5)', async () => {
  clinic.platform.rateLimit.use = () =>
    Promise.reject(Object.assign(new Error('The store is down'), { code: '57P03' }));
  const before = await everyRow(clinic);
  for (const id of limited) {
    const answer = await ask(clinic, id, validRequests[id](clinic));
    expect([id, answer.statusCode]).toEqual([id, 503]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(await everyRow(clinic)).toEqual(before);
  expect(Object.keys(accountRequests)).toEqual(
    expect.arrayContaining(limited.filter((id) => id !== 'login')),
  );
});
