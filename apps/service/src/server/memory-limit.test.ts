import { expect, test } from 'vitest';

import { createMemoryLimit } from './rate-limit.ts';

const rule = { name: 'reads', count: 2, seconds: 60 };

test('as many as the rule allows, then none until the time is over', () => {
  const limit = createMemoryLimit();
  const use = (now: number) => limit.use(rule, 'casey', now);
  expect([use(1_000), use(1_010)]).toEqual([{ kind: 'allowed' }, { kind: 'allowed' }]);
  expect(use(1_020)).toEqual({ kind: 'tooMany', retryAfter: 40 });
  expect(use(1_059)).toEqual({ kind: 'tooMany', retryAfter: 1 });
  expect(use(1_060)).toEqual({ kind: 'allowed' });
});

test('each subject and each rule by itself', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  expect(limit.use(once, 'casey', 0).kind).toBe('allowed');
  expect(limit.use(once, 'riley', 0).kind).toBe('allowed');
  expect(limit.use({ ...once, name: 'changes' }, 'casey', 0).kind).toBe('allowed');
  expect(limit.use(once, 'casey', 0).kind).toBe('tooMany');
});

test('a clock that went back begins anew', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  expect(limit.use(once, 'casey', 1_000).kind).toBe('allowed');
  expect(limit.use(once, 'casey', 900).kind).toBe('allowed');
  expect(limit.use(once, 'casey', 901)).toEqual({ kind: 'tooMany', retryAfter: 59 });
});

test('says no sooner time than another limit did', () => {
  const limit = createMemoryLimit();
  const once = { ...rule, count: 1 };
  limit.use(once, 'casey', 0);
  limit.alsoRefused(once, 'casey', 3_600);
  limit.alsoRefused(once, 'casey', 600);
  expect(limit.use(once, 'casey', 10)).toEqual({ kind: 'tooMany', retryAfter: 3_590 });
  expect(limit.use(once, 'casey', 60).kind).toBe('allowed');
  expect(limit.use(once, 'casey', 61)).toEqual({ kind: 'tooMany', retryAfter: 3_539 });
});

test('remembers no more subjects than it may', () => {
  const limit = createMemoryLimit(2);
  const once = { ...rule, count: 1 };
  for (const subject of ['first', 'second', 'third']) limit.use(once, subject, 0);
  expect(limit.use(once, 'third', 0).kind).toBe('tooMany');
  expect(limit.use(once, 'first', 0).kind).toBe('allowed');
});
