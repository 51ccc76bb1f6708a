import type { ApiCancelled } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, deskChanges, openDesk } from '../../../testing/desk.tsx';
import { ID, bookingOptions, ownDay, sheet } from '../../../testing/records.ts';

const cancelled = (over: Partial<ApiCancelled> = {}): ApiCancelled => ({
  id: ID,
  patient: 'Roy, Bea',
  description: 'Short visit',
  providerId: '101',
  provider: 'A. Stone',
  start: NOW + 3_600,
  end: NOW + 4_200,
  cancelledAt: NOW - 600,
  wantedBy: 'patient',
  by: null,
  overrideReason: null,
  place: 'free',
  wishes: [],
  ...over,
});
const wish = {
  id: ID,
  recordId: '7001',
  name: 'Berg, Ola',
  phone: '+16045550177',
  kind: 'earlier' as const,
  type: 'P',
  description: 'Phone visit',
};
const open = async (appointments: ApiCancelled[], more: Parameters<typeof openDesk>[1] = {}) => {
  const desk = openDesk('/day/2026-11-23', {
    ...sheet(),
    deskCancelled: () => ({ appointments }),
    deskBookingOptions: () => ({
      ...bookingOptions,
      name: 'Berg, Ola',
      types: [...bookingOptions.types, { code: 'P', description: 'Phone visit', feeCents: 0 }],
    }),
    deskFreeTimes: () => ({ times: [], walkIns: [] }),
    ...more,
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Cancelled' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancelled appointments' });
  return { ...desk, dialog: within(dialog) };
};

// Shows: R-136
test('who cancelled is listed with why and by whom, and what became of the time', async () => {
  const { dialog } = await open([
    cancelled(),
    cancelled({ id: '2', by: 'Robin Lee', overrideReason: 'urgent', place: 'taken' }),
    cancelled({ id: '3', by: 'Robin Lee', wantedBy: 'clinic', place: 'closed' }),
    cancelled({ id: '4', wantedBy: 'clinic', place: 'over' }),
  ]);
  await dialog.findAllByText('Roy, Bea, Short visit');
  expect(dialog.getAllByText(/^Cancelled /).map((each) => each.textContent)).toEqual([
    'Cancelled appointments',
    'Cancelled Mon Nov 23 2026 09:50 by the patient. The time is free.',
    'Cancelled Mon Nov 23 2026 09:50 by Robin Lee, as the patient wished. Against the rules: It is urgent. The time is taken.',
    'Cancelled Mon Nov 23 2026 09:50 by Robin Lee, for the clinic. The time is closed.',
    'Cancelled Mon Nov 23 2026 09:50 by the clinic. The time is over.',
  ]);
  expect(dialog.getAllByRole('button', { name: /^Book/ })).toHaveLength(1);
});

// Shows: R-136
test('the place is given to whoever wishes for it by one press: their booking is summed up there', async () => {
  const { dialog, user } = await open([cancelled({ wishes: [wish] })]);
  expect((await dialog.findByRole('link', { name: '604-555-0177' })).getAttribute('href')).toBe(
    'tel:+16045550177',
  );
  await user.click(dialog.getByRole('button', { name: /^Book Berg, Ola/ }));
  const booking = within(await screen.findByRole('dialog', { name: 'Book for Berg, Ola' }));
  await booking.findByText('Phone visit');
  booking.getByText('Mon Nov 23 11:00');
  expect(screen.queryByRole('dialog', { name: 'Cancelled appointments' })).toBeNull();
});

// Shows: R-136
test('the list follows the day while it is open', async () => {
  let place: ApiCancelled['place'] = 'free';
  const { dialog } = await open([], {
    deskCancelled: () => ({ appointments: [cancelled({ place })] }),
  });
  await dialog.findByText(/The time is free\.$/);
  place = 'taken';
  deskChanges();
  await dialog.findByText(/The time is taken\.$/);
  expect(dialog.queryByRole('button', { name: /^Book/ })).toBeNull();
});

test('whoever may not book reads who cancelled, and has nothing to press', async () => {
  const { dialog } = await open([cancelled()], {
    deskSession: ownDay().deskSession as never,
  });
  await dialog.findByText('Roy, Bea, Short visit');
  expect(dialog.queryByRole('button', { name: /^Book/ })).toBeNull();
});
