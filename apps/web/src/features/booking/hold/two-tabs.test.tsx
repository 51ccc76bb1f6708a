import { act, screen, waitFor, within } from '@testing-library/react';
import { keyOfHold, toInstant } from '@clinic/domain';
import type { ApiHold } from '@clinic/contract';
import { expect, test } from 'vitest';
import {
  aHold,
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  refuse,
  reply,
  type Replies,
} from '../../../testing/booking-clinic.ts';
import {
  atConfirm,
  atHome,
  atPayment,
  atSlots,
  heading,
  payWith,
  tomorrow,
} from '../../../testing/booking-person.tsx';
import { liveSays, serviceSays } from '../../../testing/fake-live.ts';
import { refusal, type FakeService } from '../../../testing/fake-service.ts';

const other = aHold({ id: 'hold-0002', start: toInstant(tomorrow, '09:05') });
const nine = toInstant(tomorrow, '09:00');
const cancelled = anAppointment({ startTime: nine, status: 'cancelled' });
const SOMEBODY = 'Someone else';
const MOVED = /You are holding another time, perhaps in another tab/;

const standing = (hold: ApiHold | null, made: object | null = null): Replies => ({
  'GET /schedule/hold': () => ({ body: { success: true, extras: { hold, made } } }),
});

/** What another tab or device of the patient did; the service says only that something changed. */
const inAnotherTab = () => liveSays('onAppointments');

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

/** The service's answers once another tab or device has booked the time in hand. */
const bookedThere = (code: 'booked' | 'rescheduled' = 'booked'): Replies =>
  standing(null, { code, appointment: anAppointment({ startTime: nine }) });
/** The same where it was booked under another key, so that only the list has it. */
const listedThere = (): Replies => ({
  ...standing(null),
  'GET /me/appointments': () => ({
    body: { doctors: [], appointments: [anAppointment({ startTime: nine })], hasOlder: false },
  }),
});
const answersOf = (service: Pick<FakeService, 'answer'>, replies: Replies) => {
  for (const [call, reply] of Object.entries(replies)) service.answer(call, reply);
};

// Shows: R-95
test.each([
  ['under the same key', bookedThere],
  ['under another', listedThere],
])('a time that another device has booked %s is shown as booked, by itself', async (_, there) => {
  const { service } = await atConfirm();
  answersOf(service, there());
  inAnotherTab();
  expect(await heading('Appointment booked')).toBeTruthy();
});

test('so is one at Pay, whose card was typed in here', async () => {
  const { service, person } = await atPayment();
  await person.type(await screen.findByLabelText('Card number'), '4242');
  const paid = anAppointment({ startTime: nine, code: 'V', paidAmount: 200 });
  answersOf(service, standing(null, { code: 'booked', appointment: paid }));
  inAnotherTab();
  expect(await heading('Payment Received')).toBeTruthy();
});

// Shows: R-30
test('a time that another device released is said to be, and what was typed is kept', async () => {
  const { service, person, press } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  answersOf(service, standing(null));
  inAnotherTab();
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /was released, perhaps in another tab or on another device/,
  );
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'a cough');
  await press('Hold it again');
  await waitFor(() => expect(screen.queryByText(/was released/)).toBeNull());
});

// Shows: R-30
test('a hold that has lapsed by a clock slightly ahead is not said to be released', async () => {
  const soon = aHold({ start: nine, expiresAt: CLINIC_NOW + 2 });
  const { service } = await atConfirm(
    {},
    reply('placeHold', () => ({ success: true, extras: { hold: soon } })),
  );
  await screen.findByRole('button', { name: 'Keep it longer' });
  answersOf(service, standing(null));
  inAnotherTab();
  expect(await screen.findByText(/This time is no longer held for you\. It may/)).toBeTruthy();
});

