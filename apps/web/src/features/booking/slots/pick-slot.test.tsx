import type { ApiUser } from '@clinic/contract';
import type { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { addDays } from '@clinic/domain';
import { afterEach, expect, test } from 'vitest';
import { speak } from '../../../messages/t.ts';
import {
  aApiStatus,
  aDay,
  aType,
  bookingClinic,
  refuse,
  TODAY,
} from '../../../testing/booking-clinic.ts';
import { casey } from '../../../testing/people.ts';
import { refusal } from '../../../testing/fake-service.ts';
import { atConfirm, atHome, atSlots, heading, tomorrow } from '../../../testing/booking-person.tsx';

afterEach(() => speak('en'));

// Shows: 2.pick-slot.8, 4.slot-search.3, 8.slots.1, 8.slots.2, R-15
test('an empty schedule ends in the warning; No stays with the inline text', async () => {
  const { press } = await atSlots({ days: [] });
  const modal = await screen.findByRole('alertdialog', { name: 'Warning' });
  expect(modal.textContent).toContain(
    'No appointments available on Sat Nov 21. Do you want to search for an appointment on a DIFFERENT day?',
  );
  await press('No');
  expect(
    screen.getByText(
      'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
    ),
  ).toBeTruthy();
});

// Shows: R-15
test('Yes in the warning goes on from the day after the last one tried', async () => {
  const { service, press } = await atSlots({
    days: [aDay(addDays(TODAY, 9), { '101': ['10:00'] })],
  });
  await screen.findByRole('alertdialog', { name: 'Warning' });
  await press('Yes');
  expect(await screen.findByRole('button', { name: /^10:00, Mon Nov 30/ })).toBeTruthy();
  expect(service.calls.filter((call) => call === 'GET /doctors/schedule').length).toBeLessThan(12);
});

// Shows: 2.pick-slot.2, 2.pick-slot.5
test('one doctor has a column for each day, and moves on by five', async () => {
  const { choose, press } = await atHome({
    days: [aDay(tomorrow, { '101': ['09:00'] }), aDay(addDays(TODAY, 7), { '101': ['11:00'] })],
  });
  await choose('In-person visit');
  await choose('Dr. A. Stone');
  await press('Next');
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
  expect(await screen.findByRole('heading', { level: 2, name: 'Sun Nov 22' })).toBeTruthy();
  await press('Next 5 Days');
  expect(await screen.findByRole('button', { name: /^11:00, Sat Nov 28/ })).toBeTruthy();
});

/** Tells the page that the patient's account has changed. */
async function changeAccount(queryClient: QueryClient, change: Partial<ApiUser>) {
  const [[key, user] = []] = queryClient.getQueriesData<ApiUser>({ queryKey: ['me'] });
  if (!key || !user) throw new Error('Nobody is signed in');
  await act(async () => queryClient.setQueryData(key, { ...user, ...change }));
}

test('a time stays under the finger while the record is read that was just opened', async () => {
  const enforced = [aType('O', { enforceMRP: true })];
  const record = Promise.withResolvers<void>();
  const { queryClient } = await atSlots(
    { user: { ...casey, appointmentType: enforced, demographicNo: '' } },
    {
      'GET /clinic/admin/patient/4711': async () => {
        await record.promise;
        return { status: 404, body: refusal('notFound', 'Nobody has this number.') };
      },
    },
  );
  const chip = await screen.findByRole('button', { name: /^09:00/ });
  await changeAccount(queryClient, { demographicNo: '4711' });
  expect(chip.isConnected).toBe(true);
  await act(async () => record.resolve());
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(chip.isConnected).toBe(true);
});

test('a time stays under the finger while times are searched anew for what has changed', async () => {
  const { queryClient } = await atSlots();
  const chip = await screen.findByRole('button', { name: /^09:00/ });
  await changeAccount(queryClient, { blockedProviders: ['104'] });
  expect(chip.isConnected).toBe(true);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(chip.isConnected).toBe(true);
});

// Shows: R-90
test('where lengths differ each time says its end, and its minutes to a screen reader', async () => {
  const { providers } = aDay(tomorrow, { '103': ['09:00'] }, 'O', 20);
  const day = aDay(tomorrow, { '101': ['09:00'] });
  await atSlots({ days: [{ ...day, providers: [...day.providers, ...providers] }] });
  const stone = await screen.findByRole('button', { name: /Dr\. A\. Stone$/ });
  const liu = screen.getByRole('button', { name: /Dr\. G\. Liu$/ });
  const wordsOf = (chip: HTMLElement) => [chip.textContent, chip.getAttribute('aria-label')];
  expect(wordsOf(stone)).toEqual([
    '09:00 to 09:05',
    '09:00 to 09:05, 5 minutes, Sun Nov 22, Dr. A. Stone',
  ]);
  expect(wordsOf(liu)).toEqual([
    '09:00 to 09:20',
    '09:00 to 09:20, 20 minutes, Sun Nov 22, Dr. G. Liu',
  ]);
});

// Shows: R-90
test('a longer time by phone or by video says so, and the grid says it to everybody', async () => {
  const video = aType('O', { description: 'Video appointment', mode: 'video' });
  const { choose, press } = await atHome({
    user: { ...casey, appointmentType: [video] },
    days: [aDay(tomorrow, { '101': ['09:00'] }, 'O', 15)],
  });
  await choose('Video appointment');
  await choose('Earliest available doctor');
  await press('Next');
  const name = '09:00 to 09:15, 15 minutes, By video, Sun Nov 22, Dr. A. Stone';
  const chip = await screen.findByRole('button', { name });
  expect(chip.textContent).toBe('09:00 to 09:15');
  expect(screen.getByText('By video', { ignore: 'aside *' })).toBeTruthy();
});

test('where all last 5 minutes, a time says nothing but itself', async () => {
  const { choose, press } = await atHome({ days: [aDay(tomorrow, { '101': ['09:00'] }, 'P')] });
  await choose('Phone consultation');
  await choose('Earliest available doctor');
  await press('Next');
  const chip = await screen.findByRole('button', { name: '09:00, Sun Nov 22, Dr. A. Stone' });
  expect(chip.textContent).toBe('09:00');
  expect(screen.queryByText('By phone')).toBeNull();
});

// Shows: R-99
test('the strip of days is written in the language of the page', async () => {
  sessionStorage.setItem('clinic.language', 'fr');
  await speak('fr');
  const { choose, press } = await atHome({ days: [aDay(tomorrow, { '101': ['09:00'] })] });
  await choose('In-person visit');
  await choose('Dr. A. Stone');
  await press('Next');
  expect(await screen.findByRole('heading', { level: 2, name: 'dim. 22 nov.' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^dim\. 22/ })).toBeTruthy();
});

test('arrow keys move between the times in a column, which is one stop of the Tab key', async () => {
  const { person } = await atSlots();
  const first = await screen.findByRole('button', { name: /^09:00/ });
  const second = screen.getByRole('button', { name: /^09:05/ });
  expect([first.tabIndex, second.tabIndex]).toEqual([0, -1]);
  first.focus();
  await person.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(second);
  expect([first.tabIndex, second.tabIndex]).toEqual([-1, 0]);
});

test('a slot that somebody else has just taken is said on the grid', async () => {
  const { press } = await atSlots(
    {},
    refuse(
      'placeHold',
      409,
      'slotTaken',
      'Someone else just took this time. Please choose another.',
    ),
  );
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Someone else just took this time. Please choose another.',
  );
});

