import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ClinicConfig, ApiUser } from '@clinic/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessToken, dropToken, keepToken } from '../api/access-token.ts';
import { leaveThrough } from '../shared/session/leave-site.ts';
import { fakeService, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '../testing/quick-worker.ts';
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

beforeEach(() => {
  dropToken();
  left = [];
  leaveThrough((address) => left.push(address));
  Object.assign(globalThis, { Worker: QuickWorker });
});

function open(path: string, config: Partial<ClinicConfig> = on, user: ApiUser = casey) {
  service = fakeService({
    'GET /services/config': () => ({
      body: { success: true, extras: { ...clinicConfig, ...config } },
    }),
    'GET /services/oscarStatus': () => ({ body: { success: true, status: true } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'SHA-256' } } }),
    'GET /pharmacy/all': () => ({ body: [] }),
    'GET /me': () => ({ body: user }),
    'POST /logout': () => ({ body: { success: true } }),
  });
  renderPage(
    <Shell>
      <AppRoutes />
    </Shell>,
    path,
  );
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
