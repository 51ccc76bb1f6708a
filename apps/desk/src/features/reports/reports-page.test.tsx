import type { ApiReports } from '@clinic/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';
import { emrAnswers } from '../../testing/records.ts';
import { savedFiles } from '../../testing/saved-files.ts';
import { readTable as readShownTable } from '../../testing/tables.ts';

const DAY = 86_400;
const nobody = {
  bookings: 0,
  patients: 0,
  offeredMinutes: 0,
  bookedMinutes: 0,
  registered: 0,
  noShows: 0,
  cancelledByPatient: 0,
  cancelledByClinic: 0,
  rescheduledByPatient: 0,
  rescheduledByClinic: 0,
};
const nothing: ApiReports = {
  bookings: [],
  leadTimes: [],
  medianLeadDays: null,
  providers: [],
  revenue: [],
  demand: [],
  thirdNext: [],
};
const stone = {
  ...nobody,
  provider: '101',
  name: 'Dr. A. Stone',
  bookings: 3,
  patients: 2,
  offeredMinutes: 450,
  bookedMinutes: 90,
  registered: 2,
  noShows: 1,
  cancelledByPatient: 4,
  cancelledByClinic: 5,
  rescheduledByPatient: 6,
  rescheduledByClinic: 7,
};
const inEmr = { ...nobody, provider: '102', name: 'Dr. B. Reed', bookedMinutes: 30 };
const shortVisit = { type: 'E', description: 'Short visit' };
const some: ApiReports = {
  bookings: [
    { period: '2026-10', patient: 12, desk: 3 },
    { period: '2026-11-02', patient: 0, desk: 1 },
  ],
  leadTimes: [
    { fromDays: 0, bookings: 1 },
    { fromDays: 1, bookings: 2 },
    { fromDays: 2, bookings: 3 },
    { fromDays: 7, bookings: 4 },
  ],
  medianLeadDays: 2.4,
  providers: [{ ...stone, provider: 'all', name: 'all' }, stone, inEmr],
  revenue: [
    { period: '2026-10', online: 15_000, atClinic: 4_000, refunded: 0 },
    { period: '2026-11-02', online: 0, atClinic: 0, refunded: 15_000 },
  ],
  demand: [
    { weekday: 'Mon', hour: 9, appointments: 3 },
    { weekday: 'Tue', hour: 11, appointments: 5 },
  ],
  thirdNext: [
    { ...shortVisit, provider: '101', name: 'Dr. A. Stone', start: NOW + 3 * DAY },
    { ...shortVisit, provider: '102', name: 'Dr. B. Reed', start: null },
    { type: 'P', description: 'Phone call', provider: '101', name: 'Dr. A. Stone', start: NOW },
  ],
};

afterEach(() => vi.restoreAllMocks());

/** The table of a chart, which a press shows. */
async function readTable(caption: string): Promise<string[][]> {
  const [name = caption] = caption.split(': ');
  const chart = await screen.findByRole('region', { name });
  fireEvent.click(within(chart).getByRole('button', { name: 'Show as a table' }));
  return readShownTable(caption);
}