// Shows: R-98
test('a payment link that stands in the way is asked for, so that home offers it', async () => {
  const { service, press } = await atSlots({}, refuse('placeHold', 409, 'linkStands', 'Held.'));
  const asked = () => service.calls.filter((call) => call.startsWith('GET /schedule/hold')).length;
  const before = asked();
  await press(/^09:00/);
  await screen.findByText('Held.');
  await waitFor(() => expect(asked()).toBe(before + 1));
});

test('a refusal stands beneath the time that was pressed, and has the focus', async () => {
  const words = 'You can only book one appointment each day';
  const { press } = await atSlots({}, refuse('placeHold', 409, 'oneEachDay', words));
  await press(/^09:00/);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(words);
  const above = alert.closest('li')?.previousElementSibling;
  expect(above?.textContent).toBe('09:00');
  expect(document.activeElement).toBe(alert);
});

test('a refused time is told before the times are there anew, and stays where it is when they come', async () => {
  const { service, press } = await atSlots({}, refuse('placeHold', 409, 'slotTaken', 'Taken.'));
  const days = [aDay(tomorrow, { '101': ['09:05'] })];
  const nine = await screen.findByRole('button', { name: /^09:00/ });
  const schedule = 'GET /doctors/schedule';
  const asked = () => service.calls.filter((call) => call === schedule).length;
  const before = asked();
  const slow = Promise.withResolvers<void>();
  service.answer(schedule, async (request) => {
    await slow.promise;
    return bookingClinic({ days })[schedule]?.(request) ?? 'unreachable';
  });
  await press(/^09:00/);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Taken.');
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
  expect(nine.isConnected).toBe(true);
  slow.resolve();
  await waitFor(() => expect(nine.isConnected).toBe(false));
  expect(screen.getByRole('alert')).toBe(alert);
  expect(document.activeElement).toBe(alert);
});

