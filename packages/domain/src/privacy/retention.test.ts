import { describe, expect, test } from 'vitest';
import { keepUntil, yearsAfter } from './retention.ts';

describe('Records are kept (S-15)', () => {
  test('16 years from the last entry of somebody of age', () => {
    expect(keepUntil('1980-05-17', '2026-11-21')).toBe('2042-11-21');
  });
  // Shows: S-15
  test('16 years from age 19 when the last entry was in childhood', () => {
    expect(keepUntil('2020-05-17', '2026-11-21')).toBe('2055-05-17');
  });
  test('from the entry when it was made on the day of coming of age or later', () => {
    expect(keepUntil('2007-11-21', '2026-11-21')).toBe('2042-11-21');
    expect(keepUntil('2007-11-22', '2026-11-21')).toBe('2042-11-22');
  });
  test('never a day too short when 29 February has no counterpart', () => {
    expect(yearsAfter('2028-02-29', 19)).toBe('2047-03-01');
    expect(yearsAfter('2028-02-29', 16)).toBe('2044-02-29');
  });
});
