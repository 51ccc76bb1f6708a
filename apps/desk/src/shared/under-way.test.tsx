import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk } from '../testing/desk.tsx';
import { appointment, nobodyAffected } from '../testing/records.ts';

const DAY = '/desk/day/2026-11-23';
const ada = appointment({ id: 'ada', start: NOW, end: NOW + 600, movesFor: null });

/** The day with an open appointment. What is asked for gets no answer before `answer` says so. */
async function openAda() {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const desk = openDesk('/day/2026-11-23?appointment=ada', {
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: NOW, end: NOW + 3_600 },
      providers: [{ id: '101', name: 'A. Stone', closed: [], busy: [], appointments: [ada] }],
    }),
    deskCancelAppointment: async () => {
      await promise;
      return { isSent: false };
    },
    deskNoteAttendance: () => promise,
  });
  const press = async (name: string, of: Pick<typeof screen, 'findByRole'> = screen) =>
    desk.user.click(await of.findByRole('button', { name }));
  await screen.findByRole('button', { name: 'Arrived' });
  return { ...desk, press, answer: () => act(async () => answer()) };
}

const address = () => location.pathname + location.search;
const CLOSING = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const held = /^A change is under way/;

describe('A change that is under way (S-18)', () => {
  test('keeps its dialog until it is told what became of it', async () => {
    const { user, press, answer } = await openAda();
    await press('Cancel appointment');
    const dialog = within(await screen.findByRole('dialog'));
    await press('Cancel appointment', dialog);
    await user.keyboard('{Escape}');
    await press('Keep it', dialog);
    act(() => history.back());
    await screen.findByText(held);
    expect([address(), screen.queryByRole('dialog') === null]).toEqual([
      `${DAY}?appointment=ada`,
      false,
    ]);
    await answer();
    await screen.findByText(/^Cancelled: /);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('keeps the form of a closing, and says why', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<{ id: string }>();
    const { user } = openDesk('/schedule', {
      deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
      deskForeseeClosing: () => nobodyAffected,
      deskCloseTime: () => promise,
    });
    await user.selectOptions(await screen.findByLabelText('Whose time'), '101');
    await user.click(screen.getByRole('button', { name: 'Show who is affected' }));
    await user.click(await screen.findByRole('button', { name: /^Close this time/ }));
    await user.click(screen.getByRole('link', { name: 'Money' }));
    await screen.findByText(held);
    expect(address()).toBe('/desk/schedule');
    const leaving = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    await act(async () => answer({ id: CLOSING }));
    await waitFor(() => expect(address()).toBe(`/desk/schedule/closings/${CLOSING}`));
    expect(screen.queryByText(held)).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Money' }));
    expect(address()).toBe('/desk/money');
  });
});
