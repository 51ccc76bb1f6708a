import { afterEach, expect, test, vi } from 'vitest';

import { batched } from './db.ts';

/** Answers each question with its double, when the test lets it. */
function anOracle(patienceMs?: number) {
  const batches: { readonly questions: readonly number[]; readonly answer: () => void }[] = [];
  const ask = batched<number, number>(
    (questions) =>
      new Promise((resolve, reject) => {
        const answer = () =>
          questions.includes(13)
            ? reject(new Error('unlucky'))
            : resolve(questions.map((n) => 2 * n));
        batches.push({ questions, answer });
      }),
    patienceMs,
  );
  return { batches, ask };
}

afterEach(() => vi.useRealTimers());

test('questions that arrive while one is under way go out together, after it', async () => {
  const { batches, ask } = anOracle();
  const first = ask(1);
  const others = Promise.all([ask(2), ask(3)]);
  expect(batches.map(({ questions }) => questions)).toEqual([[1]]);
  batches[0]?.answer();
  expect(await first).toBe(2);
  expect(batches.map(({ questions }) => questions)).toEqual([[1], [2, 3]]);
  batches[1]?.answer();
  expect(await others).toEqual([4, 6]);
});

test('a failure fails those who asked together, and nobody after them', async () => {
  const { batches, ask } = anOracle();
  const first = ask(13);
  batches[0]?.answer();
  await expect(first).rejects.toThrow('unlucky');
  const second = ask(4);
  batches[1]?.answer();
  expect(await second).toBe(8);
});

test('who waited long enough for those under way goes without them', async () => {
  vi.useFakeTimers();
  const { batches, ask } = anOracle(1_000);
  const first = ask(1);
  const second = ask(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(batches).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  batches[1]?.answer();
  expect(await second).toBe(4);
  const third = ask(3);
  batches[2]?.answer();
  expect(await third).toBe(6);
  // The one that was waited for ends at last, and nobody else with it.
  const fourth = ask(4);
  const fifth = ask(5);
  batches[0]?.answer();
  expect(await first).toBe(2);
  expect(batches).toHaveLength(4);
  batches[3]?.answer();
  expect(await fourth).toBe(8);
  await expect.poll(() => batches).toHaveLength(5);
  batches[4]?.answer();
  expect(await fifth).toBe(10);
});
