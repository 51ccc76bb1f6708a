import { expect, test } from 'vitest';
import { practiceClinic } from '../../testing/practice-clinic.ts';
import type { InBook } from './practice-emr.ts';

const clinic = practiceClinic({ emr: true });

interface Practised {
  readonly faults: Readonly<Record<string, unknown>>;
  readonly book: readonly InBook[];
  readonly missing: readonly InBook[];
}
const read = async () => (await clinic().app.inject('/practice/emr')).json<Practised>();
const change = (payload: object) =>
  clinic().app.inject({ method: 'POST', url: '/practice/emr', payload });
const time = { providerId: '101', date: '2026-12-20', start: '08:00', end: '08:05' };

test('The practice EMR begins with what stands booked', async () => {
  const { book, missing } = await read();
  expect(book.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test('Its staff book, move and cancel, and what is booked here alone is said', async () => {
  expect((await change({ staffBook: time })).json()).toEqual({ success: true });
  const { book } = await read();
  expect(book.filter(({ key }) => key.startsWith('staff:'))).toMatchObject([time]);
  const ours = book.filter(({ key }) => key.startsWith('claim:'));
  const [first, second] = [ours[0]?.key, ours[1]?.key];
  await change({ staffCancel: first });
  await change({ staffMove: { key: second, to: time } });
  const missing = (await read()).missing.map(({ key }) => key);
  expect(new Set(missing)).toEqual(new Set([first, second]));
  expect((await change({ staffCancel: first })).json()).toEqual({ success: false });
  const third = { key: ours[2]?.key, state: 'arrived' };
  expect((await change({ staffNote: third })).json()).toEqual({ success: true });
  expect((await read()).book).toContainEqual(expect.objectContaining(third));
});

test('Its faults are switched by name alone', async () => {
  await change({ faults: { offline: true, silent: true } });
  expect((await read()).faults).toMatchObject({ offline: true, silent: true });
  await change({ faults: { offline: false, silent: false } });
  expect((await read()).faults).toMatchObject({ offline: false, silent: false });
  expect((await change({ faults: { slow: 1 } })).statusCode).toBe(422);
});
