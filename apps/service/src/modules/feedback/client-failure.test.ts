import { describe, expect, test } from 'vitest';
import { clientFailure } from './routes.ts';

const requestId = '00000000-0000-4000-8000-000000000001';

describe('What is kept of a failure in the browser (S-8)', () => {
  // Shows: S-8
  test('is the name of the error, the page, the status and the reference', () => {
    const details = { page: 'appointments', status: 500, requestId } as const;
    expect(clientFailure({ err: 'TypeError: Casey Morgan is not a function', details })).toEqual({
      kind: 'client',
      code: 'TypeError',
      state: 'appointments',
      status: 500,
      requestId,
    });
  });

  test.each([
    '9876543218',
    'Casey',
    'CaseyError Morgan',
    'A cough: TypeError',
    'typeError: small',
    `${'A'.repeat(60)}Error: long`,
    '',
  ])('is nothing of %j', (err) => {
    expect(clientFailure({ err })).toEqual({ kind: 'client', code: 'failure' });
  });

  test('is nothing of details that are words', () => {
    expect(clientFailure({ err: 'RangeError', details: 'Casey coughs' })).toEqual({
      kind: 'client',
      code: 'RangeError',
    });
  });
});
