import { expect, test } from 'vitest';
import { holdUploads } from './held-uploads.ts';

const MB = 1024 * 1024;

function taken(place: ReturnType<ReturnType<typeof holdUploads>['take']>) {
  if (place.kind === 'refused') throw new Error(place.refusal.code);
  return place;
}

test('A patient sends two forms at once, and a third when one is through', () => {
  const held = holdUploads();
  const first = taken(held.take('riley'));
  taken(held.take('riley'));
  expect(held.take('riley')).toMatchObject({ refusal: { code: 'tooManyRequests' } });
  taken(held.take('noel'));
  first.release();
  first.release();
  taken(held.take('riley'));
  expect(held.take('riley').kind).toBe('refused');
});

// Shows: S-11
test('All forms together take no more memory than there is for them', () => {
  const held = holdUploads();
  const places = ['a', 'b', 'c'].map((sender) => taken(held.take(sender)));
  expect(places.map(({ grow }) => grow(64 * MB))).toEqual([true, true, true]);
  expect(places[0]?.grow(1)).toBe(false);
  places[1]?.release();
  expect(places[0]?.grow(64 * MB)).toBe(true);
});
