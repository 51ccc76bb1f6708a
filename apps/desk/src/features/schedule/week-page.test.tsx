import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';

const NONE = '_'.repeat(288);

type Handlers = Parameters<typeof openDesk>[1];

const openWeek = (path = '', handlers: Handlers = {}) =>
  openDesk(`/schedule/weeks/101${path}`, {
    deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
    deskWeek: () => ({
      week: Array<string>(7).fill(NONE),
      since: null,
      next: null,
      codes: [
        { code: 'O', description: 'Office', types: ['E'] },
        { code: 'P', description: 'Phone', types: ['F'] },
      ],
      days: [],
      isInEmr: false,
    }),
    deskSaveWeek: ({ body }) => ({
      isSaved: (body as { version?: string }).version !== undefined,
      version: 'v'.repeat(43),
      changed: 1,
      outside: [],
    }),
    ...handlers,
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
      { validFrom: '2026-11-23', madeOn: '2026-11-23', week },
      { validFrom: '2026-11-23', madeOn: '2026-11-23', week, version: 'v'.repeat(43) },
    ]);
  });

  test('keeps what was foreseen when what is painted was so already', async () => {
    const { user } = openWeek();
    const at = await screen.findByLabelText(/^Monday 09:00/);
    at.focus();
    await user.keyboard('o');
    await user.click(screen.getByRole('button', { name: 'Show what would change' }));
    await screen.findByRole('button', { name: 'Save the week' });
    at.focus();
    await user.keyboard('{Enter}');
    screen.getByRole('button', { name: 'Save the week' });
    await user.keyboard('p');
    expect(screen.queryByRole('button', { name: 'Save the week' })).toBeNull();
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

describe('A working week by pointer (S-18)', () => {
  const main = { button: 0, buttons: 1 };
  const start = async (pressed: object = main) => {
    openWeek();
    const first = await screen.findByLabelText(/^Monday 09:00/);
    fireEvent.pointerDown(first, pressed);
    fireEvent.pointerEnter(quarter('Tuesday 09:15'), pressed);
    return () => fireEvent.pointerUp(quarter('Tuesday 09:15'), { ...pressed, buttons: 0 });
  };
  const painted = () => screen.queryAllByText('O', { selector: 'td' }).length;

  test('is drawn with the main button', async () => {
    (await start())();
    expect(painted()).toBe(4);
  });

  test.each([
    ['the right button', { button: 2, buttons: 2 }],
    ['the middle button', { button: 1, buttons: 4 }],
  ])('is not drawn with %s', async (_, pressed) => {
    (await start(pressed))();
    expect(painted()).toBe(0);
  });

  test.each<[string, () => void]>([
    ['was cancelled', () => fireEvent.pointerCancel(quarter('Tuesday 09:15'))],
    ['ended elsewhere', () => fireEvent.pointerUp(document.body, { button: 0, buttons: 0 })],
    ['was given up by Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
    ['left the window', () => fireEvent.blur(window)],
  ])('is not drawn by a press that %s', async (_, ends) => {
    const lift = await start();
    ends();
    lift();
    expect(painted()).toBe(0);
  });

  test('is not drawn by a press that began elsewhere', async () => {
    openWeek();
    await screen.findByLabelText(/^Monday 09:00/);
    fireEvent.pointerDown(document.body, main);
    fireEvent.pointerEnter(quarter('Tuesday 09:15'), main);
    fireEvent.pointerUp(quarter('Tuesday 09:15'), { button: 0, buttons: 0 });
    expect(painted()).toBe(0);
  });

  test('is painted once by a key that is held', async () => {
    openWeek();
    (await screen.findByLabelText(/^Monday 09:00/)).focus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'o', repeat: true });
    expect(painted()).toBe(0);
  });
});

describe('What was painted (S-18)', () => {
  const EARLY = NONE.slice(0, 96) + 'O'.repeat(12) + NONE.slice(108);
  const shows = (day: string) => fireEvent.change(dateField(), { target: { value: day } });
  const dateField = () => screen.getByLabelText(/^(As it holds on|Day)$/);

  test('stays over the week of another date, whose other days are as they hold then', async () => {
    const { user, sent } = openWeek('', {
      deskWeek: ({ query }) => ({
        week: Array<string>(7).fill(query.get('on') === '2026-12-07' ? EARLY : NONE),
        since: null,
        next: null,
        codes: [{ code: 'O', description: 'Office', types: ['E'] }],
        days: [],
        isInEmr: false,
      }),
    });
    (await screen.findByLabelText(/^Monday 09:00/)).focus();
    await user.keyboard('o');
    shows('2026-12-07');
    await screen.findByLabelText(/^Tuesday 08:00: O/);
    expect(quarter('Monday 09:00').textContent).toBe('O');
    expect(quarter('Monday 08:00').textContent).toBe('');
    expect(screen.queryByText(/^A colleague has changed this/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show what would change' }));
    await user.click(await screen.findByRole('button', { name: 'Save the week' }));
    await screen.findByText(/^Saved/);
    const monday = `${NONE.slice(0, 108)}OOO${NONE.slice(111)}`;
    const week = [EARLY, monday, ...Array<string>(5).fill(EARLY)];
    expect(sent('deskSaveWeek').at(-1)).toMatchObject({ validFrom: '2026-12-07', week });
    shows('2026-11-23');
    await screen.findByLabelText(/^Tuesday 08:00: No work/);
    expect(quarter('Monday 09:00').textContent).toBe('');
  });

  test('on a day alone is there again once that day is shown again', async () => {
    const { user } = openWeek('?day=2026-11-23', {
      deskSingleDay: () => ({
        said: null,
        week: NONE,
        closed: [],
        codes: [{ code: 'O', description: 'Office', types: ['E'] }],
        isInEmr: false,
      }),
    });
    (await screen.findByLabelText(/^Monday, November 23, 2026 09:00/)).focus();
    await user.keyboard('o');
    shows('2026-11-24');
    const next = await screen.findByLabelText(/^Tuesday, November 24, 2026 09:00/);
    expect(next.textContent).toBe('');
    shows('2026-11-23');
    await screen.findByLabelText(/^Monday, November 23, 2026 09:00: O/);
  });
});

describe('Saving what was painted (S-18)', () => {
  const version = 'v'.repeat(43);
  const day = {
    said: null,
    week: NONE,
    closed: [],
    codes: [{ code: 'O', description: 'Office', types: ['E'] }],
    isInEmr: false,
  };

  test.each([
    ['the week', '', /^Monday 09:00/, 'Save the week'],
    ['a day alone', '?day=2026-11-23', /^Monday, November 23, 2026 09:00/, 'Save the day'],
  ])(
    'of %s keeps its preview, takes no paint meanwhile, and says its outcome',
    async (...given) => {
      const [, path, first, button] = given;
      const sendings: (() => void)[] = [];
      const save = async ({ body }: { body: unknown }) => {
        const isSaved = (body as { version?: string }).version !== undefined;
        const answer = { isSaved, version, changed: 1, outside: [] };
        if (!isSaved) return answer;
        const lost = Promise.withResolvers<typeof answer>();
        sendings.push(() =>
          sendings.length === 1 ? lost.reject(new Error('No answer')) : lost.resolve(answer),
        );
        return lost.promise;
      };
      const { user, sent } = openWeek(path, {
        deskSingleDay: () => day,
        deskSaveWeek: save,
        deskSaveDay: save,
      });
      const call = path === '' ? 'deskSaveWeek' : 'deskSaveDay';
      (await screen.findByLabelText(first)).focus();
      await user.keyboard('o');
      await user.click(screen.getByRole('button', { name: 'Show what would change' }));
      await user.click(await screen.findByRole('button', { name: button }));
      await screen.findByRole('button', { name: 'Saving' });
      screen.getByLabelText(first).focus();
      await user.keyboard('{Delete}');
      await user.click(screen.getByRole('button', { name: 'Show what would change' }));
      expect(screen.getByLabelText(first).textContent).toBe('O');
      expect(sent(call)).toHaveLength(2);

      sendings[0]?.();
      await screen.findByText(/not known whether this is done/);
      await user.click(screen.getByRole('button', { name: button }));
      await screen.findByRole('button', { name: 'Saving' });
      sendings[1]?.();
      await screen.findByText(/^Saved\./);
      expect(screen.queryByRole('button', { name: button })).toBeNull();
      expect(sent(call)).toEqual([
        expect.not.objectContaining({ version }),
        expect.objectContaining({ version }),
        expect.objectContaining({ version }),
      ]);
    },
  );
});

describe('A single day of a provider (S-18)', () => {
  const hour = (codes: string) => NONE.slice(0, 108) + codes + NONE.slice(120);
  const openDay = () => {
    let said: string | null = null;
    return openWeek('', {
      deskSingleDay: () => ({
        said,
        week: hour('O'.repeat(12)),
        closed: [{ from: NOW, to: NOW + 3_600 }],
        codes: [{ code: 'O', description: 'Office', types: ['E'] }],
        isInEmr: false,
      }),
      deskSaveDay: ({ body }) => {
        const { codes, version } = body as { codes: string | null; version?: string };
        if (version !== undefined) said = codes;
        const held = {
          appointmentId: crypto.randomUUID(),
          patient: 'Morgan, Casey',
          phone: null,
          description: 'Short visit',
          start: NOW,
          end: NOW + 600,
          endsThen: null,
          isHeld: true,
        };
        const outside = codes === null ? [] : [held];
        return { isSaved: version !== undefined, version: 'v'.repeat(43), outside };
      },
    });
  };

  test('is chosen beside the week, painted, foreseen and saved, and left to the week again', async () => {
    const { user, sent } = openDay();
    await user.selectOptions(await screen.findByLabelText('What is shown'), 'One day alone');
    await screen.findByText('On this day they work as the week says.');
    screen.getByText(/^Closed: Mon Nov 23, 10:00 to 11:00\./);
    const at = 'Monday, November 23, 2026';
    (await screen.findByLabelText(new RegExp(`^${at} 09:00: O`))).focus();
    expect(screen.getAllByRole('columnheader')).toHaveLength(2);
    await user.keyboard('{Delete}');
    await user.click(screen.getByRole('button', { name: 'Show what would change' }));
    await screen.findByText('Not offered at this time. Held until a payment link is paid');
    await user.click(await screen.findByRole('button', { name: 'Save the day' }));
    await screen.findByText(`Saved. ${at} is as you painted it.`);
    const codes = hour(`___${'O'.repeat(9)}`);
    const version = 'v'.repeat(43);
    expect(sent('deskSaveDay')).toEqual([{ codes }, { codes, version }]);

    await user.click(screen.getByRole('button', { name: 'As the week says again' }));
    await screen.findByRole('heading', { name: 'No appointment would stand outside' });
    await user.click(
      screen.getAllByRole('button', { name: 'As the week says again' })[1] as Element,
    );
    await screen.findByText(`Saved. ${at} is as the week says again.`);
    expect(quarter(`${at} 09:00`).textContent).toBe('O');
    expect(screen.queryByRole('button', { name: 'As the week says again' })).toBeNull();
    expect(sent('deskSaveDay').slice(2)).toEqual([{ codes: null }, { codes: null, version }]);
  });

  test('is listed beneath the week, and opened from there', async () => {
    const { user } = openWeek('', {
      deskWeek: () => ({
        week: Array<string>(7).fill(NONE),
        since: null,
        next: null,
        days: ['2026-12-24'],
        codes: [],
        isInEmr: false,
      }),
      deskSingleDay: () => ({
        said: hour('O'.repeat(12)),
        week: NONE,
        closed: [],
        codes: [],
        isInEmr: false,
      }),
    });
    await user.click(await screen.findByRole('link', { name: 'Thu Dec 24' }));
    await screen.findByLabelText(/^Thursday, December 24, 2026 09:00: O/);
    expect(screen.getByLabelText<HTMLInputElement>('Day').value).toBe('2026-12-24');
  });
});

describe('A working week whose provider’s name could not be fetched (S-18)', () => {
  test('is shown under their number, which is said, and under their name once that is there', async () => {
    let isThere = false;
    const { user } = openWeek('', {
      deskClosings: () =>
        isThere
          ? { providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }
          : refused('bug', 'Something went wrong.'),
    });
    await screen.findByText(
      'The providers’ names could not be fetched, so their numbers stand here. Something went wrong.',
    );
    screen.getByRole('heading', { name: 'Working week of 101' });
    screen.getByLabelText(/^Monday 09:00/);
    expect(screen.queryByLabelText('Provider')).toBeNull();
    isThere = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Working week of Dr. A. Stone' });
    expect(screen.queryByText(/names could not be fetched/)).toBeNull();
    expect(screen.getByLabelText<HTMLSelectElement>('Provider').value).toBe('101');
  });

  test('says once that the service does not answer, where the week is missing, too', async () => {
    openWeek('', { deskClosings: () => refused('bug'), deskWeek: () => refused('bug') });
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/names could not be fetched/)).toBeNull();
  });
});
