import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { statutoryHolidays, toInstant } from '@clinic/domain';
import { type Handlers, openDesk, refused } from '../../testing/desk.tsx';
import { nobodyAffected } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

interface Time {
  readonly providerIds: string[];
  readonly from: number;
}
const midnight = (date: string) => toInstant(date, '00:00');
const [CHRISTMAS, GOOD_FRIDAY, CANADA] = ['2026-12-25', '2027-03-26', '2027-07-01'].map(midnight);

/** The page, with the days that are closed; what closing was asked for. */
function openHolidays(over: Handlers = {}) {
  const closed = new Set<number>([GOOD_FRIDAY ?? 0]);
  const desk = openDesk('/schedule', {
    deskClosings: () => ({
      providers: ['101', '102'].map((id) => ({ id, name: `Dr. ${id}` })),
      closings: [],
    }),
    deskForeseeClosing: ({ body }) => {
      const { from } = body as Time;
      const cancelled = from === CHRISTMAS || from === CANADA ? 2 : 0;
      return { ...nobodyAffected, cancelled, isClosed: closed.has(from) };
    },
    deskCloseTime: ({ body }) => {
      closed.add((body as Time).from);
      return { id: crypto.randomUUID() };
    },
    ...over,
  });
  const look = async (year: string) => {
    await desk.user.selectOptions(await screen.findByLabelText('Year'), year);
    await desk.user.click(screen.getByRole('button', { name: 'Show what would be closed' }));
    const [, ...rows] = await readTable(`Statutory holidays of ${year}`);
    return rows;
  };
  return { ...desk, look, closed };
}

// Shows: S-18
describe('The statutory holidays of a year', () => {
  test('that are over or closed are said to be, and the others closed by one press', async () => {
    const { user, look, sent } = openHolidays();
    const rows = await look('2026');
    expect(rows).toHaveLength(11);
    expect(rows.slice(0, 10).every(([, , becomes]) => becomes === 'Over')).toBe(true);
    expect(rows.at(-1)).toEqual([
      'Friday, December 25, 2026',
      'Christmas Day',
      '2 appointments are cancelled.',
    ]);
    const next = await look('2027');
    expect(next[2]).toEqual(['Friday, March 26, 2027', 'Good Friday', 'Closed already']);
    expect(next[4]?.[2]).toBe('2 appointments are cancelled.');
    expect(next[5]?.[2]).toMatch(/^Nobody has booked/);
    await user.click(
      screen.getByRole('button', { name: 'Close 10 days and cancel 2 appointments' }),
    );
    await screen.findByText('10 days are closed.');
    const asked = sent('deskCloseTime') as Time[];
    const all = statutoryHolidays(2027).map(({ date }) => midnight(date));
    expect(asked.map(({ from }) => from)).toEqual(all.filter((from) => from !== GOOD_FRIDAY));
    expect(new Set(asked.map(({ providerIds }) => providerIds.join()))).toEqual(
      new Set(['101,102']),
    );
    await screen.findAllByText('Closed already');
    expect(screen.queryByRole('button', { name: /^Close \d/ })).toBeNull();
  });

  test('of which one is refused are shown with what is closed by then, and closed on', async () => {
    let isUp = false;
    const { user, look, closed, sent } = openHolidays({
      deskCloseTime: ({ body }) => {
        const { from } = body as Time;
        if (from === CANADA && !isUp) return refused('harmsMany', 'A manager has to do it.');
        closed.add(from);
        return { id: crypto.randomUUID() };
      },
    });
    await look('2027');
    await user.click(screen.getByRole('button', { name: /^Close 10 days/ }));
    await screen.findByText('A manager has to do it.');
    isUp = true;
    await user.click(await screen.findByRole('button', { name: /^Close 7 days/ }));
    await screen.findByText('7 days are closed.');
    expect(sent('deskCloseTime')).toHaveLength(4 + 7);
  });

  test('whose closing has no answer is sent again as it was, so that no day is closed twice', async () => {
    const keys: (string | null)[] = [];
    const { user, look } = openHolidays({
      deskCloseTime: ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        if (keys.length === 2) throw new Error('No answer');
        return { id: crypto.randomUUID() };
      },
    });
    await look('2027');
    await user.click(screen.getByRole('button', { name: /^Close 10 days/ }));
    await screen.findByText(/nothing is done twice/);
    await user.click(screen.getByRole('button', { name: /^Close 10 days/ }));
    await screen.findByText('10 days are closed.');
    expect(keys.slice(2, 4)).toEqual(keys.slice(0, 2));
    expect(new Set(keys).size).toBe(10);
  });

  test('that many have booked are left to a manager', async () => {
    const { look } = openHolidays({
      deskForeseeClosing: () => ({ ...nobodyAffected, cancelled: 41, verdict: 'refused' }),
    });
    const rows = await look('2027');
    expect(rows[0]?.[2]).toContain('A manager has to do it.');
    expect(screen.queryByRole('button', { name: /^Close \d/ })).toBeNull();
  });
});
