import type { ApiDeskThread } from '@clinic/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';

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
