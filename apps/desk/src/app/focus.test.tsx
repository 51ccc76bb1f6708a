import type { ApiDeskThread, ApiSheetAppointment } from '@clinic/contract';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, casey, deskChanges, openDesk } from '../testing/desk.tsx';
import { appointment, nobodyAffected } from '../testing/records.ts';

const ada = appointment({
  id: 'ada',
  start: NOW,
  end: NOW + 600,
  movesFor: 'ada-account',
});
const bea = { ...ada, id: 'bea', patient: 'Bea', start: NOW + 1_800, end: NOW + 2_400 };

const dayOf = (appointments: ApiSheetAppointment[]) => ({
  date: '2026-11-23',
  hours: { start: NOW, end: NOW + 7_200 },
  providers: [{ id: '101', name: 'A. Stone', closed: [], busy: [], appointments }],
});

const MESSAGE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const thread: ApiDeskThread = {
  id: MESSAGE,
  patient: { name: 'Morgan, Casey', birthDate: '1984-05-17', phone: '' },
  state: 'waiting',
  assignedTo: null,
  colleagues: [],
  version: 'first',
  entries: [],
  notes: [],
};
const closing = {
  id: MESSAGE,
  from: NOW,
  to: NOW + 600,
  providerIds: ['101'],
  askedBy: null,
  askedAt: NOW,
  doneAt: NOW,
  known: 0,
  total: 0,
};
const stone = { id: '101', name: 'Dr. A. Stone' };
const week = {
  week: Array<string>(7).fill('_'.repeat(288)),
  since: null,
  next: null,
  codes: [],
  days: [],
  isInEmr: false,
};

const isShown = (name: string | RegExp) => screen.findByRole('heading', { name });
const button = (name: string | RegExp) => screen.findByRole('button', { name });

interface Slow {
  readonly path: string;
  readonly handlers?: Handlers;
  /** Answered only after something else was pressed. */
  readonly call: keyof Handlers;
  readonly answer: unknown;
  /** Pressed for it. */
  readonly press?: string;
  readonly shows: string | RegExp;
}

const slow: Slow[] = [
  {
    path: '/day/2026-11-23?appointment=ada',
    call: 'deskDay',
    answer: dayOf([ada]),
    shows: 'Ada',
  },
  {
    path: `/messages?message=${MESSAGE}`,
    handlers: {
      deskInbox: () => ({ waiting: [], hasMoreWaiting: false, settled: [], next: null }),
      deskSavedReplies: () => ({ replies: [] }),
    },
    call: 'deskOpenMessage',
    answer: { message: thread },
    shows: 'Morgan, Casey',
  },
  { path: '/patients/5001', call: 'deskOpenPatient', answer: casey, shows: 'Casey Morgan' },
  {
    path: `/schedule/closings/${MESSAGE}`,
    handlers: { deskClosings: () => ({ providers: [stone], closings: [] }) },
    call: 'deskClosing',
    answer: {
      closing: { ...closing, reopened: null },
      entries: [],
    },
    shows: /^Closed:/,
  },
  {
    path: '/schedule',
    handlers: { deskClosings: () => ({ providers: [stone], closings: [] }) },
    press: 'Show who is affected',
    call: 'deskForeseeClosing',
    answer: nobodyAffected,
    shows: /Dr. A. Stone/,
  },
  {
    path: '/schedule/weeks/101',
    handlers: {
      deskClosings: () => ({ providers: [stone], closings: [] }),
      deskWeek: () => week,
    },
    press: 'Show what would change',
    call: 'deskSaveWeek',
    answer: { isSaved: false, version: 'v'.repeat(43), changed: 0, outside: [] },
    shows: /would/,
  },
];

describe('The focus at the front desk moves only within the press that asked for it (S-18)', () => {
  test.each(slow)(
    'what $call answers takes it, and not once something else was pressed',
    async ({ path, handlers, call, answer, press, shows }) => {
      for (const goesOn of [false, true]) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const { user, sent } = openDesk(path, {
          ...handlers,
          [call]: () => promise.then(() => answer),
        });
        if (path === '/schedule')
          await user.selectOptions(await screen.findByLabelText('Whose time'), '101');
        if (press) await user.click(await button(press));
        await waitFor(() => expect(sent(call)).toHaveLength(1));
        if (goesOn) await user.tab();
        const before = document.activeElement;
        await act(async () => resolve());
        const heading = await isShown(shows);
        expect(document.activeElement).toBe(goesOn ? before : heading);
        cleanup();
      }
    },
  );

  test('an appointment that a colleague takes away and puts back leaves it where it is', async () => {
    let shown = [ada, bea];
    const { user } = openDesk('/day/2026-11-23', { deskDay: () => dayOf(shown) });
    await user.click(await button(/Ada/));
    expect(document.activeElement).toBe(await isShown('Ada'));
    const other = await button(/Bea/);
    other.focus();
    shown = [bea];
    deskChanges();
    expect(
      (await screen.findByText(/^It is not on this day any more/)).closest('[role=alert]'),
    ).not.toBeNull();
    expect(document.activeElement).toBe(other);
    shown = [ada, bea];
    deskChanges();
    await isShown('Ada');
    expect(document.activeElement).toBe(other);
  });

  test('an outcome leaves it with another field that was pressed since', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { user } = openDesk('/day/2026-11-23?appointment=ada', {
      deskDay: () => dayOf([ada]),
      deskNoteAttendance: () => promise,
    });
    await user.click(await button('Arrived'));
    const density = screen.getByRole('combobox', { name: 'How close the sheet stands' });
    await user.click(density);
    await act(async () => resolve());
    await screen.findByText(/^Noted/);
    expect(document.activeElement).toBe(density);
  });

  test('a change of the provider by voice control leaves it where it is', async () => {
    const { user, sent } = openDesk('/day/2026-11-23?appointment=ada', {
      deskDay: () => dayOf([ada]),
      deskBookingOptions: () => ({
        name: 'Ada',
        hasAccount: true,
        birthDate: '1984-05-17',
        types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
        providers: [stone],
        mayLink: true,
        upcoming: [],
      }),
      deskFreeTimes: () => ({
        times: [{ doctor: '101', start: NOW + 6_000, end: NOW + 6_600 }],
        walkIns: [],
      }),
    });
    await user.click(await button(/^Move/));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByRole('option', { name: /11:40/ });
    const field = dialog.getByLabelText('Provider');
    field.focus();
    fireEvent.change(field, { target: { value: '101' } });
    await waitFor(() => expect(sent('deskFreeTimes')).toHaveLength(2));
    await dialog.findByRole('option', { name: /11:40/ });
    expect(document.activeElement).toBe(field);
  });
});

test('what says that a time is opened again takes the focus of the button that goes', async () => {
  let reopened: { by: string; at: number; from: number } | null = null;
  openDesk(`/schedule/closings/${MESSAGE}`, {
    deskClosings: () => ({ providers: [stone], closings: [] }),
    deskClosing: () => ({ closing: { ...closing, reopened }, entries: [] }),
    deskReopenTime: () => {
      reopened = { by: 'Robin', at: NOW, from: NOW };
    },
  });
  const name = 'Open this time again';
  const opener = await button(name);
  opener.focus();
  fireEvent.click(opener);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  const said = await screen.findByText(/^Opened again by Robin/);
  await waitFor(() => expect(document.activeElement).toBe(said));
});
