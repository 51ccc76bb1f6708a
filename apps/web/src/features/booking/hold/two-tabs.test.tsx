import { act, screen, waitFor } from '@testing-library/react';
import { keyOfHold, toInstant } from '@clinic/domain';
import type { ApiHold } from '@clinic/contract';
import { expect, test } from 'vitest';
import { aHold, anAppointment, refuse, type Replies } from '../../../testing/booking-clinic.ts';
import { atConfirm, atSlots, heading, tomorrow } from '../../../testing/booking-person.tsx';
import { serviceSays } from '../../../testing/fake-live.ts';
import { refusal } from '../../../testing/fake-service.ts';

const other = aHold({ id: 'hold-0002', start: toInstant(tomorrow, '09:05') });
const nine = toInstant(tomorrow, '09:00');
const cancelled = anAppointment({ startTime: nine, status: 'cancelled' });
const SOMEBODY = 'Someone else';
const MOVED = /You are holding another time, perhaps in another tab/;

const standing = (hold: ApiHold | null, made: object | null = null): Replies => ({
  'GET /schedule/hold': () => ({ body: { success: true, extras: { hold, made } } }),
});

/** What another tab of the patient did with the hold; it says only that there is another. */
const inAnotherTab = () =>
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'clinic.hold' })));

// Shows: R-30
test('a tab whose hold has moved to another tab says so, and can take it back', async () => {
  const { service, press } = await atConfirm();
  for (const [call, reply] of Object.entries(standing(other))) service.answer(call, reply);
  inAnotherTab();
  expect((await screen.findByRole('alert')).textContent).toMatch(MOVED);
  await press('Hold it again');
  await waitFor(() => expect(screen.queryByText(MOVED)).toBeNull());
});

test('a hold is not said to be over where it could only not be asked for again', async () => {
  const { service } = await atConfirm();
  const asked = () => service.calls.filter((call) => call === 'GET /schedule/hold').length;
  const before = asked();
  service.answer('GET /schedule/hold', () => ({ status: 500, body: refusal('internal') }));
  inAnotherTab();
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
  await act(async () => {});
  expect(screen.queryByText(/no longer held/)).toBeNull();
});

test('what a tab asks of the hold is told to the other tabs', async () => {
  await atConfirm();
  expect(localStorage.getItem('clinic.hold')).toBe('hold-0001');
});

test('answers are kept beside the hold of this tab alone', async () => {
  const keys: (string | null)[] = [];
  const { service, person } = await atConfirm(
    {},
    {
      'PUT /schedule/hold/draft': ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        return { status: 409, body: refusal('holdGone') };
      },
    },
  );
  for (const [call, reply] of Object.entries(standing(other))) service.answer(call, reply);
  await person.type(screen.getByRole('textbox'), 'a cough');
  expect((await screen.findByRole('alert')).textContent).toMatch(MOVED);
  expect(new Set(keys)).toEqual(new Set([keyOfHold('hold-0001')]));
});

test('a time that another tab has booked is shown as booked, not as taken by somebody else', async () => {
  const { service, press } = await atConfirm();
  const made = { code: 'booked', appointment: anAppointment() };
  const replies = { ...standing(null, made), ...refuse('placeHold', 409, 'slotTaken', 'Taken.') };
  for (const [call, reply] of Object.entries(replies)) service.answer(call, reply);
  inAnotherTab();
  await press('Hold it again');
  expect(await heading('Appointment booked')).toBeTruthy();
});

// Shows: R-95
test.each([
  ['the own appointment, where it is', [anAppointment({ startTime: nine })], /already booked this/],
  ['somebody else, where it is not', [anAppointment()], /^Someone else$/],
  ['somebody else, where it is cancelled', [cancelled], /^Someone else$/],
])('a time that a stale grid still offers is said to be taken by %s', async (_, own, words) => {
  const { service, press } = await atSlots({}, refuse('placeHold', 409, 'slotTaken', SOMEBODY));
  const list = { doctors: [], appointments: own, hasOlder: false };
  service.answer('GET /me/appointments', () => ({ body: list }));
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
});

test('where the own appointments cannot be asked for, nobody is named who took the time', async () => {
  const { service, press } = await atSlots({}, refuse('placeHold', 409, 'slotTaken', SOMEBODY));
  service.answer('GET /me/appointments', () => 'unreachable');
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This time is no longer available. Please choose another.',
  );
});

test.each([
  ['Next', 'createBooking'],
  ['Hold it again', 'placeHold'],
] as const)('after %s nobody else is said to have taken the own time', async (name, call) => {
  const { service, person, press } = await atConfirm();
  const list = { doctors: [], appointments: [anAppointment({ startTime: nine })], hasOlder: false };
  const replies = { ...standing(null), ...refuse(call, 409, 'slotTaken', SOMEBODY) };
  for (const [path, reply] of Object.entries(replies)) service.answer(path, reply);
  service.answer('GET /me/appointments', () => ({ body: list }));
  inAnotherTab();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press(name);
  if (name === 'Next') await press('Agree');
  await heading(/^Booking In-person visit/);
  expect((await screen.findByRole('alert')).textContent).toMatch(/already booked this time/);
});

test('a press that is refused after another tab has booked is told why, and nothing else', async () => {
  const { service, person, press } = await atConfirm();
  const limit = 'You can only book one appointment each day';
  const replies = { ...standing(null), ...refuse('createBooking', 409, 'oneEachDay', limit) };
  for (const [call, reply] of Object.entries(replies)) service.answer(call, reply);
  inAnotherTab();
  expect((await screen.findByRole('alert')).textContent).toMatch(/no longer held/);
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await screen.findByText(limit);
  expect(screen.getByRole('alert').textContent).toContain(limit);
  expect(screen.queryByText(/It may still be available/)).toBeNull();
});

test('a time that another tab holds is not struck through as taken by somebody else', async () => {
  const { service } = await atSlots();
  const nine = await screen.findByRole('button', { name: /^09:00/ });
  for (const [call, reply] of Object.entries(standing(aHold()))) service.answer(call, reply);
  const { doctor, start, end } = aHold();
  inAnotherTab();
  serviceSays({ doctor, start, end, state: 'taken' });
  await waitFor(() => expect(nine.getAttribute('aria-disabled')).toBeNull());
});
