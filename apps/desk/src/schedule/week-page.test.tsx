import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../testing/desk.tsx';

const NONE = '_'.repeat(288);

const openWeek = () =>
  openDesk('/schedule/weeks/101', {
    deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
    deskWeek: () => ({
      week: Array<string>(7).fill(NONE),
      since: null,
      next: null,
      codes: [
        { code: 'O', description: 'Office', types: ['E'] },
        { code: 'P', description: 'Phone', types: ['F'] },
      ],
      isInEmr: false,
    }),
    deskSaveWeek: ({ body }) => ({
      isSaved: (body as { version?: string }).version !== undefined,
      version: 'v'.repeat(43),
      changed: 1,
      outside: [],
    }),
  });

const quarter = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));

describe('A working week by keyboard (S-18)', () => {
  test('is chosen by Shift and arrows, painted by a letter, foreseen, and saved as it was foreseen', async () => {
    const { user, sent } = openWeek();
    (await screen.findByLabelText(/^Monday 09:00/)).focus();
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}{/Shift}p');
    expect(quarter('Tuesday 09:45').textContent).toBe('P');
    expect(quarter('Tuesday 10:00').textContent).toBe('');
    expect(quarter('Wednesday 09:00').textContent).toBe('');
    await user.keyboard('{Delete}');
    expect(quarter('Monday 09:00').textContent).toBe('');
    // What is chosen stays chosen; Space paints with the brush.
    await user.keyboard(' ');
    await user.keyboard('{ArrowUp}{Backspace}');
    await user.click(screen.getByRole('button', { name: 'Show what would change' }));
    await user.click(await screen.findByRole('button', { name: 'Save the week' }));
    await screen.findByText(/^Saved/);
    const hour = (codes: string) => NONE.slice(0, 108) + codes + NONE.slice(120);
    const week = [NONE, hour('O'.repeat(12)), hour('OOOOOO___OOO'), NONE, NONE, NONE, NONE];
    expect(sent('deskSaveWeek')).toEqual([
      { validFrom: '2026-11-23', week },
      { validFrom: '2026-11-23', week, version: 'v'.repeat(43) },
    ]);
  });

  test.each(['9999-12-31', '0202-11-23', ''])(
    'a day of "%s" is said at its field, nothing is sent, and what was painted stays',
    async (day) => {
      const { user, sent } = openWeek();
      (await screen.findByLabelText(/^Monday 09:00/)).focus();
      await user.keyboard('o');
      fireEvent.change(screen.getByLabelText('Holds from'), { target: { value: day } });
      await user.click(screen.getByRole('button', { name: 'Show what would change' }));
      screen.getByText(/from 1000-01-01 to 9999-12-30/);
      expect(sent('deskSaveWeek')).toEqual([]);
      expect(quarter('Monday 09:00').textContent).toBe('O');
    },
  );
});
