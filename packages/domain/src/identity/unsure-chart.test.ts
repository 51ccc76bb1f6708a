import { expect, test } from 'vitest';
import { whyUnsure } from './unsure-chart.ts';

const chart = { state: 'active', isOfAnother: false } as const;

test.each([
  ['no chart, as the name is too long', [], 'longName'],
  ['one that is much like them', [chart], 'alike'],
  ['one that is not active', [{ ...chart, state: 'inactive' }], 'inactive'],
  ['one of somebody who died', [{ ...chart, state: 'deceased' }], 'deceased'],
  [
    'another account’s, whatever its state',
    [{ state: 'inactive', isOfAnother: true }],
    'ofAnother',
  ],
  ['two', [chart, { ...chart, isOfAnother: true }], 'several'],
] as const)('It is not sure which chart is theirs: %s', (_, charts, why) => {
  expect(whyUnsure(charts)).toBe(why);
});
