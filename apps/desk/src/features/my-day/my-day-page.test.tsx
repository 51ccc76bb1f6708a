import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, deskChanges, openDesk } from '../../testing/desk.tsx';
import { ID, booking, ownAppointment, ownDay, placed, sheet } from '../../testing/records.ts';

const OTHER = '00000000-0000-4000-8000-0000000000ff';
const arrived = ownAppointment({
  attendance: 'arrived',
  arrivedAt: NOW - 960,
  next: ['inRoom', 'expected'],
});
const bea = ownAppointment({ id: OTHER, patient: 'Roy, Bea', start: NOW + 600, next: ['arrived'] });
/** The line of a patient, whose name begins with the time. */
const entry = (name: string) =>
  screen.findByRole('button', { name: new RegExp(`^\\d\\d:\\d\\d ${name}`) });

// Shows: S-18, R-135
test('signing in as a clinician leads to their own day, where the next patient has the focus and how long they wait stands', async () => {
  openDesk('/', ownDay([bea, arrived]));
  await screen.findByRole('heading', { name: 'My day' });
  const casey = await entry('Morgan, Casey.*Arrived waits 16 min');
  await waitFor(() => expect(document.activeElement === casey).toBe(true));
  expect(screen.getByText(/2 patients to be seen, 1 waits/)).toBeTruthy();
  expect(location.pathname).toBe('/desk/my-day');
});

test('who is more than a clinician begins at the day sheet, and has their own day by its name', async () => {
  openDesk('/', {
    ...ownDay(),
    ...sheet(),
    deskSession: () => ({
      name: 'Amelia Stone',
      roles: ['clinician', 'manager'],
      isLocked: false,
      locksAt: NOW + 900,
      endsAt: NOW + 43_200,
    }),
  });
  await screen.findByRole('group', { name: 'Appointments by provider' });
  expect(screen.getByRole('link', { name: 'My day' })).toBeTruthy();
});

// Shows: S-18, R-135
test('R and S act on the patient with the focus, once a press, and elsewhere on nobody', async () => {
  let casey = arrived;
  const desk = openDesk('/my-day', {
    ...ownDay(),
    deskOwnDay: () => ({ providerId: '101', lateMinutes: 0, appointments: [casey, bea] }),
    deskNoteAttendance: ({ body }) => {
      const { to } = body as { to: 'inRoom' | 'completed' };
      casey = ownAppointment({
        attendance: to,
        inRoomAt: NOW,
        next: to === 'inRoom' ? ['completed', 'arrived'] : [],
      });
    },
  });
  const row = await entry('Morgan, Casey.*Arrived');
  await waitFor(() => expect(document.activeElement === row).toBe(true));
  // Too early.
  await desk.user.keyboard('s');
  await desk.user.keyboard('r');
  await entry('Morgan, Casey.*In the room');
  await screen.findByText('Morgan, Casey: In the room.');
  expect(document.activeElement === row).toBe(true);
  await desk.user.keyboard('S');
  await entry('Morgan, Casey.*Seen');
  expect(document.activeElement === row).toBe(true);
  const both = [
    { to: 'inRoom', from: 'arrived' },
    { to: 'completed', from: 'inRoom' },
  ];
  expect(desk.sent('deskNoteAttendance')).toEqual(both);
  await desk.user.keyboard('{ArrowDown}{Control>}r{/Control}rs');
  expect(document.activeElement === (await entry('Roy, Bea'))).toBe(true);
  screen.getByRole('button', { name: 'My week' }).focus();
  await desk.user.keyboard('a');
  expect(desk.sent('deskNoteAttendance')).toEqual(both);
});

// Shows: S-18, R-135
test('why a patient comes is shown when it is asked for, and a follow-up is noted and booked with oneself', async () => {
  const desk = openDesk('/my-day', {
    ...ownDay([arrived]),
    ...booking,
    deskOpenAppointment: () => ({
      id: ID,
      patient: {
        name: 'Casey Morgan',
        birthDate: '1984-05-17',
        recordId: '5001',
        email: null,
        phone: '+1 604-555-0177',
      },
      reason: 'A cough',
      bookingNumber: null,
      checkin: null,
      bookedAt: NOW - 86_400,
      arrivedAt: NOW,
      inRoomAt: null,
      paidCents: 0,
      feeAtClinic: null,
    }),
    deskNoteWish: () => undefined,
    deskBook: () => placed,
  });
  await desk.user.click(await entry('Morgan, Casey.*Arrived'));
  await screen.findByText('A cough');
  expect(desk.sent('deskOpenAppointment')).toEqual([{}]);

  await desk.user.click(screen.getByRole('button', { name: 'Note a follow-up' }));
  const dialog = within(await screen.findByRole('dialog'));
  await desk.user.selectOptions(dialog.getByLabelText('When'), 'In 2 weeks');
  dialog.getByText('From Mon Dec 07 on, with you.');
  await desk.user.click(dialog.getByRole('button', { name: 'Note a follow-up' }));
  await screen.findByText('Noted: a follow-up of Morgan, Casey.');
  expect(desk.sent('deskNoteWish')).toEqual([
    { kind: 'followUp', type: 'E', providerId: '101', from: '2026-12-07', to: null },
  ]);

  await desk.user.click(screen.getByRole('button', { name: 'Book a follow-up' }));
  await desk.user.click(await screen.findByRole('option', { name: /10:30/ }));
  await desk.user.click(await screen.findByRole('button', { name: 'Book this time' }));
  await screen.findByText(/^Booked/);
  expect(desk.sent('deskFreeTimes').at(0)).toMatchObject({ type: 'E', providerId: '101' });
  // A clinician looks for nobody.
  expect(screen.queryByLabelText(/^Another of the family/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Find another patient' })).toBeNull();
});

// Shows: S-18, R-135
test('the own week is a press away, on the page of any week', async () => {
  const desk = openDesk('/my-day', { ...ownDay(), deskProviderWeek: () => ({ days: [] }) });
  await desk.user.click(await screen.findByRole('button', { name: 'My week' }));
  await screen.findByRole('button', { name: 'Next week' });
  expect(location.pathname).toBe('/desk/day/week/101/2026-11-23');
});

// Shows: S-18, R-135
test('how late one runs is pressed as it stands', async () => {
  openDesk('/my-day', ownDay([arrived], 20));
  const pressed = await screen.findByRole('button', { name: '20 min late' });
  expect(pressed.getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'On time' }).getAttribute('aria-pressed')).toBe(
    'false',
  );
});

// Shows: S-18, R-135
test('how late a provider runs stands beside their name on the day sheet', async () => {
  const providers = [
    { id: '101', name: 'Dr. A. Stone', lateMinutes: 20, closed: [], busy: [], appointments: [] },
  ];
  openDesk('/day/2026-11-23', {
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: NOW - 3_600, end: NOW + 7_200 },
      providers,
    }),
  });
  expect(await screen.findByRole('heading', { name: 'Dr. A. Stone 20 min late' })).toBeTruthy();
});

test('a day without patients says so, and shows whom a colleague books meanwhile', async () => {
  let all: (typeof bea)[] = [];
  openDesk('/my-day', {
    ...ownDay(),
    deskOwnDay: () => ({ providerId: '101', lateMinutes: 0, appointments: all }),
  });
  await screen.findByText('You have no patients today.');
  all = [bea];
  deskChanges();
  expect(await entry('Roy, Bea')).toBeTruthy();
});
