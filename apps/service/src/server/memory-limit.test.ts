import { expect, test } from 'vitest';

import { createMemoryLimit } from './memory-limit.ts';
import type { Refusal } from './refusal.ts';

/** Seconds to wait; 0 when it is allowed. */
const waitOf = (refused: Refusal | null) => refused?.details.retryAfter ?? 0;

const rule = { name: 'reads', count: 2, seconds: 60 };

test('as many as the rule allows, then none until the time is over', () => {
  const limit = createMemoryLimit();
  const use = (now: number) => waitOf(limit.use(rule, 'casey', now));
  expect([use(1_000), use(1_010)]).toEqual([0, 0]);
  expect(use(1_020)).toBe(40);
  expect(use(1_059)).toBe(1);
  expect(use(1_060)).toBe(0);
});

test('each subject and each rule by itself', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  expect(limit.use(once, 'casey', 0)).toBeNull();
  expect(limit.use(once, 'riley', 0)).toBeNull();
  expect(limit.use({ ...once, name: 'changes' }, 'casey', 0)).toBeNull();
  expect(limit.use(once, 'casey', 0)).not.toBeNull();
});

test('a clock that went back begins anew', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  expect(limit.use(once, 'casey', 1_000)).toBeNull();
  expect(limit.use(once, 'casey', 900)).toBeNull();
  expect(waitOf(limit.use(once, 'casey', 901))).toBe(59);
});

test('says no sooner time than another limit did', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  limit.use(once, 'casey', 0);
  limit.alsoRefused(once, 'casey', 3_600);
  limit.alsoRefused(once, 'casey', 600);
  expect(waitOf(limit.use(once, 'casey', 10))).toBe(3_590);
  expect(limit.use(once, 'casey', 60)).toBeNull();
  expect(waitOf(limit.use(once, 'casey', 61))).toBe(3_539);
});

test('remembers no more subjects than it may', () => {
  const limit = createMemoryLimit(2);
  const once = { ...rule, count: 1 };
  for (const subject of ['first', 'second', 'third']) limit.use(once, subject, 0);
  expect(limit.use(once, 'third', 0)).not.toBeNull();
  expect(limit.use(once, 'first', 0)).toBeNull();
});
