import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessToken, dropToken, keepToken } from '../api/access-token.ts';
import { listening, liveSays } from '../testing/fake-live.ts';
import { fakeService, tokenNotValid, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { leaveThrough } from '../shared/session/leave-site.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';
import { AppRoutes } from './routes.tsx';
import { Shell } from './shell.tsx';

const MAINTENANCE =
  'Our appointment booking website is currently undergoing maintenance. We apologize for the inconvenience. Please login later in order to book an appointment with one of our doctors.';
const STAFF_DOOR = 'https://staff.clinic.example/login';
let service: FakeService;
let logouts: string[];

beforeEach(async () => {
  dropToken();
  keepToken('tok');
  Object.assign(globalThis, { Worker: QuickWorker });
  logouts = [];
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /services/oscarStatus': () => ({ body: { success: true, status: true } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'SHA-256' } } }),
    'GET /me': () => ({ body: casey }),
    'POST /logout': ({ search }) => {
      logouts.push(search);
      return { body: { success: true } };
    },
    'POST /session/renew': () => ({ body: { success: true } }),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const nowOffline = (message?: string) =>
  service.answer('GET /services/oscarStatus', () => ({
    body: { success: false, status: false, ...(message && { extras: { message } }) },
  }));
const nowOnline = () =>
  service.answer('GET /services/oscarStatus', () => ({ body: { success: true, status: true } }));
const asked = () => service.calls.filter((call) => call === 'GET /services/oscarStatus').length;
const message = () => screen.queryByRole('alertdialog', { name: 'Maintenance' });

async function signedIn() {
  renderPage(
    <Shell>
      <AppRoutes />
    </Shell>,
    '/walkin',
  );
  await screen.findByText('Casey');
  await screen.findByRole('navigation', { name: 'Pages' });
  // What the connection says before the page listens is heard by nobody.
  await waitFor(() => expect(listening()).toBeGreaterThan(0));
}

describe('Word of maintenance over the socket (R-70)', () => {
  // Shows: 4.auth.8, 7.socket.1, 8.maintenance.1
  test('signs out at once, keeping what was begun, and shows the message with what the clinic adds', async () => {
    await signedIn();
    nowOffline('We are back at 14:00.');
    liveSays('onOffline');
    await waitFor(() => expect(accessToken.get()).toBeNull());
    await waitFor(() => expect(message()?.textContent).toContain(MAINTENANCE));
    expect(await screen.findByText('We are back at 14:00.')).toBeTruthy();
    expect(logouts).toEqual(['?hold=keep']);
  });

  // Shows: 2.shell.9
  test('leaves header, footer and legal texts in reach, and cannot be closed', async () => {
    await signedIn();
    nowOffline();
    liveSays('onOffline');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Maintenance'));
    await userEvent.keyboard('{Escape}');
    expect(message()?.querySelector('button')).toBeNull();
    await userEvent.tab();
    expect(message()?.contains(document.activeElement)).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Terms of Use' }));
    expect(await screen.findByRole('dialog', { name: 'Terms of Use' })).toBeTruthy();
    expect(message()).toBeTruthy();
  });

  test('leaves the focus where somebody has gone to', async () => {
    await signedIn();
    await userEvent.tab();
    const stays = screen.getByRole('button', { name: 'Terms of Use' });
    act(() => stays.focus());
    nowOffline();
    liveSays('onOffline');
    expect(await screen.findByRole('alertdialog', { name: 'Maintenance' })).toBeTruthy();
    expect(document.activeElement).toBe(stays);
  });

  // Shows: 4.auth.8
  test('is taken back by the same socket, which stays open through it', async () => {
    await signedIn();
    nowOffline();
    liveSays('onOffline');
    await waitFor(() => expect(message()).toBeTruthy());
    nowOnline();
    liveSays('onOnline');
    await waitFor(() => expect(message()).toBeNull());
  });

  const LINK = `link_${'l'.repeat(43)}`;
  // Shows: R-70
  test('also signs out who comes in while it stands, by a link of the dashboard', async () => {
    dropToken();
    nowOffline();
    service.answer('GET /me', ({ headers }) => ({
      body: headers.get('x-access-token') === LINK ? { ...casey, token: 'new' } : casey,
    }));
    renderPage(
      <Shell>
        <AppRoutes />
      </Shell>,
      `/auth/${LINK}/I`,
    );
    await waitFor(() => expect(logouts).toEqual(['?hold=keep']));
    expect(accessToken.get()).toBeNull();
    expect(message()?.textContent).toContain(MAINTENANCE);
    expect(await screen.findByLabelText('Email')).toBeTruthy();
  });

  test('is asked for again every fifteen seconds where no socket can say it', async () => {
    await signedIn();
    nowOffline();
    liveSays('onOffline');
    await waitFor(() => expect(message()).toBeTruthy());
    vi.useFakeTimers({ shouldAdvanceTime: true });
    service.answer('GET /services/oscarStatus', () => 'unreachable');
    liveSays('onConnect');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(message()).toBeTruthy();
    nowOnline();
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    await waitFor(() => expect(message()).toBeNull());
  });
});

describe('A visitor, whom no socket tells (R-70)', () => {
  // Shows: R-70, 8.maintenance.1
  test.each(['/login', '/register', '/resetPassword', '/walkin'])(
    'who has %s open reads of maintenance that begins, and of its end',
    async (path) => {
      dropToken();
      vi.useFakeTimers({ shouldAdvanceTime: true });
      renderPage(
        <Shell>
          <AppRoutes />
        </Shell>,
        path,
      );
      await waitFor(() => expect(asked()).toBeGreaterThan(0));
      nowOffline('We are back at 14:00.');
      await act(() => vi.advanceTimersByTimeAsync(16_000));
      await waitFor(() => expect(message()?.textContent).toContain('We are back at 14:00.'));
      nowOnline();
      await act(() => vi.advanceTimersByTimeAsync(16_000));
      await waitFor(() => expect(message()).toBeNull());
    },
  );

  test('is no patient, whose page asks no more than the socket says', async () => {
    await signedIn();
    await waitFor(() => expect(asked()).toBe(1));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked()).toBe(1);
  });
});

describe('The connection (R-70)', () => {
  // Shows: R-70
  test('has the status asked on load and whenever it stands again', async () => {
    await signedIn();
    await waitFor(() => expect(asked()).toBe(1));
    liveSays('onConnect');
    await waitFor(() => expect(asked()).toBe(2));
    expect(accessToken.get()).toBe('tok');
  });

  // Shows: 4.auth.8, 7.socket.1, R-70
  test('that is lost signs out and shows the message', async () => {
    await signedIn();
    liveSays('onLost');
    await waitFor(() => expect(message()?.textContent).toContain(MAINTENANCE));
    expect(accessToken.get()).toBeNull();
  });

  test('that the service turned away ends the session here if it is over there', async () => {
    await signedIn();
    liveSays('onTurnedAway');
    await waitFor(() => expect(service.calls.filter((call) => call === 'GET /me')).toHaveLength(2));
    expect(accessToken.get()).toBe('tok');
    service.answer('GET /me', () => tokenNotValid);
    liveSays('onTurnedAway');
    await waitFor(() => expect(accessToken.get()).toBeNull());
  });

  test('that ends the session leaves the focus where somebody has gone to', async () => {
    await signedIn();
    await userEvent.click(screen.getByRole('link', { name: 'My Account' }));
    await screen.findByRole('heading', { level: 1, name: 'My Account' });
    await userEvent.tab();
    const stays = screen.getByRole('button', { name: 'Terms of Use' });
    act(() => stays.focus());
    service.answer('GET /me', () => tokenNotValid);
    liveSays('onTurnedAway');
    await screen.findByLabelText('Email');
    expect(document.activeElement).toBe(stays);
  });
});

describe('Staff (R-72)', () => {
  const isStaff = () => {
    service.answer('GET /services/config', () => ({
      body: { success: true, extras: { ...clinicConfig, staffDashboardUrl: STAFF_DOOR } },
    }));
    service.answer('GET /me', () => ({ body: { ...casey, role: 'staff' } }));
  };
  const doors: string[] = [];
  beforeEach(() => {
    doors.length = 0;
    leaveThrough((door) => doors.push(door));
  });

  // Shows: 4.auth.6, 6.staff.1
  test('go to their dashboard when they log out', async () => {
    isStaff();
    await signedIn();
    await screen.findByText('Practice clinic: nothing here is real.');
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
    expect(doors).toEqual([STAFF_DOOR]);
  });

  // Shows: 6.staff.1, R-72
  test('and when the service goes offline', async () => {
    isStaff();
    await signedIn();
    await screen.findByText('Practice clinic: nothing here is real.');
    nowOffline();
    liveSays('onOffline');
    await waitFor(() => expect(doors).toEqual([STAFF_DOOR]));
  });
});
