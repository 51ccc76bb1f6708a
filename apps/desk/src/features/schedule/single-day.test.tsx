import type { ApiOutside } from '@clinic/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, managerSession, openDesk, refused } from '../../testing/desk.tsx';
import { ID, schedule } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

const NONE = '_'.repeat(288);
const NINE = 108;
/** Work from 09:00 on, for so many quarters of an hour. */
const work = (code: string, quarters = 1) =>
  NONE.slice(0, NINE) + code.repeat(3 * quarters) + NONE.slice(NINE + 3 * quarters);
const day = {
  week: work('O', 4),
  said: null,
  codes: [{ code: 'O', description: 'Office', types: ['E'] }],
  closed: [],
  isInEmr: false,
};
const foreseen = { isSaved: false, version: 'v'.repeat(43), changed: 1, outside: [] };
const isSave = (body: unknown) => 'version' in Object(body);

const openDay = (handlers: Handlers = {}) =>
  openDesk('/schedule/weeks/101?day=2026-11-24', {
    ...schedule,
    deskSingleDay: () => day,
    deskSaveDay: ({ body }) => ({ ...foreseen, isSaved: isSave(body) }),
    ...handlers,
  });

const nine = () => screen.findByLabelText(/^Tuesday, November 24, 2026 09:00/);
const paintNine = async ({ user }: ReturnType<typeof openDay>) => {
  (await nine()).focus();
  await user.keyboard('{Delete}');
};
const press = async ({ user }: ReturnType<typeof openDay>, name: string) =>
  user.click(await screen.findByRole('button', { name }));

// Shows: S-18
describe('One day of a provider', () => {
  test('is shown as the week says, painted, foreseen, and saved as it was foreseen', async () => {
    const desk = openDay();
    await screen.findByText('On this day they work as the week says.');
    expect((await nine()).textContent).toBe('O');
    expect(screen.queryByRole('button', { name: 'As the week says again' })).toBeNull();
    await paintNine(desk);
    await press(desk, 'Show what would change');
    await press(desk, 'Save the day');
    await screen.findByText(/^Saved\. Tuesday, November 24, 2026 is as you painted it\.$/);
    const codes = `${NONE.slice(0, NINE + 3)}${'O'.repeat(9)}${NONE.slice(NINE + 12)}`;
    expect(desk.sent('deskSaveDay')).toEqual([{ codes }, { codes, version: foreseen.version }]);
    expect(screen.queryByRole('button', { name: 'Save the day' })).toBeNull();
  });

  test('of its own goes back to what the week says, after the same look', async () => {
    let said: string | null = work('O');
    const desk = openDay({
      deskSingleDay: () => ({ ...day, said }),
      deskSaveDay: ({ body }) => {
        if (isSave(body)) said = null;
        return { ...foreseen, isSaved: isSave(body) };
      },
    });
    await press(desk, 'As the week says again');
    await screen.findByText('No appointment would stand outside');
    // The look's button has the name of the one that saves, which comes after it.
    const [, save] = screen.getAllByRole('button', { name: 'As the week says again' });
    if (save) await desk.user.click(save);
    await screen.findByText(/^Saved\. Tuesday, November 24, 2026 is as the week says again\.$/);
    expect(desk.sent('deskSaveDay')).toEqual([
      { codes: null },
      { codes: null, version: foreseen.version },
    ]);
    screen.getByText('On this day they work as the week says.');
  });

  test('names who would stand outside of it, and how to reach them, before it is saved', async () => {
    const outside: ApiOutside = {
      appointmentId: ID,
      patient: 'Morgan, Casey',
      phone: '604 555 0101',
      description: 'Short visit',
      start: NOW,
      end: NOW + 600,
      endsThen: null,
      isHeld: false,
    };
    const desk = openDay({
      deskSaveDay: () => ({
        ...foreseen,
        outside: [
          outside,
          { ...outside, appointmentId: `${ID.slice(0, -1)}2`, phone: null, endsThen: NOW + 900 },
        ],
      }),
    });
    await paintNine(desk);
    await press(desk, 'Show what would change');
    const rows = await readTable('Appointments outside of the week');
    expect(rows.slice(1).map(([, who, , why]) => [who, why])).toEqual([
      ['Morgan, Casey', 'Not offered at this time'],
      ['Morgan, Casey', 'Would last 15 minutes'],
    ]);
    expect(rows[1]?.[4]).toContain('604-555-0101');
  });

  test('that is closed in part says when', async () => {
    openDay({
      deskSingleDay: () => ({ ...day, closed: [{ from: NOW + 86_400, to: NOW + 90_000 }] }),
    });
    const says = await screen.findByText(/Tue Nov 24.*10:00 to 11:00/);
    expect(says.closest('[role="note"]')).not.toBeNull();
  });

  test.each<[string, Handlers]>([
    ['in the EMR', { deskWeek: () => ({ ...week(), isInEmr: true }) }],
    [
      'by others alone',
      { deskSession: () => ({ ...managerSession, roles: ['receptionist' as const] }) },
    ],
  ])('that is changed %s is shown, and cannot be painted', async (_, handlers) => {
    const desk = openDay(handlers);
    await paintNine(desk);
    expect((await nine()).textContent).toBe('O');
    expect(screen.queryByRole('button', { name: 'Show what would change' })).toBeNull();
    expect(screen.getByRole('grid').getAttribute('aria-readonly')).toBe('true');
  });

  test('whose saving has no answer is not known to be saved, and is saved once it is pressed again', async () => {
    let saves = 0;
    const desk = openDay({
      deskSaveDay: ({ body }) => {
        if (isSave(body)) saves += 1;
        if (saves === 1) throw new Error('No answer');
        return { ...foreseen, isSaved: isSave(body) };
      },
    });
    await paintNine(desk);
    await press(desk, 'Show what would change');
    await press(desk, 'Save the day');
    await screen.findByText(/not known whether this is done/);
    expect(screen.queryByText(/^Saved/)).toBeNull();
    expect((await nine()).textContent).toBe('');
    await press(desk, 'Save the day');
    await screen.findByText(/^Saved/);
    expect(saves).toBe(2);
  });

  test('that a colleague saved meanwhile shows theirs, and is saved only once it is chosen', async () => {
    let said: string | null = null;
    const desk = openDay({
      deskSingleDay: () => ({ ...day, said, formVersion: said === null ? 'first' : 'second' }),
      deskSaveDay: () => {
        said = work('O', 2);
        return refused('changedMeanwhile', 'A colleague was first.');
      },
    });
    await paintNine(desk);
    await press(desk, 'Show what would change');
    await screen.findByText('A colleague was first.');
    await screen.findByText('09:00–09:30 O');
    expect((await nine()).textContent).toBe('');
    await press(desk, 'Show what would change');
    await screen.findByText('Please choose what to save');
    expect(desk.sent('deskSaveDay')).toHaveLength(1);
    await press(desk, 'Use what is saved');
    await waitFor(async () => expect((await nine()).textContent).toBe('O'));
  });

  test('that cannot be shown says why, and is there once tried again', async () => {
    let isUp = false;
    const desk = openDay({ deskSingleDay: () => (isUp ? day : refused('bug', 'Gone wrong.')) });
    await screen.findByText('Gone wrong.');
    isUp = true;
    await press(desk, 'Try again');
    expect((await nine()).textContent).toBe('O');
  });
});

function week() {
  const codes = Array<string>(7).fill(NONE);
  return { week: codes, since: null, next: null, codes: day.codes, days: [], isInEmr: false };
}
