import type { ApiDaySheet, ApiSheetAppointment } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';
import { AS_THE_CLINIC_HAS_THEM, arrange } from './arrangement.ts';
import styles from './day.module.css';
import { chooseDensity } from './density.ts';

const NINE = NOW - 3_600;
const at = (minutes: number) => NINE + minutes * 60;

const appointment = (
  patient: string,
  minutes: number,
  over: Partial<ApiSheetAppointment> = {},
): ApiSheetAppointment => ({
  id: patient.toLowerCase(),
  patient,
  type: 'E',
  description: 'Short visit',
  start: at(minutes),
  end: at(minutes + 10),
  state: 'booked',
  attendance: 'expected',
  fee: 'none',
  linkUntil: null,
  next: ['arrived', 'noShow'],
  isCancellable: true,
  movesFor: null,
  hasAccount: true,
  movedByClinic: false,
  patientCannotCancel: null,
  ...over,
});

type Provider = ApiDaySheet['providers'][number];
const openSheet = (provider: Partial<Provider>, handlers: Parameters<typeof openDesk>[1] = {}) =>
  openDesk('/day/2026-11-23', {
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: at(0), end: at(240) },
      types: [
        { code: 'E', description: 'In-person visit', sign: { hue: 'blue', shape: 'circle' } },
        { code: 'P', description: 'Phone visit', sign: { hue: 'red', shape: 'star' } },
      ],
      providers: [
        { id: 'One', name: 'Dr. One', closed: [], busy: [], appointments: [], ...provider },
      ],
    }),
    ...handlers,
  });
const column = async () => within(await screen.findByRole('region', { name: 'Dr. One' }));

afterEach(() => {
  chooseDensity('comfortable');
  arrange(AS_THE_CLINIC_HAS_THEM);
  localStorage.clear();
});

test('every kind of time is said in words, and closed time leads to its closing (S-18)', async () => {
  openSheet({
    closed: [{ start: at(120), end: at(240) }],
    closings: [{ id: 'fire', start: at(120), end: at(180) }],
    busy: [{ start: at(100), end: at(110) }],
    open: [
      { start: at(0), end: at(80), types: ['E', 'P'] },
      { start: at(80), end: at(120), types: [] },
    ],
    appointments: [appointment('Ada', 0)],
  });
  const lines = (await column()).getAllByRole('listitem').map((line) => line.textContent);
  expect(lines.slice(1)).toEqual([
    'Was free 09:10 to 10:00',
    'Free 10:00 to 10:20, Dr. One, In-person visit or Phone visit',
    'Free 10:20 to 10:40, Dr. One, for no type',
    'In the EMR 10:40 to 10:50',
    'Free 10:50 to 11:00, Dr. One, for no type',
    'Closed 11:00 to 12:00',
    'Off 12:00 to 13:00',
  ]);
  const closed = screen.getByRole('link', { name: 'Closed 11:00 to 12:00' });
  expect(closed.getAttribute('href')).toBe('/desk/schedule/closings/fire');
});

