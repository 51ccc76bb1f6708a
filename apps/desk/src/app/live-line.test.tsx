import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../shared/api.ts';
import { NOW, deskChanges, deskConnection, deskListeners, openDesk } from '../testing/desk.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const MESSAGE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';

const message = (patient: string) => ({
  id: MESSAGE,
  patient,
  state: 'waiting' as const,
  message: 'My knee hurts.',
  changedAt: NOW,
  isNew: true,
  fileCount: 0,
  assignedTo: null,
});

/** The inbox, with what a patient writes meanwhile; every request for it is told from a look. */
async function anInbox() {
  const waiting: ReturnType<typeof message>[] = [];
  const isLook: boolean[] = [];
  const desk = openDesk('/messages', {
    deskInbox: ({ headers }) => {
      isLook.push(headers.get('x-background') === null);
      return { waiting: [...waiting], hasMoreWaiting: false, settled: [], next: null };
    },
  });
  await screen.findByText('Nobody waits for an answer');
  return { ...desk, isLook, write: (patient: string) => waiting.push(message(patient)) };
}

test('while the service is not heard the page says so, and when it was last up to date', async () => {
  const desk = await anInbox();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  deskConnection('lost');
  expect(screen.queryByText('Not live:')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  // The clocks agree to a second.
  expect(screen.getByText('Not live:').closest('p')?.textContent).toMatch(
    /^Not live: last updated (09:59|10:00)\.$/,
  );
  expect(screen.getByText('Not live:').getAttribute('role')).toBe('status');
  vi.useRealTimers();
  desk.write('Hale, Morgan');
  // The connection polls meanwhile.
  deskChanges();
  await screen.findByRole('button', { name: /^Hale, Morgan/ });
  deskConnection('open');
  await waitFor(() => expect(screen.queryByText('Not live:')).toBeNull());
});

test('what is shown is asked anew as nobody asked for it, and no look is kept of it', async () => {
  const desk = await anInbox();
  deskConnection('refused');
  desk.write('Hale, Morgan');
  deskConnection('open');
  deskChanges();
  await screen.findByRole('button', { name: /^Hale, Morgan/ });
  expect(desk.isLook).toEqual([true, false]);
});

test('whom the service refuses asks whether the session has ended, and once it has listens no more', async () => {
  const desk = await anInbox();
  expect(deskListeners()).toBe(1);
  await desk.lock();
  expect(deskListeners()).toBe(0);
  await desk.unlock();
  await waitFor(() => expect(deskListeners()).toBe(1));
  const before = desk.sent('deskSession').length;
  deskConnection('refused');
  await waitFor(() => expect(desk.sent('deskSession')).toHaveLength(before + 1));
  expect(queryClient.getQueryData(['session'])).toMatchObject({ isLocked: false });
});
