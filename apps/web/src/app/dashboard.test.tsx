import type { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ClinicConfig, ApiUser } from '@clinic/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessToken, dropToken, keepToken } from '../api/access-token.ts';
import { leaveThrough } from '../shared/session/leave-site.ts';
import { endSession, type SessionEnd } from '../shared/session/session.ts';
import { listening, liveSays } from '../testing/fake-live.ts';
import { fakeService, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';
import { AppRoutes } from './routes.tsx';
import { Shell } from './shell.tsx';

const on: Partial<ClinicConfig> = {
  flags: { dashboard: true, preferredPharmacy: false },
  dashboardUrl: 'https://clinic.example/dashboard/login',
  dashboardLogoutUrl: 'https://clinic.example/dashboard/logout',
};

let service: FakeService;
let left: string[];
let queryClient: QueryClient;

beforeEach(() => {
  dropToken();
  left = [];
  leaveThrough((address) => left.push(address));
  Object.assign(globalThis, { Worker: QuickWorker });
});

let online: boolean;
beforeEach(() => {
  online = true;
});

function open(
  path: string,
  config: Partial<ClinicConfig> = on,
  user: ApiUser = casey,
  state: unknown = null,
) {
  service = fakeService({
    'GET /services/config': () => ({
      body: { success: true, extras: { ...clinicConfig, ...config } },
    }),
    'GET /services/oscarStatus': () => ({ body: { success: online, status: online } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'SHA-256' } } }),
    'GET /pharmacy/all': () => ({ body: [] }),
    'GET /me': () => ({ body: user }),
    'POST /logout': () => ({ body: { success: true } }),
  });
  ({ queryClient } = renderPage(
    <Shell>
      <AppRoutes />
    </Shell>,
    path,
    state,
  ));
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('without the dashboard (R-69)', () => {
  test('a visitor sees the login, and a patient one way out', async () => {
    open('/', {});
    expect(await screen.findByLabelText('Email')).toBeTruthy();
    expect(left).toEqual([]);
  });

  // Shows: R-69
  test('a flag without an address changes nothing', async () => {
    open('/login', { flags: { dashboard: true, preferredPharmacy: false } });
    expect(await screen.findByLabelText('Email')).toBeTruthy();
    expect(left).toEqual([]);
  });

  test('Logout stays here', async () => {
    keepToken('tok');
    open('/walkin', {});
    await press('Logout');
    expect(screen.queryByRole('button', { name: 'Back to the clinic site' })).toBeNull();
    expect(left).toEqual([]);
  });
});

describe('with the dashboard in use (§2 Shell, R-69)', () => {
  // Shows: 2.login.2, 4.auth.3
  test.each(['/', '/appointments', '/login'])(
    'a visitor of %s sees a loader and is sent to the dashboard',
    async (path) => {
      open(path);
      expect(await screen.findByText('Taking you to the clinic site…')).toBeTruthy();
      await waitFor(() => expect(left).toEqual(['https://clinic.example/dashboard/login']));
      expect(screen.queryByLabelText('Email')).toBeNull();
    },
  );

  test.each(['/walkin', '/register', '/resetPassword', '/confirm/x', '/no/such/page'])(
    'a visitor of %s stays there',
    async (path) => {
      open(path);
      await screen.findByRole('heading', { level: 1 });
      await screen.findByRole('link', { name: 'Harbour Street Clinic, home' });
      expect(left).toEqual([]);
    },
  );

  // Shows: 2.shell.2
  test("'Back to the clinic site' ends the session and leads to the dashboard's login", async () => {
    keepToken('tok');
    open('/walkin');
    await press('Back to the clinic site');
    expect(left).toEqual(['https://clinic.example/dashboard/login']);
    expect(accessToken.get()).toBeNull();
    expect(service.calls).toContain('POST /logout');
  });

  // Shows: 2.shell.2
  test("'Logout' ends the session and leads to the dashboard's logout, and nowhere else", async () => {
    keepToken('tok');
    open('/account');
    await press('Logout');
    expect(await screen.findByText('Taking you to the clinic site…')).toBeTruthy();
    expect(left).toEqual(['https://clinic.example/dashboard/logout']);
    expect(accessToken.get()).toBeNull();
  });
});

describe('with the dashboard in use, who is signed out reads why (§8, R-69)', () => {
  const INACTIVE = "You've been logged out due to inactivity";
  const MAINTENANCE = /^Our appointment booking website is currently undergoing maintenance\./;
  const sayEnd = (end: SessionEnd) => act(() => endSession(queryClient, end));

  // Shows: 8.inactivity.1
  test('after twenty quiet minutes, with the way to the clinic site', async () => {
    keepToken('tok');
    open('/appointments');
    await screen.findByRole('button', { name: 'Logout' });
    sayEnd({ why: 'inactivity' });
    expect(await screen.findByText(INACTIVE)).toBeTruthy();
    expect(left).toEqual([]);
    await press('Back to the clinic site');
    expect(left).toEqual(['https://clinic.example/dashboard/login']);
  });

  test('also when the browser comes back to the page from the dashboard', async () => {
    open('/login', on, casey, { from: '/', end: { why: 'inactivity' } });
    expect(await screen.findByText(INACTIVE)).toBeTruthy();
    expect(left).toEqual([]);
  });

  // Shows: 8.maintenance.1, R-70
  test('while there is maintenance, and goes to the dashboard when it is over', async () => {
    keepToken('tok');
    open('/appointments');
    await screen.findByRole('button', { name: 'Logout' });
    await waitFor(() => expect(listening()).toBeGreaterThan(0));
    online = false;
    liveSays('onOffline');
    expect(await screen.findByText(MAINTENANCE)).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(left).toEqual([]);
    online = true;
    liveSays('onOnline');
    await waitFor(() => expect(left).toEqual(['https://clinic.example/dashboard/login']));
  });

  // Shows: R-70
  test('a visitor of the login meets maintenance there at once', async () => {
    online = false;
    open('/login');
    expect(await screen.findByText(MAINTENANCE)).toBeTruthy();
    expect(left).toEqual([]);
  });

  test('staff too, on their way to their dashboard', async () => {
    keepToken('tok');
    const config = { ...on, staffDashboardUrl: 'https://clinic.example/staff' };
    open('/appointments', config, { ...casey, role: 'staff' });
    await screen.findByRole('button', { name: 'Logout' });
    sayEnd({ why: 'inactivity' });
    expect(await screen.findByText(INACTIVE)).toBeTruthy();
    expect(left).toEqual(['https://clinic.example/staff']);
  });
});

describe('staff (R-72)', () => {
  const staff: ApiUser = { ...casey, role: 'staff' };
  const place = { staffDashboardUrl: 'https://clinic.example/staff' };

  // Shows: 4.auth.6, 6.staff.1
  test('go to their dashboard on logout', async () => {
    keepToken('tok');
    open('/walkin', place, staff);
    await press('Logout');
    expect(left).toEqual(['https://clinic.example/staff']);
  });

  test('stay here where no dashboard of theirs is known', async () => {
    keepToken('tok');
    open('/walkin', {}, staff);
    await press('Logout');
    expect(left).toEqual([]);
  });
});
