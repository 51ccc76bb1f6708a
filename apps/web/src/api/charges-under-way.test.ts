import { expect, test } from 'vitest';
import { afterCharges, isCharging, noteCharge } from './charges-under-way.ts';

test('a charge is under way until it ends, well or not, and another may begin meanwhile', async () => {
  await afterCharges();
  const ends: (() => void)[] = [];
  const charge = () => noteCharge(new Promise<void>((end) => ends.push(end)));
  const first = charge();
  const over: string[] = [];
  const waited = afterCharges().then(() => over.push('over'));
  expect(isCharging()).toBe(true);
  const second = noteCharge(first.then(() => Promise.reject(new Error('declined'))));
  const third = charge();
  ends[0]?.();
  await expect(second).rejects.toThrow('declined');
  expect(over).toEqual([]);
  ends[1]?.();
  await third;
  await waited;
  expect(isCharging()).toBe(false);
});
