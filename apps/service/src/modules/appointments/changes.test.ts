import { expect, test } from 'vitest';

import { CommitOutcomeUnknown } from '../../database/db.ts';
import { transact } from './changes.ts';

/** Fails each time in turn, and then commits; counts the times. */
async function failing(...errors: Error[]) {
  let runs = 0;
  const outcome = await transact(
    {
      database: {
        inTransactionOrConflict: async () => {
          runs += 1;
          const error = errors.shift();
          if (error) throw error;
          return { kind: 'committed', value: { kind: 'cancelled' } } as never;
        },
      },
    },
    async () => ({ kind: 'cancelled' as const }),
  ).catch(String);
  return { outcome, runs };
}

test('a COMMIT of which nobody knows whether it was made is looked for once more, nothing else is', async () => {
  const unknown = () => new CommitOutcomeUnknown();
  expect(await failing(unknown())).toEqual({ outcome: { kind: 'cancelled' }, runs: 2 });
  const twice = await failing(unknown(), unknown());
  expect(twice).toMatchObject({ outcome: String(unknown()), runs: 2 });
  expect(await failing(new Error('Gone'))).toEqual({ outcome: 'Error: Gone', runs: 1 });
  expect((await failing(unknown(), new Error('Gone'))).runs).toBe(2);
});