// Shows: S-18
describe('The reports', () => {
  test('say each figure in words and behind a button in a table, and the whole clinic in a sentence', async () => {
    openDesk('/reports', { deskReports: () => some });
    await screen.findByText(
      '3 appointments of 2 patients on these days. Hours open: 7.5. Hours booked: 1.5.',
    );
    expect(await readTable('Bookings by who made them')).toEqual([
      ['Booked on', 'By the patient', 'By staff'],
      ['October 2026', '12', '3'],
      ['Mon Nov 02', '0', '1'],
    ]);
    expect(await readTable('How far ahead appointments are booked')).toEqual([
      ['Ahead', 'Bookings'],
      ['Less than a day', '1'],
      ['1 day', '2'],
      ['2 to 6 days', '3'],
      ['7 days and more', '4'],
    ]);
    screen.getByText('Half of the bookings were made at most 2 days ahead.');
    screen.getByText('Of 3 patients who came or did not, 1 did not come.');
    expect(await readTable('No-show rate')).toEqual([
      ['Provider', 'Rate', 'Did not come', 'Came'],
      ['Dr. A. Stone', '33 %', '1', '2'],
      ['Dr. B. Reed', '–', '0', '0'],
    ]);
    expect(screen.getByRole('region', { name: 'Revenue' }).textContent).toContain(
      'Paid online: $150.00. Taken at the clinic: $40.00. Given back: $150.00.',
    );
    expect(await readTable('Revenue')).toEqual([
      ['Day or month', 'Online', 'At the clinic', 'Given back'],
      ['October 2026', '$150.00', '$40.00', '$0.00'],
      ['Mon Nov 02', '$0.00', '$0.00', '$150.00'],
    ]);
    screen.getByText(/^Most is asked for on Tuesday from 11:00: 5 appointments\./);
    expect((await readTable('Demand by weekday and hour')).slice(0, 3)).toEqual([
      ['Weekday', '09:00', '10:00', '11:00'],
      ['Monday', '3', '0', '0'],
      ['Tuesday', '0', '0', '5'],
    ]);
    expect((await readTable('Cancelled and moved, by whom'))[1]).toEqual([
      'Dr. A. Stone',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  test('have a dash, and no bar, where a figure is not known', async () => {
    openDesk('/reports', { deskReports: () => some });
    const use = await screen.findByRole('img', { name: 'Use of the open time' });
    const bars = [...use.querySelectorAll('svg')].map((bar) => bar.querySelector('rect'));
    expect(bars.map((bar) => bar?.getAttribute('width'))).toEqual(['20', undefined]);
    expect((await readTable('Use of the open time')).slice(1)).toEqual([
      ['Dr. A. Stone', '20 %', '7.5', '1.5'],
      ['Dr. B. Reed', '–', '0.0', '0.5'],
    ]);
    expect((await readTable('Third next available appointment: Short visit')).slice(1)).toEqual([
      ['Dr. A. Stone', '3', 'Thu Nov 26 2026 10:00'],
      ['Dr. B. Reed', '–', 'None within the booking window'],
    ]);
  });

  test('say that open hours are kept in the EMR, never that there are none', async () => {
    openDesk('/reports', {
      deskEmr: () => ({ emr: emrAnswers }),
      deskReports: () => ({ ...some, providers: [{ ...inEmr, provider: 'all' }, stone, inEmr] }),
    });
    await screen.findByText(/Hours open: kept in the EMR\. Hours booked: 0\.5\.$/);
    expect((await readTable('Use of the open time')).slice(1)).toEqual([
      ['Dr. A. Stone', '20 %', '7.5', '1.5'],
      ['Dr. B. Reed', '–', 'kept in the EMR', '0.5'],
    ]);
  });

  test('have a dash for open hours while it is not known whether an EMR keeps them, and say so', async () => {
    openDesk('/reports', { deskEmr: () => refused('bug', 'Gone.'), deskReports: () => some });
    await screen.findByText('Gone.');
    expect((await readTable('Use of the open time')).slice(2)).toEqual([
      ['Dr. B. Reed', '–', '–', '0.5'],
    ]);
  });

  test('show the third next time of one type, of which another can be chosen', async () => {
    const { user } = openDesk('/reports', { deskReports: () => some });
    await user.selectOptions(await screen.findByLabelText('Type'), 'Phone call');
    expect((await readTable('Third next available appointment: Phone call')).slice(1)).toEqual([
      ['Dr. A. Stone', '0', 'Mon Nov 23 2026 10:00'],
    ]);
  });

  test('say in each chart that there is nothing, and no median, where nobody booked', async () => {
    openDesk('/reports', { deskReports: () => nothing });
    const use = await screen.findByRole('region', { name: 'Use of the open time' });
    within(use).getByText('There is nothing on these days.');
    expect(screen.queryAllByRole('img')).toEqual([]);
    expect(screen.queryAllByRole('table')).toEqual([]);
    expect(screen.queryByText(/^Half of the bookings/)).toBeNull();
    expect(screen.queryByText(/Hours open/)).toBeNull();
  });

  test('are of this month, until other days are chosen; the address keeps them', async () => {
    const asked: string[] = [];
    const { user } = openDesk('/reports', {
      deskReports: ({ query }) => {
        asked.push(`${query.get('from')} ${query.get('to')}`);
        return nothing;
      },
    });
    const pressed = () => screen.queryAllByRole('button', { pressed: true });
    expect((await screen.findAllByRole('button', { pressed: true }))[0]?.textContent).toBe(
      'This month',
    );
    await user.click(screen.getByRole('button', { name: 'Last month' }));
    expect(pressed().map(({ textContent }) => textContent)).toEqual(['Last month']);
    await screen.findByRole('region', { name: 'Use of the open time' });
    expect(asked).toEqual(['2026-11-01 2026-11-23', '2026-10-01 2026-10-31']);
    expect(location.search).toBe('?from=2026-10-01&to=2026-10-31');
  });

  test('of days in the wrong order, or none, in the address are of this month', async () => {
    openDesk('/reports?from=2026-11-09&to=2026-11-02', { deskReports: () => nothing });
    const from = await screen.findByLabelText<HTMLInputElement>('From');
    expect(from.value).toBe('2026-11-01');
  });

  test('that cannot be loaded say so, and are there once tried again', async () => {
    let isUp = false;
    const { user } = openDesk('/reports', {
      deskReports: () => (isUp ? some : refused('serviceBusy', 'The clinic is busy.')),
    });
    const failed = await screen.findByRole('alert');
    expect(failed.textContent).toContain('The clinic is busy.');
    expect(screen.queryAllByRole('region')).toEqual([]);
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('region', { name: 'Use of the open time' });
    expect(failed.isConnected).toBe(false);
  });
});

// Shows: S-18
describe('The figures as a file', () => {
  test('are of the days on the page, and it is said under which name they are saved', async () => {
    const files = savedFiles();
    const { user, sent } = openDesk('/reports?from=2026-11-02&to=2026-11-09', {
      deskReports: () => nothing,
      deskStatistics: () => ({ name: 'figures.csv', csv: 'month,provider' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Download figures (CSV)' }));
    expect((await screen.findByRole('alert')).textContent).toBe('figures.csv is saved.');
    expect(sent('deskStatistics')).toEqual([{ from: '2026-11-02', to: '2026-11-09' }]);
    expect(files.map(({ name }) => name)).toEqual(['figures.csv']);
    expect(await files[0]?.text).toBe('month,provider');
  });

  test('that are refused say why, save nothing, and can be asked for again', async () => {
    const files = savedFiles();
    let isLate = true;
    const { user } = openDesk('/reports', {
      deskReports: () => nothing,
      deskStatistics: () =>
        isLate ? refused('tooManyRequests', 'Please wait.') : { name: 'figures.csv', csv: '' },
    });
    const button = await screen.findByRole('button', { name: 'Download figures (CSV)' });
    await user.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe('Please wait.');
    expect(files).toEqual([]);
    isLate = false;
    await user.click(button);
    await screen.findByText('figures.csv is saved.');
    expect(screen.queryByText('Please wait.')).toBeNull();
  });
});
