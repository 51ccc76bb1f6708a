import type { ApiPrintedDay } from '@clinic/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';
import { ID } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

const DAY = '2026-11-23';
type Appointment = ApiPrintedDay['providers'][number]['appointments'][number];
const ada: Appointment = {
  id: ID,
  start: NOW,
  end: NOW + 900,
  description: 'Short visit',
  patient: 'Stone, Ada',
  age: 42,
  phones: ['+16045550177', '+442079460958'],
  reason: 'A cough',
  attendance: 'arrived',
  fee: 'due',
  feeCents: 14_000,
  linkUntil: null,
  isFirst: true,
  alerts: ['Deaf.'],
};
const dayOf = (...appointments: Appointment[]): ApiPrintedDay => ({
  providers: [
    {
      id: '101',
      name: 'Dr. A. Stone',
      busy: [{ start: NOW - 600, end: NOW - 300 }],
      appointments,
    },
  ],
});
const bare = { phones: [], reason: null, alerts: [], isFirst: false };
const ben: Appointment = {
  ...ada,
  ...bare,
  id: '2',
  start: NOW + 900,
  end: NOW + 1_800,
  patient: 'Adair, Ben',
  age: null,
  attendance: 'expected',
  fee: 'none',
};

// Shows: S-18
test('A day on paper has of each provider who comes, in order, with what the EMR alone knows', async () => {
  const { user } = openDesk(`/print/${DAY}`, { deskPrintDay: () => dayOf(ada, ben) });
  expect(await readTable(/^Dr\. A\. Stone, /)).toEqual([
    ['Time', 'Patient', 'Phone', 'Type', 'Fee', 'Alert, reason'],
    ['09:50 5 min', 'Taken in the EMR'],
    [
      '10:00 15 min',
      'Stone, Ada 42, first visit, Arrived',
      '604-555-0177+442079460958',
      'Short visit',
      'due $140.00',
      'Alert: Deaf. A cough',
    ],
    ['10:15 15 min', 'Adair, Ben ', '', 'Short visit', '', ''],
  ]);
  screen.getByText('2 appointments, 10:00 to 10:30. As of 10:00.');
  const print = vi.spyOn(globalThis, 'print').mockReturnValue();
  await user.click(screen.getByRole('button', { name: 'Print this' }));
  expect(print).toHaveBeenCalledOnce();
});

test('The phone list has everybody by name, and is no other look', async () => {
  const { user, sent } = openDesk(`/print/${DAY}`, { deskPrintDay: () => dayOf(ada, ben) });
  await user.click(await screen.findByRole('link', { name: 'Phone list' }));
  expect((await readTable(/^Phone list, /)).slice(1)).toEqual([
    ['Adair, Ben', 'none known', '10:15', 'Dr. A. Stone', '☐'],
    ['Stone, Ada', '604-555-0177, +442079460958', '10:00', 'Dr. A. Stone', '☐'],
  ]);
  expect(sent('deskPrintDay')).toHaveLength(1);
});

test('A day for which a reason is needed is shown once it is given', async () => {
  const { user, sent } = openDesk(`/print/${DAY}`, {
    deskPrintDay: ({ body }) =>
      'lookReason' in (body as object) ? dayOf(ada) : refused('lookReasonMissing'),
  });
  const why = await screen.findByLabelText(/^Why do you print this day/);
  expect(screen.getByRole('button', { name: 'Print this' }).hasAttribute('disabled')).toBe(true);
  await user.selectOptions(why, 'A payment');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await readTable(/^Dr\. A\. Stone, /);
  expect(sent('deskPrintDay')).toEqual([{}, { lookReason: 'payment' }]);
});

test('A day on which nobody comes says so, and has nothing to print', async () => {
  openDesk(`/print/${DAY}`, { deskPrintDay: () => ({ providers: [] }) });
  await screen.findByText('Nobody has an appointment on this day.');
  expect(screen.getByRole('button', { name: 'Print this' }).hasAttribute('disabled')).toBe(true);
});