test('a density is kept, and as a list nothing is dragged and Tab comes to one line (S-18)', async () => {
  const { user } = openSheet({ appointments: [appointment('Ada', 0), appointment('Bea', 90)] });
  await user.selectOptions(await screen.findByLabelText('How close the sheet stands'), 'Compact');
  expect(localStorage.getItem('desk.density')).toBe('compact');
  const buttons = (await column()).getAllByRole('button');
  expect(buttons.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
  buttons[0]?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toMatch(/^Free 10:00 to 10:30/);
});

test('the sheet says who is late and who waits, and how long (S-18)', async () => {
  openSheet({
    appointments: [
      appointment('Ada', 48),
      appointment('Bea', 56),
      appointment('Cy', 30, { attendance: 'arrived', arrivedAt: at(44) }),
      appointment('Dee', 20, { attendance: 'inRoom', arrivedAt: at(10) }),
    ],
  });
  const said = async (name: string) =>
    (await screen.findByRole('button', { name: new RegExp(`:.. ${name}`) })).textContent;
  expect(await said('Ada')).toContain('late 12 min');
  expect(await said('Bea')).not.toContain('late');
  expect(await said('Cy')).toContain('waits 16 min');
  expect(await said('Dee')).not.toMatch(/waits|late/);
});

test('A notes an arrival where the focus is, and stays there; N asks first; elsewhere they are letters (S-18)', async () => {
  const { user, sent } = openSheet(
    { appointments: [appointment('Ada', 48), appointment('Bea', 90, { next: [] })] },
    { deskNoteAttendance: () => undefined },
  );
  const ada = await screen.findByRole('button', { name: /^09:48 Ada/ });
  await user.keyboard('a');
  screen.getByRole('button', { name: /^10:30 Bea/ }).focus();
  await user.keyboard('an');
  expect(sent('deskNoteAttendance')).toEqual([]);
  ada.focus();
  await user.keyboard('a');
  await screen.findByText('Noted: Arrived.');
  expect(document.activeElement).toBe(ada);
  expect(sent('deskNoteAttendance')).toEqual([{ to: 'arrived', from: 'expected' }]);
  await user.keyboard('n');
  await screen.findByRole('dialog', { name: 'Ada, 09:48: did not come?' });
  expect(sent('deskNoteAttendance')).toHaveLength(1);
});

test('the question mark lists the keys, and Escape comes back (S-18)', async () => {
  const { user } = openSheet({ appointments: [appointment('Ada', 48)] });
  (await screen.findByRole('button', { name: /^09:48 Ada/ })).focus();
  await user.keyboard('?');
  const keys = within(await screen.findByRole('dialog', { name: 'Keys of the sheet' }));
  keys.getByText('did not come; it asks first');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the legend counts the types of the day; a press on one dims the others, and another press none (S-18)', async () => {
  const { user } = openSheet({
    appointments: [
      appointment('Ada', 0),
      appointment('Bea', 90),
      appointment('Cy', 100, { type: 'P' }),
    ],
  });
  const legend = await screen.findByRole('group', { name: /^Types on the sheet/ });
  const kinds = within(legend).getAllByRole('button');
  expect(kinds.map((each) => each.textContent)).toEqual([
    'E · In-person visit2',
    'P · Phone visit1',
  ]);
  const dimmed = async () => {
    const entries = (await column()).getAllByRole('button', { expanded: false });
    return entries.filter((each) => each.classList.contains(styles.dimmed ?? '')).length;
  };
  expect(await dimmed()).toBe(0);
  await user.click(kinds[1] as HTMLElement);
  expect(kinds[1]?.getAttribute('aria-pressed')).toBe('true');
  expect(await dimmed()).toBe(2);
  await user.click(kinds[1] as HTMLElement);
  expect(await dimmed()).toBe(0);
});

const openTwo = (path = '/day/2026-11-23') =>
  openDesk(path, {
    deskOpenAppointment: () => refused('notFound'),
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: at(0), end: at(240) },
      types: [],
      providers: ['One', 'Two', 'Six'].map((name) => ({
        id: name,
        name: `Dr. ${name}`,
        closed: [],
        busy: [],
        appointments: [appointment(name, 0)],
      })),
    }),
  });
const columns = async () =>
  (await screen.findAllByRole('region', { name: /^Dr\./ })).map((each) =>
    each.getAttribute('aria-label'),
  );

test('whom the sheet shows, and in which order, is chosen and kept; nobody chosen is everybody (S-18)', async () => {
  const { user } = openTwo();
  expect(await columns()).toEqual(['Dr. One', 'Dr. Two', 'Dr. Six']);
  await user.click(screen.getByRole('button', { name: 'Providers' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Providers on the sheet' }));
  await user.click(dialog.getByRole('button', { name: 'Move Dr. Six before the one above' }));
  await user.click(dialog.getByRole('button', { name: 'Move Dr. One after the one beneath' }));
  await user.click(dialog.getByRole('button', { name: 'Move Dr. Six before the one above' }));
  expect(await columns()).toEqual(['Dr. Six', 'Dr. One', 'Dr. Two']);
  await user.click(dialog.getByRole('checkbox', { name: 'Dr. One' }));
  expect(await columns()).toEqual(['Dr. Six', 'Dr. Two']);
  expect(JSON.parse(localStorage.getItem('desk.providers') ?? '')).toEqual({
    hidden: ['One'],
    order: ['Six', 'One', 'Two'],
  });
  await user.click(dialog.getByRole('checkbox', { name: 'Dr. Six' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Dr. Two' }));
  expect(await columns()).toEqual(['Dr. Six', 'Dr. One', 'Dr. Two']);
  await user.click(dialog.getByRole('button', { name: 'All, as the clinic has them' }));
  expect(await columns()).toEqual(['Dr. One', 'Dr. Two', 'Dr. Six']);
});

test('who is left out is said by number, and shown while an appointment of theirs is open (S-18)', async () => {
  arrange({ hidden: ['Two'], order: [] });
  const { user } = openTwo('/day/2026-11-23?appointment=two');
  expect(await columns()).toEqual(['Dr. One', 'Dr. Two', 'Dr. Six']);
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(await columns()).toEqual(['Dr. One', 'Dr. Six']);
  screen.getByRole('button', { name: 'Providers 2 of 3' });
});
