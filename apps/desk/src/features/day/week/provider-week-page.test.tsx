import type { ApiDaySheet } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, openDesk } from '../../../testing/desk.tsx';
import { appointment, placed, sheet } from '../../../testing/records.ts';

const MONDAY = '2026-11-23';
const DAY = 86_400;
const NINE = NOW - 3_600;
const dayOf = (at: number, over: Partial<ApiDaySheet['providers'][number]> = {}): ApiDaySheet => {
  const hours = { start: NINE + at * DAY, end: NINE + at * DAY + 7_200 };
  const none = { id: '101', name: 'A. Stone', busy: [], open: [], appointments: [] };
  return {
    date: addDays(MONDAY, at),
    hours,
    types: [],
    providers: [{ ...none, closed: [hours], ...over }],
  };
};
const ada = appointment({ id: 'ada', start: NINE, end: NINE + 600 });
const bea = appointment({ id: 'bea', patient: 'Bea', start: NINE + DAY, end: NINE + DAY + 600 });
const week = () => ({
  days: [
    dayOf(0, { closed: [], appointments: [ada] }),
    dayOf(1, { closed: [], appointments: [bea] }),
    ...[2, 3, 4, 5, 6].map((at) => dayOf(at)),
  ],
});
const open = (path = `/day/week/101/2026-11-25`) => {
  const asked: string[] = [];
  const desk = openDesk(path, {
    ...sheet(),
    deskProviderWeek: ({ params }) => {
      asked.push(`${params['providerId']} ${params['date']}`);
      return week();
    },
    deskNoteAttendance: () => undefined,
    deskBook: () => placed,
  });
  return { ...desk, asked };
};

// Shows: S-18
test('the week of a provider has a column for each day, which leads to its sheet, with the same lines', async () => {
  const { asked } = open();
  await screen.findByRole('heading', { name: 'A. Stone, week of Mon Nov 23' });
  expect(asked).toEqual([`101 ${MONDAY}`]);
  const days = await screen.findAllByRole('region');
  expect(days.map((each) => each.getAttribute('aria-label'))).toHaveLength(7);
  const lines = (at: number) =>
    within(days[at] as HTMLElement)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(lines(1)[0]).toMatch(/^09:00 Bea Expected/);
  expect(lines(1)[1]).toMatch(/^Free 09:10 to 11:00/);
  expect(lines(2)).toEqual(['Off 09:00 to 11:00']);
  const tuesday = within(days[1] as HTMLElement).getByRole('link', { name: /24/ });
  expect(tuesday.getAttribute('href')).toBe('/desk/day/2026-11-24');
  const today = days.filter((each) => each.querySelector('[aria-current="date"]') !== null);
  const crossed = days.filter((each) => each.querySelector('[data-now]') !== null);
  expect([today, crossed]).toEqual([[days[0]], [days[0]]]);
});

// Shows: S-18
test('arrows lead from day to day, A notes an arrival, Enter opens beside the week and W leads to the day', async () => {
  const { user, sent } = open();
  const first = await screen.findByRole('button', { name: /^09:00 Ada/ });
  first.focus();
  await user.keyboard('{ArrowRight}');
  const second = screen.getByRole('button', { name: /^09:00 Bea/ });
  expect(document.activeElement).toBe(second);
  await user.keyboard('a');
  await screen.findByText('Noted: Arrived.');
  expect(sent('deskNoteAttendance')).toEqual([{ to: 'arrived', from: 'expected' }]);
  await user.keyboard('{Enter}');
  await screen.findByRole('complementary', { name: 'Bea' });
  await user.keyboard('{Escape}');
  second.focus();
  await user.keyboard('w');
  expect(location.pathname).toBe('/desk/day/2026-11-24');
});

test('W on the sheet of a day leads to the week of the provider, as their name does', async () => {
  const { user } = open(`/day/${MONDAY}`);
  const name = await screen.findByRole('link', { name: 'Dr. A. Stone' });
  expect(name.getAttribute('href')).toBe(`/desk/day/week/101/${MONDAY}`);
  (await screen.findByRole('button', { name: /^09:00 Ada/ })).focus();
  await user.keyboard('w');
  await screen.findByRole('heading', { name: /^A\. Stone, week of/ });
});

test('a week whose answer is lost has a title without a name', async () => {
  openDesk(`/day/week/101/${MONDAY}`, {
    ...sheet(),
    deskProviderWeek: () => {
      throw new Error('No answer');
    },
  });
  await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Appointments by day');
});
