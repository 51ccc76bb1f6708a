import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoginPage } from '../features/sign-in/login-page.tsx';
import { accessToken, dropToken, keepToken } from '../api/access-token.ts';
import { leaveThrough } from '../shared/session/leave-site.ts';
import { fakeService, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';
import { InactivityWarning } from './patient-shell.tsx';
import { Shell } from './shell.tsx';

const MINUTE = 60_000;
let service: FakeService;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 18) });
  dropToken();
  keepToken('tok');
  service = fakeService({
    'GET /me': () => ({ body: casey }),
    'POST /logout': () => ({ body: { success: true } }),
    'POST /session/renew': () => ({ body: { success: true } }),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const renewals = () => service.calls.filter((call) => call === 'POST /session/renew').length;

// Shows: 4.auth.9, 9.timers.1, R-71
test('twenty minutes without a sign of life end the session', async () => {
  renderPage(<InactivityWarning />);
  await pass(18.9 * MINUTE);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await pass(0.3 * MINUTE);
  expect(screen.getByRole('alertdialog', { name: 'Are you still there?' })).toBeTruthy();
  expect(accessToken.get()).toBe('tok');
  await pass(MINUTE);
  expect(accessToken.get()).toBeNull();
  expect(service.calls).toContain('POST /logout');
});

// Shows: R-71
test('the warning can extend the session', async () => {
  renderPage(<InactivityWarning />);
  await pass(19.2 * MINUTE);
  fireEvent.click(screen.getByRole('button', { name: 'Stay logged in' }));
  await pass(2 * MINUTE);
  expect(accessToken.get()).toBe('tok');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(renewals()).toBe(1);
});

// Shows: R-3
test('typing keeps the session, and renews it once a minute at most', async () => {
  renderPage(<InactivityWarning />);
  for (let second = 0; second < 25 * 60; second += 10) {
    fireEvent.keyDown(document.body, { key: 'a' });
    await pass(10_000);
  }
  expect(accessToken.get()).toBe('tok');
  expect(renewals()).toBeGreaterThanOrEqual(24);
  expect(renewals()).toBeLessThanOrEqual(25);
});

// Shows: R-71
test('a sign of life in another tab counts here', async () => {
  renderPage(<InactivityWarning />);
  await pass(15 * MINUTE);
  localStorage.setItem('clinic.active', String(Date.now()));
  await pass(15 * MINUTE);
  expect(accessToken.get()).toBe('tok');
  await pass(6 * MINUTE);
  expect(accessToken.get()).toBeNull();
});

// Shows: R-71
test('a laptop that slept through the twenty minutes wakes up signed out', async () => {
  renderPage(<InactivityWarning />);
  vi.setSystemTime(Date.UTC(2026, 10, 21, 19));
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(accessToken.get()).toBeNull();
});

// Shows: R-71
test('the last sign of life before the quiet reaches the service, so that staying is not too late', async () => {
  renderPage(<InactivityWarning />);
  await pass(70_000);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(renewals()).toBe(1);
  await pass(50_000);
  fireEvent.keyDown(document.body, { key: 'b' });
  expect(renewals()).toBe(1);
  await pass(20_000);
  expect(renewals()).toBe(2);
  await pass(17 * MINUTE);
  expect(renewals()).toBe(2);
});

// Shows: R-71
test('every tab says that it was inactivity, whichever tab noticed', async () => {
  service.answer('GET /captcha/challenge', () => ({ body: { parameters: {} } }));
  service.answer('GET /services/oscarStatus', () => ({ body: { success: true, status: true } }));
  service.answer('GET /services/config', () => ({ body: { success: true, extras: clinicConfig } }));
  Object.assign(globalThis, { Worker: QuickWorker });
  renderPage(
    <Shell>
      <LoginPage />
    </Shell>,
    '/login',
  );
  await pass(100);
  localStorage.setItem('clinic.end', JSON.stringify({ why: 'inactivity' }));
  localStorage.removeItem('clinic.token');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'clinic.token', newValue: null }));
  });
  await pass(100);
  expect(screen.getByText("You've been logged out due to inactivity")).toBeTruthy();
});

// Shows: 6.staff.1, R-72
test('staff go to their dashboard after inactivity (R-72)', async () => {
  const staffDashboardUrl = 'https://staff.clinic.example/login';
  const doors: string[] = [];
  leaveThrough((door) => doors.push(door));
  service.answer('GET /me', () => ({ body: { ...casey, role: 'staff' } }));
  service.answer('GET /services/oscarStatus', () => ({ body: { success: true, status: true } }));
  service.answer('GET /services/config', () => ({
    body: { success: true, extras: { ...clinicConfig, staffDashboardUrl } },
  }));
  renderPage(
    <Shell>
      <InactivityWarning />
    </Shell>,
  );
  await pass(20 * MINUTE + 6_000);
  expect(accessToken.get()).toBeNull();
  expect(doors).toEqual([staffDashboardUrl]);
});
