import { expect, test } from 'vitest';

import { createClient } from './client.ts';

/** A line on which nothing ever comes back. */
const deadLine: typeof fetch = (_address, { signal } = {}) =>
  new Promise((_, fail) => {
    signal?.addEventListener('abort', () => fail(signal.reason));
  });
const ask = createClient({ base: '/api', fetch: deadLine, headers: () => ({}) });

test('a call that nobody answers counts as unreachable after a while', async () => {
  expect(await ask('getConfig', {}, { patienceMs: 1 })).toEqual({ kind: 'unreachable' });
});

test('a call that its owner gives up is no answer at all', async () => {
  const giveUp = new AbortController();
  const asked = ask('getConfig', {}, { signal: giveUp.signal, patienceMs: 1 });
  giveUp.abort(new Error('The page was left.'));
  await expect(asked).rejects.toThrow('The page was left.');
});

test.each([
  [500, 500],
  [404, 404],
  [200, 502],
])('an unreadable answer with status %d is a refusal with status %d', async (status, told) => {
  const unreadable = async () => new Response('<h1>Sorry</h1>', { status });
  const asking = createClient({ base: '/api', fetch: unreadable, headers: () => ({}) });
  const refusal = { kind: 'refusal', status: told, refusal: null };
  expect(await asking('getConfig', {})).toEqual(refusal);
});
