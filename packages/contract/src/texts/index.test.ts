import { expect, test } from 'vitest';
import { waitText } from './index.ts';

// Shows: S-5
test.each([
  [0.2, '1 second'],
  [1, '1 second'],
  [2, '2 seconds'],
  [64, '64 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [900, '15 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
  [86_400, '24 hours'],
])('A wait of %d seconds reads %s: never less than it is', (seconds, words) => {
  expect(waitText('en', seconds)).toBe(words);
});
