import { clinicNow } from '@clinic/app/clock';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Handlers, openDesk, refused } from '../testing/desk.tsx';
import { ID, booking, placed, schedule, sheet } from '../testing/records.ts';
import { findCasey } from '../testing/steps.ts';
import { forgetUndo } from './undo.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  forgetUndo();
});

const ACT = '6a1f4f0e-53a5-4b8e-9a51-1f4f0e6a53a5';
const offer = () => ({ act: ACT, until: clinicNow() + 30 });
const undoButton = () => screen.queryByRole('button', { name: 'Undo' });

async function cancelled(handlers: Handlers = {}) {
  const desk = openDesk(`/day/2026-11-23?appointment=${ID}`, {
    ...sheet({ hasAccount: true }),
    deskCancelAppointment: () => ({ isSent: false, undo: offer() }),
    deskUndo: () => undefined,
    ...handlers,
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Cancel appointment' }));
  const dialog = within(await screen.findByRole('dialog'));
  await desk.user.click(dialog.getByRole('button', { name: 'Cancel appointment' }));
  await waitFor(() => expect(undoButton()).not.toBeNull());
  return desk;
}

// Shows: R-125
test('What was cancelled says whom and that no email has gone out, and is undone by a press', async () => {
  const desk = await cancelled();
  expect(screen.getByText(/^Ada.*: cancelled\. No email has gone out yet/)).toBeTruthy();
  expect(screen.getByText(/^Cancelled: /)).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1_000));
  await desk.user.click(undoButton() as HTMLElement);
  const says = await screen.findByText(/^Undone: Ada/);
  expect(says.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
  expect(desk.sent('deskUndo')).toEqual([{}]);
  expect(screen.queryByText(/^Cancelled: /)).toBeNull();
  expect(undoButton()).toBeNull();
});

// Shows: R-125
test('Z on the sheet undoes it, and not where something is typed', async () => {
  const desk = await cancelled();
  await desk.user.keyboard('z');
  expect(desk.sent('deskUndo')).toEqual([]);
  screen.getByRole('button', { name: /Ada/, expanded: false }).focus();
  await desk.user.keyboard('z');
  expect(await screen.findByText(/^Undone: Ada/)).toBeTruthy();
});

// Shows: R-125
test('Undo is offered while the service says so, and takes the focus nowhere as it goes', async () => {
  await cancelled();
  undoButton()?.focus();
  act(() => void vi.advanceTimersByTime(28_000));
  expect(document.activeElement).toBe(undoButton());
  act(() => void vi.advanceTimersByTime(4_000));
  expect(undoButton()).toBeNull();
  expect(document.activeElement?.textContent).toMatch(/The email goes out now/);
});

// Shows: R-125
test('What can no longer be undone says why, and is not offered again', async () => {
  const desk = await cancelled({
    deskUndo: () => refused('undoTooLate', 'An email has gone out.'),
  });
  await desk.user.click(undoButton() as HTMLElement);
  expect(await screen.findByText('An email has gone out.')).toBeTruthy();
  expect(undoButton()).toBeNull();
  expect(screen.getByText(/^Cancelled: /)).toBeTruthy();
});

// Shows: R-125
test.each([
  ['tooManyRequests', 'Please wait.', 'Please wait.'],
  ['notAllowed', 'Not from here.', 'Not from here.'],
  ['serviceBusy', 'Busy.', /^The clinic did not answer/],
])('Whoever is turned away by %s reads so and can press again', async (code, message, says) => {
  let isOpen = false;
  const desk = await cancelled({ deskUndo: () => (isOpen ? undefined : refused(code, message)) });
  await desk.user.click(undoButton() as HTMLElement);
  await screen.findByText(says);
  isOpen = true;
  act(() => void vi.advanceTimersByTime(1_000));
  await desk.user.click(undoButton() as HTMLElement);
  expect(await screen.findByText(/^Undone: Ada/)).toBeTruthy();
});

// Shows: R-125
test('Whoever was turned away until its time was over is not told that it can still be undone', async () => {
  const desk = await cancelled({ deskUndo: () => refused('tooManyRequests', 'Please wait.') });
  await desk.user.click(undoButton() as HTMLElement);
  await screen.findByText('Please wait.');
  act(() => void vi.advanceTimersByTime(32_000));
  expect(undoButton()).toBeNull();
  screen.getByText(/The email goes out now/);
});

test('It stands at the foot, beneath the page and what is said of the act', async () => {
  await cancelled();
  const foot = screen.getByRole('contentinfo');
  expect(foot.contains(undoButton())).toBe(true);
  expect(foot.contains(screen.getByText(/^Cancelled: /))).toBe(true);
});

/** The dialog of a booking that was just made, which can be undone. */
async function booked() {
  const desk = openDesk('/schedule', {
    ...schedule,
    ...booking,
    deskBook: () => ({ ...placed, isTold: true, undo: offer() }),
    deskUndo: () => undefined,
  });
  await findCasey(desk);
  await desk.user.click(await screen.findByRole('option', { name: /10:30/ }));
  await desk.user.click(screen.getByRole('button', { name: 'Book this time' }));
  await waitFor(() => expect(undoButton()).not.toBeNull());
  return desk;
}

// Shows: R-125
test('A booking is undone in its dialog, which then says nothing else of it', async () => {
  const desk = await booked();
  await desk.user.click(undoButton() as HTMLElement);
  expect(await screen.findByText(/^Undone: /)).toBeTruthy();
  expect(screen.queryByText(/^Booked: /)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show the day' })).toBeNull();
});

// Shows: R-125
test('What was booked can still be undone once its dialog is closed', async () => {
  const desk = await booked();
  await desk.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await desk.user.click(undoButton() as HTMLElement);
  expect(await screen.findByText(/^Undone: /)).toBeTruthy();
});
