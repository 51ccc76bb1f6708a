import { expect, test } from 'vitest';
import { holdUploads } from './multipart.ts';
import { Refusal } from './refusal.ts';

const MB = 1024 * 1024;

function taken(place: ReturnType<ReturnType<typeof holdUploads>>) {
  if (place instanceof Refusal) throw new Error(place.code);
  return place;
}

test('A patient sends two forms at once, and a third when one is through', () => {
  const take = holdUploads();
  const first = taken(take('riley'));
  taken(take('riley'));
  expect(take('riley')).toMatchObject({ code: 'tooManyRequests' });
  taken(take('noel'));
  first.release();
  first.release();
  taken(take('riley'));
  expect(take('riley')).toBeInstanceOf(Refusal);
});

test('All forms together take no more memory than there is for them', () => {
  const take = holdUploads();
  const places = ['a', 'b', 'c'].map((sender) => taken(take(sender)));
  expect(places.map(({ grow }) => grow(64 * MB))).toEqual([true, true, true]);
  expect(places[0]?.grow(1)).toBe(false);
  places[1]?.release();
  expect(places[0]?.grow(64 * MB)).toBe(true);
});
