import { screen, waitFor, within } from '@testing-library/react';
import { addDays, toInstant } from '@clinic/domain';
import { expect, test } from 'vitest';
import { aDay, aType, reply, TODAY } from '../../../testing/booking-clinic.ts';
import { atHome, atSlots } from '../../../testing/booking-person.tsx';
import { casey } from '../../../testing/people.ts';

const FAR = '2026-12-15';
const start = toInstant(FAR, '13:00');
const earliest = { doctor: '101', start, end: start + 300 };
const OFFER = 'Next available: Tue Dec 15, 13:00 with Dr. A. Stone';

const answering = (slot: typeof earliest | null, searches: string[] = []) =>
  reply('earliestSlot', ({ search }) => {
    searches.push(search.toString());
    return { success: true, extras: { slot } };
  });

test('an empty schedule offers the next available time beside the warning', async () => {
  const searches: string[] = [];
  const { person } = await atSlots(
    { days: [aDay(FAR, { '101': ['13:00'] })] },
    answering(earliest, searches),
  );
  const modal = within(await screen.findByRole('alertdialog', { name: 'Warning' }));
  expect(modal.getByRole('button', { name: 'Yes' })).toBeTruthy();
  await person.click(await modal.findByRole('button', { name: OFFER }));
  expect(
    await screen.findByRole('button', { name: /^13:00, Tue Dec 15, Dr. A. Stone/ }),
  ).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(new Set(searches)).toEqual(new Set(['type=O&id=-1']));
});

// Shows: R-90
test('the next available time says its minutes where the types differ in length', async () => {
  const types = [aType('O'), aType('P', { description: 'Phone consultation', minutes: 10 })];
  await atSlots(
    { days: [], user: { ...casey, appointmentType: types } },
    answering({ ...earliest, end: start + 20 * 60 }),
  );
  const modal = within(await screen.findByRole('alertdialog', { name: 'Warning' }));
  expect(await modal.findByRole('button', { name: `${OFFER} · 20 minutes` })).toBeTruthy();
});

test('the warning waits for the next available time, so that nothing in it moves', async () => {
  let answer = () => {};
  const slow = new Promise<void>((resolve) => (answer = resolve));
  const [[call, reply] = ['', () => 'unreachable' as const]] = Object.entries(answering(earliest));
  const { service } = await atSlots(
    { days: [aDay(FAR, { '101': ['13:00'] })] },
    {
      [call]: async (request) => {
        await slow;
        return reply(request);
      },
    },
  );
  await waitFor(() => expect(service.calls).toContain(call));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  answer();
  const modal = within(await screen.findByRole('alertdialog', { name: 'Warning' }));
  expect(modal.getByRole('button', { name: OFFER })).toBeTruthy();
});

test('the empty day itself goes on offering it after No', async () => {
  const { press } = await atSlots({ days: [aDay(FAR, { '101': ['13:00'] })] }, answering(earliest));
  await screen.findByRole('alertdialog', { name: 'Warning' });
  await press('No');
  await press(OFFER);
  expect(await screen.findByRole('button', { name: /^13:00, Tue Dec 15/ })).toBeTruthy();
});

test('with one doctor it is that doctor’s next time, beyond what was searched', async () => {
  const searches: string[] = [];
  const date = addDays(TODAY, 60);
  const far = toInstant(date, '09:00');
  const { choose, press } = await atHome(
    { days: [aDay(date, { '101': ['09:00'] })] },
    answering({ doctor: '101', start: far, end: far + 300 }, searches),
  );
  await choose('In-person visit');
  await choose('Dr. A. Stone');
  await press('Next');
  const modal = within(await screen.findByRole('alertdialog', { name: 'Warning' }));
  await modal.findByRole('button', { name: /^Next available: Wed Jan 20, 09:00/ });
  await press('No');
  await press(/^Next available/);
  expect(await screen.findByRole('button', { name: /^09:00, Wed Jan 20/ })).toBeTruthy();
  expect(new Set(searches)).toEqual(new Set(['type=O&id=101']));
});

test('a window without any free time offers none', async () => {
  const { press } = await atSlots({ days: [] }, answering(null));
  await screen.findByRole('alertdialog', { name: 'Warning' });
  await press('No');
  expect(screen.queryByRole('button', { name: /^Next available/ })).toBeNull();
});
