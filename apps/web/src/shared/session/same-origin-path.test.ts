import { expect, test } from 'vitest';
import { keptOrigin, sameOriginPath } from './same-origin-path.ts';

test('a path of this site is kept with its query and its hash', () => {
  expect(sameOriginPath('/appointments?all=true#older')).toBe('/appointments?all=true#older');
});

// Shows: R-69
test.each([
  'https://evil.example/',
  '//evil.example/appointments',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'appointments',
  '',
  null,
  { from: '/' },
])('%j is not a path to go back to', (candidate) => {
  expect(sameOriginPath(candidate)).toBeNull();
});

test('an origin is kept only where it is a path of this site', () => {
  expect(keptOrigin({ from: '/appointments?all=true' })).toBe('/appointments?all=true');
  for (const state of [null, 'x', {}, { from: 1 }, { from: 'https://elsewhere.example/' }])
    expect(keptOrigin(state)).toBeNull();
});