test('a time that is being booked here is not said to be lost before the answer comes', async () => {
  const answered = Promise.withResolvers<void>();
  const own = bookingClinic();
  const { service, person, press } = await atConfirm(
    {},
    {
      'POST /schedule/create': async (asked) => {
        await answered.promise;
        return (await own['POST /schedule/create']?.(asked)) ?? 'unreachable';
      },
    },
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await waitFor(() => expect(service.calls).toContain('POST /schedule/create'));
  answersOf(service, standing(null));
  const asked = () => service.calls.filter((call) => call === 'GET /schedule/hold').length;
  const before = asked();
  inAnotherTab();
  await act(async () => {});
  expect(asked()).toBe(before);
  answered.resolve();
  expect(await heading('Appointment booked')).toBeTruthy();
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});

const LIMIT = 'You can only book one appointment each day';

/** Nothing was heard of what the other device has booked; the press is refused for it. */
test.each([
  ['Keep it longer', 'placeHold', 'oneEachDay', LIMIT],
  ['Keep it longer', 'placeHold', 'linkStands', 'Pay first.'],
  ['Next', 'createBooking', 'oneEachDay', LIMIT],
  ['Next', 'createBooking', 'slotTaken', SOMEBODY],
] as const)(
  '%s, which %s refuses (%s), first asks what became',
  async (name, call, code, words) => {
    const soon = aHold({ start: nine, expiresAt: CLINIC_NOW + 120 });
    const { service, person, press } = await atConfirm(
      {},
      reply('placeHold', () => ({
        success: true,
        extras: { hold: soon },
      })),
    );
    answersOf(service, { ...bookedThere(), ...refuse(call, 409, code, words) });
    await person.type(screen.getByRole('textbox'), 'a cough');
    await press(name);
    if (name === 'Next') await press('Agree');
    expect(await heading('Appointment booked')).toBeTruthy();
  },
);

test('a charge that is refused for what another device has paid shows that appointment', async () => {
  const person = await atPayment();
  const paid = anAppointment({ startTime: nine, code: 'V', paidAmount: 200 });
  answersOf(person.service, {
    ...standing(null, { code: 'booked', appointment: paid }),
    ...refuse('charge', 409, 'twoUpcoming', 'Two at most'),
  });
  await payWith(person);
  expect(await heading('Payment Received')).toBeTruthy();
});

// Shows: R-54
test.each([
  ['at Next', () => atConfirm(), 'Next'],
  ['at a time', () => atSlots(), /^09:00/],
] as const)(
  'a limit that is broken %s names the appointment, and the way to it',
  async (_, at, name) => {
    const { service, person, press } = await at();
    const other = anAppointment({ startTime: nine + 3600 });
    answersOf(service, {
      ...refuse('createBooking', 409, 'oneEachDay', LIMIT),
      ...refuse('placeHold', 409, 'oneEachDay', LIMIT),
      'GET /me/appointments': () => ({
        body: { doctors: [], appointments: [other], hasOlder: false },
      }),
    });
    const reason = screen.queryByRole('textbox');
    if (reason) await person.type(reason, 'a cough');
    await press(name);
    if (name === 'Next') await press('Agree');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(LIMIT);
    expect(alert.textContent).toContain('You have In-person visit on Sun Nov 22 2026 10:00.');
    expect(alert.textContent).not.toContain('try again');
    expect(within(alert).getByRole('link', { name: 'See My Appointments' })).toBeTruthy();
  },
);

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

test('a booking that was cancelled elsewhere is no longer said to be booked', async () => {
  const { service, person, press } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await heading('Appointment booked');
  const appointments = [anAppointment({ id: 'visit-new', startTime: nine, status: 'cancelled' })];
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments, hasOlder: false },
  }));
  inAnotherTab();
  expect(await heading('Appointment cancelled')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('cancelled since you booked it');
});

test('Continue goes on with the hold and the draft as they are now', async () => {
  const { service, press } = await atHome({ hold: aHold({ start: nine }) });
  await screen.findByText(/This time is held for you/);
  answersOf(service, standing(aHold({ start: nine, draft: { reason: 'typed on the phone' } })));
  await press('Continue');
  await heading('Confirm your appointment');
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'typed on the phone');
});

test('Continue leads to the appointment, where another device has booked the time', async () => {
  const { service, press } = await atHome({ hold: aHold({ start: nine }) });
  await screen.findByText(/This time is held for you/);
  answersOf(service, bookedThere());
  await press('Continue');
  expect(await heading('Appointment booked')).toBeTruthy();
});

test('home no longer offers a time that another device has booked', async () => {
  const { service } = await atHome({ hold: aHold({ start: nine }) });
  await screen.findByText(/This time is held for you/);
  answersOf(service, bookedThere());
  inAnotherTab();
  await waitFor(() => expect(screen.queryByText(/This time is held for you/)).toBeNull());
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