test('why a time was refused does not follow the patient to another day', async () => {
  const { press } = await atSlots({}, refuse('placeHold', 409, 'slotTaken', 'Taken.'));
  await press(/^09:00/);
  await screen.findByRole('alert');
  await press('Next Day');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

// Shows: R-23
test('a check of the family doctor that fails is said with a way to try again, and nothing else is offered', async () => {
  const check = 'GET /clinic/admin/patient/5001';
  const { choose, press, service } = await atHome(
    { statuses: { '101': aApiStatus({ onlyFamilyDoctor: true }) } },
    { [check]: () => ({ status: 503, body: refusal('recordsUnreachable', '') }) },
  );
  await choose('In-person visit');
  await choose('Dr. A. Stone');
  await press('Next');
  await screen.findByText(/^We couldn't check your family doctor at our clinic/);
  await screen.findByText(/^There are no appointments available/);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Next available/ })).toBeNull();
  expect(service.calls).not.toContain('GET /doctors/earliest');
  service.answer(check, bookingClinic()[check] ?? (() => 'unreachable'));
  await press('Try again');
  expect(await screen.findByRole('button', { name: /^09:00/ })).toBeTruthy();
});

// Shows: R-14
test('a search that went on by itself says which day was empty and which one it shows', async () => {
  await atSlots();
  expect(
    await screen.findByText('Nothing is available on Sat Nov 21. These are the next times.'),
  ).toBeTruthy();
  expect(screen.getByText('Available times on Sun Nov 22')).toBeTruthy();
});

test('what comes of the next press has the focus too, where the loss of a time was told before', async () => {
  const open = await atConfirm({}, refuse('createBooking', 409, 'slotTaken', 'It is taken.'));
  await open.person.type(screen.getByRole('textbox'), 'a cough');
  await open.press('Next');
  await open.press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain('It is taken.');
  for (const [call, reply] of Object.entries(refuse('placeHold', 409, 'slotTaken', 'This too.')))
    open.service.answer(call, reply);
  await open.press(/^09:05/);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('This too.'));
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});

test('a time that is tried too often is answered with the wait in words, and the times stay (S-5)', async () => {
  const words = 'There were too many attempts. Please wait 14 minutes, then try again.';
  const { press } = await atSlots({}, refuse('placeHold', 429, 'tooManyRequests', words));
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(screen.getByRole('button', { name: /^09:00/ })).toBeTruthy();
});

// Shows: 8.slots.3, R-25
test('what the service says of a search that it refuses is alerted, and can be tried again', async () => {
  const words = 'Please ask for six days at most.';
  const { service, press } = await atSlots(
    {},
    refuse('doctorSchedule', 422, 'rangeTooLong', words),
  );
  const alert = await screen.findByRole('alertdialog');
  expect(alert.textContent).toContain(words);
  await press('OK');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByText("We couldn't load the available times.")).toBeTruthy();
  const working = bookingClinic()['GET /doctors/schedule'];
  if (working) service.answer('GET /doctors/schedule', working);
  await press('Try again');
  expect(await screen.findByRole('button', { name: /^09:00/ })).toBeTruthy();
});
