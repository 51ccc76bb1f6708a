import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderControls } from './testing/render.tsx';
import { addMonths, weeksOf } from './calendar-month.ts';
import { DateCalendar } from './date-calendar.tsx';

function Host({ start }: { start: string }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <p>Chosen: {value}</p>
      <DateCalendar
        label="Day of your visit"
        value={value}
        min="2026-11-21"
        max="2027-02-19"
        today="2026-11-21"
        onChange={setValue}
      />
    </>
  );
}

const focused = () => document.activeElement?.getAttribute('aria-label');

test('a month is laid out from Sunday to Saturday', () => {
  const weeks = weeksOf('2026-12-15');
  expect(weeks).toHaveLength(5);
  expect(weeks[0]).toEqual([
    null,
    null,
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
  ]);
  expect(weeks.flat().filter(Boolean)).toHaveLength(31);
  expect(weeksOf('2028-02-01').flat().filter(Boolean)).toHaveLength(29);
});

test.each([
  ['2026-12-15', 1, '2027-01-15'],
  ['2027-01-31', 1, '2027-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2026-03-31', -1, '2026-02-28'],
])('%s and %i month is %s', (date, months, expected) => {
  expect(addMonths(date, months)).toBe(expected);
});

test('a key that leads nowhere does not move the focus with a later press', async () => {
  renderControls(<Host start="2026-11-21" />);
  await userEvent.click(screen.getByRole('button', { name: 'Saturday, November 21, 2026' }));
  await userEvent.keyboard('{ArrowLeft}');
  await userEvent.click(screen.getByRole('button', { name: 'Next month' }));
  expect(focused()).toBe('Next month');
});

// Shows: 2.choose-type.2
test('a day is chosen with the pointer', async () => {
  renderControls(<Host start="2026-11-21" />);
  await userEvent.click(screen.getByRole('button', { name: 'Tuesday, November 24, 2026' }));
  expect(screen.getByText('Chosen: 2026-11-24')).toBeTruthy();
});

test('a day is chosen with the keyboard alone, across months', async () => {
  renderControls(<Host start="2026-11-29" />);
  screen.getByRole('button', { name: 'Sunday, November 29, 2026' }).focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Sunday, December 6, 2026');
  await userEvent.keyboard('{End}{ArrowLeft}{PageDown}');
  expect(focused()).toBe('Monday, January 11, 2027');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByText('Chosen: 2027-01-11')).toBeTruthy();
});

test('where lines run from right to left, the arrow to the left goes on to the next day', async () => {
  document.documentElement.dir = 'rtl';
  try {
    renderControls(<Host start="2026-11-24" />);
    screen.getByRole('button', { name: 'Tuesday, November 24, 2026' }).focus();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowRight}');
    expect(focused()).toBe('Wednesday, November 25, 2026');
  } finally {
    document.documentElement.removeAttribute('dir');
  }
});

// Shows: 5.choose-type.4
test('neither keys nor buttons lead out of the booking window', async () => {
  renderControls(<Host start="2026-11-21" />);
  screen.getByRole('button', { name: 'Saturday, November 21, 2026' }).focus();
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}{PageUp}');
  expect(focused()).toBe('Saturday, November 21, 2026');
  await userEvent.keyboard('{Shift>}{PageDown}{/Shift}');
  expect(focused()).toBe('Friday, February 19, 2027');
  const twentieth = screen.getByRole('button', { name: 'Saturday, February 20, 2027' });
  expect(twentieth).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: 'Next month' })).toHaveProperty('disabled', true);
});

test('one day alone is a stop of the Tab key, and the clinic today is marked', () => {
  renderControls(<Host start="2026-11-24" />);
  const days = screen.getAllByRole('button').filter((one) => one.dataset.date);
  expect(days.filter((one) => one.tabIndex === 0).map((one) => one.dataset.date)).toEqual([
    '2026-11-24',
  ]);
  expect(days.find((one) => one.getAttribute('aria-current'))?.dataset.date).toBe('2026-11-21');
});

test('marked days are described in words, and each month that is shown is told', async () => {
  const shown: string[] = [];
  renderControls(
    <DateCalendar
      label="Day of your visit"
      value="2026-11-28"
      min="2026-11-21"
      max="2027-02-19"
      marks={{
        isMarked: (date) => (date < '2026-11-30' ? date === '2026-11-28' : undefined),
        marked: 'times available',
        unmarked: 'no times available',
      }}
      onChange={() => {}}
      onTurn={(date) => shown.push(date.slice(0, 7))}
    />,
  );
  const day = (name: string, description: string) =>
    screen.getByRole('button', { name, description });
  expect(day('Saturday, November 28, 2026', 'times available')).toBeTruthy();
  expect(day('Sunday, November 29, 2026', 'no times available')).toBeTruthy();
  expect(day('Monday, November 30, 2026', '')).toBeTruthy();
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Next month' }));
  screen.getByRole('button', { name: 'Monday, December 28, 2026' }).focus();
  await person.keyboard('{ArrowRight}{PageDown}');
  expect(shown).toEqual(['2026-12', '2027-01']);
});
