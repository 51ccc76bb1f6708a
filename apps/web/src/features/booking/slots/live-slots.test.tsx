import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { toInstant } from '@clinic/domain';
import { expect, test, vi } from 'vitest';
import { aDay, bookingClinic, reply } from '../../../testing/booking-clinic.ts';
import { atSlots, tomorrow } from '../../../testing/booking-person.tsx';
import { listening, liveSays, serviceSays } from '../../../testing/fake-live.ts';

const start = toInstant(tomorrow, '09:00');
const nine = { doctor: '101', start, end: start + 300 };
const NINE = /^09:00, Sun Nov 22, Dr. A. Stone$/;
const NINE_TAKEN = '09:00, Sun Nov 22, Dr. A. Stone, no longer available';
const chip = (name: string | RegExp) => screen.findByRole('button', { name });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const placeOf = (time: string) => screen.getByText(time).closest('li')?.dataset.taken;

test('a time that somebody takes is struck through, then only its place is left', async () => {
  const { service } = await atSlots();
  await chip(NINE);
  const places = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
  serviceSays({ ...nine, state: 'taken' });
  const struck = screen.getByRole('button', { name: NINE_TAKEN });
  expect(struck.getAttribute('aria-disabled')).toBe('true');
  act(() => struck.focus());
  fireEvent.click(struck);
  await pass(2_000);
  expect(service.calls).not.toContain('POST /schedule/hold');
  expect(placeOf('09:00')).toBe('struck');
  act(() => struck.blur());
  await pass(2_000);
  expect(placeOf('09:00')).toBe('gone');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(places);
  expect(screen.getByText(/^1 time available\./)).toBeTruthy();
});

test('who stands on a time hears that somebody takes it', async () => {
  await atSlots();
  const nineAgain = await chip(NINE);
  act(() => nineAgain.focus());
  serviceSays({ ...nine, state: 'taken' });
  expect(screen.getByText(NINE_TAKEN, { selector: '[role="status"]' })).toBeTruthy();
});

test('a time that is freed again stands where it stood', async () => {
  await atSlots();
  await chip(NINE);
  serviceSays({ ...nine, state: 'taken' });
  expect(placeOf('09:00')).toBe('struck');
  serviceSays({ ...nine, state: 'freed' });
  expect(placeOf('09:00')).toBeUndefined();
  expect((await chip(NINE)).getAttribute('aria-disabled')).toBeNull();
});

test('the time that the patient is pressing is not struck through by the own hold', async () => {
  const { press } = await atSlots({}, { 'POST /schedule/hold': () => new Promise(() => {}) });
  await press(NINE);
  serviceSays({ ...nine, state: 'taken' });
  expect(placeOf('09:00')).toBeUndefined();
});

// Shows: R-91
test('a longer time is struck through when somebody takes a part of it, and who stands on it hears so', async () => {
  await atSlots({ days: [aDay(tomorrow, { '101': ['09:00', '09:15'] }, 'O', 15)] });
  const words = '09:00 to 09:15, 15 minutes, Sun Nov 22, Dr. A. Stone';
  const long = await chip(words);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
  act(() => long.focus());
  const part = { doctor: '101', start: start + 600, end: start + 900 };
  serviceSays({ ...part, state: 'taken' });
  const said = `${words}, no longer available`;
  expect(screen.getByText(said, { selector: '[role="status"]' })).toBeTruthy();
  await pass(2_000);
  expect([placeOf('09:00'), placeOf('09:15')]).toEqual(['struck', undefined]);
  act(() => long.blur());
  await pass(2_000);
  expect(placeOf('09:00')).toBe('gone');
  serviceSays({ ...part, state: 'freed' });
  expect(placeOf('09:00')).toBeUndefined();
});

// Shows: R-91
test('a time that is freed lets longer ones begin: the grid is searched anew, unless somebody is about to press', async () => {
  const { service } = await atSlots({ days: [aDay(tomorrow, { '101': ['09:30'] }, 'O', 15)] });
  const long = await chip(/^09:30 to 09:45/);
  const days = [aDay(tomorrow, { '101': ['09:15', '09:30'] }, 'O', 15)];
  for (const [call, answer] of Object.entries(bookingClinic({ days })))
    service.answer(call, answer);
  const freed = { doctor: '101', start: start + 900, end: start + 1800, state: 'freed' } as const;
  act(() => long.focus());
  const before = service.calls.length;
  serviceSays(freed);
  expect(service.calls.slice(before)).toEqual([]);
  act(() => long.blur());
  serviceSays(freed);
  expect(await chip(/^09:15 to 09:30/)).toBeTruthy();
  expect(long.isConnected).toBe(true);
});

test('a change on another day has that day fetched anew when it is shown', async () => {
  const searches: string[] = [];
  const { press } = await atSlots(
    {},
    reply('doctorSchedule', ({ search }) => {
      searches.push(search.get('from') ?? '');
      const days = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'];
      return { success: true, extras: days.map((date) => aDay(date, { '101': ['10:00'] })) };
    }),
  );
  await chip(/^10:00, Sat Nov 21/);
  const other = toInstant('2026-11-22', '10:00');
  serviceSays({ doctor: '101', start: other, end: other + 300, state: 'taken' });
  const before = searches.length;
  await press('Next Day');
  await chip(/^10:00, Sun Nov 22/);
  expect(searches.slice(before)).toContain('2026-11-22');
});

test('after a lost connection the grid is searched anew', async () => {
  const { service } = await atSlots();
  await chip(NINE);
  const before = service.calls.length;
  liveSays('onReturn');
  await waitFor(() => expect(service.calls.slice(before)).toContain('GET /doctors/schedule'));
});

test('the grid does not listen once it is left', async () => {
  const { press } = await atSlots();
  await chip(NINE);
  // The app itself listens all the time.
  expect(listening()).toBe(2);
  await press('Back');
  await waitFor(() => expect(listening()).toBe(1));
});
