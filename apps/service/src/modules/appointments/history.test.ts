import { expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { shownSince } from './history.ts';

test('visits are listed from the same day two years ago on', () => {
  const now = toInstant('2026-11-21', '09:00');
  expect(shownSince(now)).toBe(toInstant('2024-11-21', '00:00'));
});

test('on 29 February that is 28 February', () => {
  expect(shownSince(toInstant('2028-02-29', '09:00'))).toBe(toInstant('2026-02-28', '00:00'));
});
