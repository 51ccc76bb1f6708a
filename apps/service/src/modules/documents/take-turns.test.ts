import { expect, test } from 'vitest';
import { turnsOf } from './accept-files.ts';

/** Work that ends when it is told to. */
function works(count: number) {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
    return 'done';
  };
  return { list: Array.from({ length: count }, () => work), ends, most: () => most };
}

test('So many run at once, the others in turn', async () => {
  const turns = turnsOf(2, 10);
  const { list, ends, most } = works(5);
  const results = list.map((work) => turns(work));
  while (ends.length < 5) {
    ends.at(-1)?.();
    await new Promise(setImmediate);
  }
  for (const end of ends) end();
  expect(await Promise.all(results)).toEqual(Array.from({ length: 5 }, () => 'done'));
  expect(most()).toBe(2);
});

test('With too many behind it, work is not taken', async () => {
  const turns = turnsOf(1, 1);
  const { list, ends } = works(3);
  const [one, two, three] = list.map((work) => turns(work));
  expect(await three).toBeNull();
  ends[0]?.();
  await one;
  await new Promise(setImmediate);
  ends[1]?.();
  expect(await two).toBe('done');
});

test('Work that fails gives its place on', async () => {
  const turns = turnsOf(1, 1);
  await expect(turns(() => Promise.reject(new Error('spoilt')))).rejects.toThrow('spoilt');
  expect(await turns(async () => 'next')).toBe('next');
});
