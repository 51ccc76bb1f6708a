import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { queryClient, sessionQuery } from '../../shared/api.ts';
import {
  type Handlers,
  NOW,
  casey,
  deskChanges,
  managerSession,
  openDesk,
} from '../../testing/desk.tsx';

const DAY = '_'.repeat(288);
const PATIENT_ID = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';

const handlers = {
  deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
  deskWeek: () => ({
    week: Array<string>(7).fill(DAY),
    since: null,
    next: null,
    codes: [{ code: 'O', description: 'Office', types: ['E'] }],
    days: [],
    isInEmr: false,
  }),
  deskMoney: () => ({
    days: [],
    hasMore: false,
    rows: [
      {
        id: PATIENT_ID,
        appointmentId: PATIENT_ID,
        refundedAt: null,
        at: NOW,
        patient: 'Morgan, Casey',
        description: 'Private visit',
        start: null,
        cents: 9000,
        means: null,
        reference: null,
        state: 'captured' as const,
        paymentState: 'captured' as const,
        isAlarming: false,
        isRefundable: true,
        refundReason: null,
        refundMeans: null,
      },
    ],
  }),
  deskSetUp: () => ({
    contacts: { name: 'Clinic', email: 'a@b.example', phone: '1', address: 'Main' },
    maintenance: null,
    providers: [],
    types: [],
    fees: [],
    tables: [],
  }),
  deskStaffList: () => ({ staff: [] }),
  deskOpenPatient: () => casey,
};

interface Begun {
  readonly what: string;
  readonly path: string;
  readonly write: (user: UserEvent) => Promise<void>;
  /** The control that was written into. */
  readonly find: () => HTMLElement;
  readonly written: string;
}

const begun: readonly Begun[] = [
  {
    what: 'a painted week',
    path: '/schedule/weeks/101',
    write: async (user) => {
      await user.click(await screen.findByLabelText(/^Monday 09:00/));
      await user.keyboard('o');
    },
    find: () => screen.getByLabelText(/^Monday 09:00/),
    written: 'O',
  },
  {
    what: 'why a fee is given back',
    path: '/money',
    write: async (user) => {
      await user.click(await screen.findByRole('button', { name: /^Give back CAD 90/ }));
      await user.selectOptions(screen.getByLabelText('Why?'), 'Out of goodwill');
    },
    find: () => within(screen.getByRole('dialog')).getByLabelText('Why?'),
    written: 'goodwill',
  },
  {
    what: 'the sentence about maintenance',
    path: '/setup/clinic',
    write: async (user) => {
      await user.type(await screen.findByLabelText(/^Sentence for patients/), 'Back at noon');
    },
    find: () => screen.getByLabelText(/^Sentence for patients/),
    written: 'Back at noon',
  },
  {
    what: 'an invitation',
    path: '/setup',
    write: async (user) => {
      await user.type(await screen.findByLabelText('Name'), 'Robin Lee');
    },
    find: () => screen.getByLabelText('Name'),
    written: 'Robin Lee',
  },
  {
    what: 'a correction in a dialog',
    path: '/patients/5001',
    write: async (user) => {
      await user.click(await screen.findByRole('button', { name: 'Correct details' }));
      await user.type(screen.getByLabelText('Last name'), '-Smith');
    },
    find: () => within(screen.getByRole('dialog')).getByLabelText('Last name'),
    written: 'Morgan-Smith',
  },
  {
    what: 'a time that is to be closed',
    path: '/schedule',
    write: async (user) => {
      await user.type(await screen.findByLabelText('From'), '12:00');
    },
    find: () => screen.getByLabelText('From'),
    written: '12:00',
  },
];

const textOf = (control: HTMLElement) =>
  control instanceof HTMLInputElement || control instanceof HTMLSelectElement
    ? control.value
    : control.textContent;

const isDrawn = (at: Element | null): boolean =>
  at === null || (getComputedStyle(at).display !== 'none' && isDrawn(at.parentElement));

