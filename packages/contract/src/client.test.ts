import { expect, test } from 'vitest';

import { createClient } from './client.ts';

/** A line on which nothing ever comes back. */
const deadLine: typeof fetch = (_address, { signal } = {}) =>
  new Promise((_, fail) => {
    signal?.addEventListener('abort', () => fail(signal.reason));
  });
const ask = createClient({ base: '/api', fetch: deadLine, headers: () => ({}), patienceMs: 1 });

test('a call that nobody answers counts as unreachable after a while', async () => {
  expect(await ask('getConfig', {})).toEqual({ kind: 'unreachable' });
});

test('a call that its owner gives up is no answer at all', async () => {
  const giveUp = new AbortController();
  const asked = ask('getConfig', {}, { signal: giveUp.signal });
  giveUp.abort(new Error('The page was left.'));
  await expect(asked).rejects.toThrow('The page was left.');
});
