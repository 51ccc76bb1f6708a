import { expect, test } from 'vitest';

import { together } from './together.ts';

/** Answers each question with its double, when the test lets it. */
function anOracle() {
  const batches: { readonly questions: readonly number[]; readonly answer: () => void }[] = [];
  const ask = together<number, number>(
    (questions) =>
      new Promise((resolve, reject) => {
        const answer = () =>
          questions.includes(13)
            ? reject(new Error('unlucky'))
            : resolve(questions.map((n) => 2 * n));
        batches.push({ questions, answer });
      }),
  );
  return { batches, ask };
}

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
