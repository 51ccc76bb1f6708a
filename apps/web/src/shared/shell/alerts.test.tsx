import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render.tsx';
import { announce, AlertStack, clearAlerts } from './alerts.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  act(() => clearAlerts());
  vi.useRealTimers();
});

const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

// Shows: 2.shell.7, 9.timers.1
test('an alert is announced politely and goes after ten seconds', () => {
  renderPage(<AlertStack />);
  expect(screen.getByRole('log').getAttribute('aria-live')).toBe('polite');
  act(() => announce('success', 'User info updated successfully'));
  pass(9_900);
  expect(screen.getByText('User info updated successfully')).toBeTruthy();
  pass(200);
  expect(screen.queryByText('User info updated successfully')).toBeNull();
});

// Shows: R-83
test('the time stands still while an alert is hovered or focused', () => {
  renderPage(<AlertStack />);
  act(() => announce('error', 'Server error.'));
  pass(6_000);
  const alert = screen.getByText('Server error.');
  fireEvent.mouseEnter(alert.parentElement ?? alert);
  pass(60_000);
  fireEvent.mouseLeave(alert.parentElement ?? alert);
  pass(3_900);
  act(() => screen.getByRole('button', { name: 'Close this message' }).focus());
  pass(60_000);
  expect(screen.getByText('Server error.')).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Close this message' }).blur());
  pass(200);
  expect(screen.queryByText('Server error.')).toBeNull();
});

test('an alert can be closed', () => {
  renderPage(<AlertStack />);
  act(() => announce('info', "You're logged out."));
  fireEvent.click(screen.getByRole('button', { name: 'Close this message' }));
  expect(screen.queryByText("You're logged out.")).toBeNull();
});

// Shows: 2.shell.7
test('the same message twice stands once', () => {
  renderPage(<AlertStack />);
  act(() => {
    announce('error', 'Server error.');
    announce('error', 'Server error.');
  });
  expect(screen.getAllByText('Server error.')).toHaveLength(1);
});