describe('A locked screen (S-18)', () => {
  test.each(begun)('keeps $what, with the focus where it was', async (each) => {
    const desk = openDesk(each.path, handlers);
    await each.write(desk.user);
    expect(textOf(each.find())).toBe(each.written);
    const focused = document.activeElement;
    await desk.leaveAlone();
    expect(document.activeElement).toBe(screen.getByLabelText('Your password or a new code'));
    await desk.unlock();
    await waitFor(() => expect(textOf(each.find())).toBe(each.written));
    expect(document.activeElement).toBe(focused);
  });

  test('shows nothing of a patient, and no key comes to it', async () => {
    const desk = openDesk('/patients/5001', handlers);
    await screen.findByRole('heading', { name: 'Casey Morgan' });
    await desk.lock();
    expect(screen.queryByRole('heading', { name: 'Casey Morgan' })).toBeNull();
    expect(screen.queryByRole('navigation')).toBeNull();
    for (const text of screen.getAllByText(/Morgan|1984|5001/))
      if (text.textContent !== 'Signed in is Morgan Hale.') expect(isDrawn(text)).toBe(false);
    await desk.user.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog')).toBeNull();
    const reached = new Set<Element>();
    for (let press = 0; press < 8; press += 1) {
      await desk.user.tab();
      reached.add(document.activeElement ?? document.body);
    }
    for (const each of reached) expect(isDrawn(each)).toBe(true);
  });

  test('asks the service for nothing but who is there, and looks again once it is opened', async () => {
    const desk = openDesk('/day/2026-11-23', {
      deskDay: () => ({ date: '2026-11-23', hours: null, providers: [] }),
    });
    await screen.findByText('Nobody works on this day.');
    await desk.lock();
    const before = desk.sent('deskDay').length;
    deskChanges();
    expect(desk.sent('deskDay')).toHaveLength(before);
    await desk.unlock();
    await waitFor(() => expect(desk.sent('deskDay')).toHaveLength(before + 1));
  });

  test('left by switching the person, forgets what was begun', async () => {
    const desk = openDesk('/setup/clinic', handlers);
    await desk.user.type(await screen.findByLabelText(/^Sentence for patients/), 'Back at noon');
    await desk.lock();
    await desk.user.click(screen.getByRole('button', { name: 'Switch person' }));
    await desk.user.type(await screen.findByLabelText('Email'), 'robin@clinic.example');
    await desk.user.type(screen.getByLabelText('Password'), 'secret');
    await desk.user.type(screen.getByLabelText('Code of your app'), '123456');
    await desk.user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(textOf(await screen.findByLabelText(/^Sentence for patients/))).toBe('');
  });
});

describe('A screen whose service does not answer (S-18)', () => {
  const noAnswer = () => {
    throw new Error('No answer');
  };
  const isLocked = () => screen.queryByRole('heading', { name: 'The screen is locked' }) !== null;
  const look = () => act(() => queryClient.invalidateQueries(sessionQuery));

  test('is locked at once, stays so, and tells the service once it answers', async () => {
    let isCutOff = true;
    let isTold = false;
    const desk = openDesk('/setup/clinic', {
      ...handlers,
      deskSession: () => ({ ...managerSession, isLocked: isTold }),
      deskLock: () => {
        if (isCutOff) noAnswer();
        isTold = true;
      },
      deskUnlock: () => {
        isTold = false;
        return managerSession;
      },
    });
    await desk.lock();
    await look();
    expect(isLocked()).toBe(true);
    expect(isTold).toBe(false);
    isCutOff = false;
    await look();
    expect(isTold).toBe(true);
    await look();
    expect(isLocked()).toBe(true);
    await desk.unlock();
    await waitFor(() => expect(isLocked()).toBe(false));
    await look();
    expect(isLocked()).toBe(false);
  });

  test('is opened only after the service has heard that it is locked', async () => {
    const told = Promise.withResolvers<undefined>();
    const desk = openDesk('/setup/clinic', { ...handlers, deskLock: () => told.promise });
    await desk.lock();
    await desk.unlock();
    await screen.findByText('Opening');
    expect(desk.sent('deskUnlock')).toEqual([]);
    told.resolve(undefined);
    await waitFor(() => expect(isLocked()).toBe(false));
  });

  test('stays open although an older look, which found it locked, is answered after it was opened', async () => {
    let isTold = false;
    const older = Promise.withResolvers<typeof managerSession>();
    let answer: NonNullable<Handlers['deskSession']> = () => ({
      ...managerSession,
      isLocked: isTold,
    });
    const desk = openDesk('/setup/clinic', {
      ...handlers,
      deskSession: (request) => answer(request),
      deskLock: () => void (isTold = true),
      deskUnlock: () => managerSession,
    });
    await desk.lock();
    await waitFor(() => expect(queryClient.isFetching(sessionQuery)).toBe(0));
    answer = () => {
      // Whatever is asked for later finds it open.
      answer = () => managerSession;
      return older.promise;
    };
    void queryClient.invalidateQueries(sessionQuery);
    await desk.unlock();
    await waitFor(() => expect(isLocked()).toBe(false));
    older.resolve({ ...managerSession, isLocked: true });
    await waitFor(() => expect(queryClient.isFetching(sessionQuery)).toBe(0));
    expect(isLocked()).toBe(false);
  });

  test('locks by itself when it is time', async () => {
    let isCutOff = false;
    openDesk('/setup/clinic', {
      ...handlers,
      deskSession: () => (isCutOff ? noAnswer() : { ...managerSession, locksAt: NOW + 1 }),
    });
    await screen.findByLabelText(/^Sentence for patients/);
    isCutOff = true;
    await screen.findByRole('heading', { name: 'The screen is locked' });
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  test('says that a sign-out failed, also while it is locked', async () => {
    const desk = openDesk('/setup/clinic', { ...handlers, deskSignOut: noAnswer });
    await desk.user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await screen.findByText(/^You may still be signed in/);
    await desk.lock();
    await desk.user.click(screen.getByRole('button', { name: 'Switch person' }));
    await waitFor(() => expect(screen.getAllByText(/^You may still be signed in/)).toHaveLength(2));
  });
});
