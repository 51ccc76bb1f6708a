import type { ApiDeskThread } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, deskChanges, openDesk, refused } from '../../testing/desk.tsx';

const MESSAGE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';

const thread: ApiDeskThread = {
  id: MESSAGE,
  patient: { name: 'Morgan, Casey', birthDate: '1984-05-17', phone: '' },
  state: 'waiting',
  assignedTo: null,
  colleagues: [],
  version: 'first',
  entries: [
    {
      id: MESSAGE,
      from: 'patient',
      by: null,
      at: NOW,
      message: 'Hello',
      editedAt: null,
      files: [],
    },
  ],
  notes: [],
};

const openThread = (handlers: Parameters<typeof openDesk>[1]) =>
  openDesk(`/messages?message=${MESSAGE}`, {
    deskInbox: () => ({ waiting: [], hasMoreWaiting: false, settled: [], next: null }),
    deskOpenMessage: () => ({ message: thread }),
    deskSavedReplies: () => ({ replies: [] }),
    ...handlers,
  });

const noAnswer = () => {
  throw new Error('No answer');
};

describe('A message of which an answer of the service was lost (S-18)', () => {
  const leaveAndComeBack = async ({ user }: ReturnType<typeof openDesk>) => {
    await user.click(screen.getByRole('link', { name: 'Patients' }));
    await screen.findByRole('heading', { name: 'Patients' });
    history.back();
    await screen.findByRole('heading', { name: 'Morgan, Casey' });
  };

  test('gets the same note when it is added again, also from another page', async () => {
    const ids: (string | undefined)[] = [];
    const desk = openThread({
      deskNoteMessage: ({ params }) => {
        ids.push(params.noteId);
        if (ids.length === 1) noAnswer();
      },
    });
    const add = () => desk.user.click(screen.getByRole('button', { name: 'Add note' }));
    await desk.user.type(await screen.findByLabelText('New note'), 'Call them.');
    await add();
    await screen.findByText(/not known whether this is done/);
    await leaveAndComeBack(desk);
    await add();
    await screen.findByText('The note is added.');
    expect(ids[1]).toBe(ids[0]);
    await desk.user.type(screen.getByLabelText('New note'), 'Call them.');
    await add();
    await waitFor(() => expect(ids).toHaveLength(3));
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('gets the same answer when it is sent again, also from another page', async () => {
    const keys: (string | null)[] = [];
    const desk = openThread({
      deskAnswerMessage: ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        if (keys.length === 1) noAnswer();
      },
    });
    const send = () => desk.user.click(screen.getByRole('button', { name: 'Send answer' }));
    await desk.user.type(await screen.findByLabelText('Your answer'), 'At five.');
    await send();
    await screen.findByText(/not known whether this was sent/);
    await leaveAndComeBack(desk);
    await send();
    await screen.findByText(/^Sent\./);
    expect(keys[1]).toBe(keys[0]);
  });

  test('is said to be closed where it is, beside the button that takes it up again', async () => {
    let state: ApiDeskThread['state'] = 'waiting';
    const desk = openThread({
      deskOpenMessage: () => ({ message: { ...thread, state } }),
      deskCloseMessage: () => {
        state = 'closed';
        noAnswer();
      },
    });
    await desk.user.click(await screen.findByRole('button', { name: 'Close without an answer' }));
    await screen.findByText(/^Closed\. It waits again/);
    await screen.findByRole('button', { name: 'Take it up again' });
    expect(screen.queryByText(/could not be reached/)).toBeNull();
  });
});

describe('Booking from a message (S-18)', () => {
  const CASEY = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c02';
  const APPOINTMENT = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c03';
  const time = { start: NOW + 1_800, end: NOW + 2_400 };
  const patient = { ...thread.patient, id: CASEY, recordId: '5001' };
  const booked = {
    appointmentId: APPOINTMENT,
    start: time.start,
    description: 'Short visit',
    provider: 'Dr. A. Stone',
    answer: 'Nous avons réservé pour vous : Consultation courte.',
  };

  const openToBook = () => {
    const clinic = { upcoming: [] as (typeof booked)[], opened: 0 };
    const desk = openThread({
      deskOpenMessage: () => {
        clinic.opened += 1;
        return { message: { ...thread, patient, upcoming: clinic.upcoming } };
      },
      deskBookingOptions: () => ({
        name: 'Morgan, Casey',
        hasAccount: true,
        birthDate: '1984-05-17',
        types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
        mayLink: true,
        providers: [{ id: '101', name: 'Dr. A. Stone' }],
        upcoming: [],
      }),
      deskFreeTimes: () => ({ times: [{ doctor: '101', ...time }], walkIns: [] }),
      deskBook: () => {
        clinic.upcoming = [booked];
        return {
          id: APPOINTMENT,
          providerId: '101',
          ...time,
          feeCents: 0,
          isTold: true,
          linkUntil: null,
          undo: null,
        };
      },
      deskConsents: () => ({ texts: [] }),
      deskAnswerMessage: () => undefined,
    });
    return { ...desk, clinic };
  };
  const book = async ({ user }: ReturnType<typeof openDesk>) => {
    await user.click(await screen.findByRole('button', { name: 'Book for them' }));
    const times = within(await screen.findByRole('listbox', { name: 'Free times' }));
    await times.findByRole('option', { selected: true });
    await user.keyboard('{Enter}{Enter}');
    await screen.findByText(/^Booked: /);
    await user.keyboard('{Escape}');
  };
  const answer = () => screen.getByLabelText<HTMLTextAreaElement>('Your answer');
  const SAID = booked.answer;

  test('begins the answer, which is sent as it stands', async () => {
    const desk = openToBook();
    await book(desk);
    await waitFor(() => expect(answer().value).toBe(SAID));
    const link = screen.getByRole('link', { name: /Short visit, Dr\. A\. Stone$/ });
    expect(link.getAttribute('href')).toContain(`/day/2026-11-23?appointment=${APPOINTMENT}`);
    await desk.user.click(screen.getByRole('button', { name: 'Send answer' }));
    await screen.findByText(/^Sent\./);
    expect(desk.sent('deskAnswerMessage')).toEqual([{ message: SAID, seen: 'first' }]);
    expect(answer().value).toBe('');
  });

  test('says nothing of it once it is undone, nor once the text was taken out', async () => {
    const desk = openToBook();
    await book(desk);
    await waitFor(() => expect(answer().value).toBe(SAID));
    desk.clinic.upcoming = [];
    deskChanges();
    await waitFor(() => expect(answer().value).toBe(''));
    desk.clinic.upcoming = [booked];
    deskChanges();
    await waitFor(() => expect(answer().value).toBe(SAID));
    await desk.user.clear(answer());
    expect(answer().value).toBe('');
  });

  test('leaves an answer alone that somebody has begun', async () => {
    const desk = openToBook();
    await desk.user.type(await screen.findByLabelText('Your answer'), 'Of course.');
    await book(desk);
    await screen.findByRole('link', { name: /Short visit, Dr\. A\. Stone$/ });
    expect(answer().value).toBe('Of course.');
  });
});

test('Saved replies that cannot be loaded are told of, and are there once tried again', async () => {
  let isUp = false;
  const { user } = openThread({
    deskSavedReplies: () =>
      isUp
        ? { replies: [{ id: MESSAGE, name: 'Hours', text: 'At nine.', version: 'first' }] }
        : refused('serviceBusy', 'It is busy.'),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await user.selectOptions(await screen.findByLabelText('Saved reply'), 'Hours');
  expect(screen.queryByRole('alert')).toBeNull();
});
