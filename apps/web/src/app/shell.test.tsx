import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accessToken, dropToken, keepToken } from '../api/access-token.ts';
import { bookAnew } from '../shared/booking-link.ts';
import { listening, liveSays } from '../testing/fake-live.ts';
import { fakeService, tokenNotValid, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';
import { AppRoutes } from './routes.tsx';
import { Shell } from './shell.tsx';

let service: FakeService;

beforeEach(() => {
  dropToken();
  Object.assign(globalThis, { Worker: QuickWorker });
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /services/oscarStatus': () => ({ body: { success: true, status: true } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'SHA-256' } } }),
    'GET /me': () => ({ body: casey }),
    'POST /logout': () => ({ body: { success: true } }),
    'POST /session/renew': () => ({ body: { success: true } }),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const renderApp = (path: string) =>
  renderPage(
    <Shell>
      <AppRoutes />
    </Shell>,
    path,
  );

// Shows: 2.shell.3
test('a visitor sees no tabs and is led to the login', async () => {
  renderApp('/account');
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  expect(await screen.findByText('Practice clinic: nothing here is real.')).toBeTruthy();
});

test('the banner of a practice clinic is there before the configuration is', () => {
  service.answer('GET /services/config', () => new Promise(() => {}));
  document.documentElement.setAttribute('data-practice', '');
  renderApp('/login');
  document.documentElement.removeAttribute('data-practice');
  expect(screen.getByText('Practice clinic: nothing here is real.')).toBeTruthy();
});

// Shows: 2.shell.1, 2.shell.3, 4.auth.1, 4.auth.7
test('a patient sees three tabs, the first name and the way out', async () => {
  keepToken('tok');
  renderApp('/account');
  const tabs = await screen.findByRole('navigation', { name: 'Pages' });
  expect(Array.from(tabs.querySelectorAll('a'), (tab) => tab.textContent)).toEqual([
    'Book Appointment',
    'My Appointments',
    'My Account',
  ]);
  expect(screen.getByText('Casey')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await screen.findByText("You're logged out.")).toBeTruthy();
  expect(service.calls).toContain('POST /logout');
  expect(accessToken.get()).toBeNull();
});

// Shows: R-80
test('a reply of the clinic is said wherever the patient is, and My Account counts it', async () => {
  keepToken('tok');
  let unread = 0;
  service.answer('GET /message/', () => ({
    body: { success: true, messages: [], total: 0, unread },
  }));
  renderApp('/walkin');
  expect(await screen.findByRole('link', { name: 'My Account' })).toBeTruthy();
  await waitFor(() => expect(listening()).toBeGreaterThan(0));
  unread = 1;
  liveSays('onMessages');
  expect(await screen.findByText('The clinic has replied to your message.')).toBeTruthy();
  await userEvent.click(await screen.findByRole('link', { name: /^My Account.*1 new reply$/ }));
  await userEvent.click(await screen.findByRole('link', { name: 'Messages (1 new reply)' }));
  expect(await screen.findByRole('heading', { name: 'Messages' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Your information' })).toBeNull();
});

/** What each page shows of the patient that another tab or device, or the clinic, may change. */
const SHOWN = {
  appointments: { page: '/appointments', call: 'GET /me/appointments' },
  hold: { page: '/', call: 'GET /schedule/hold' },
  messages: { page: '/account?view=messages', call: 'GET /message/' },
  profile: { page: '/account', call: 'GET /me' },
  documents: { page: '/account', call: 'GET /me/should-upload-document' },
  sessions: { page: '/account', call: 'GET /me/sessions' },
} as const;

const ANSWERS: Record<string, object> = {
  'GET /me/appointments': { doctors: [], appointments: [], hasOlder: false },
  'GET /schedule/hold': { success: true, extras: { hold: null, made: null } },
  'GET /message/': { success: true, messages: [], total: 0, unread: 0 },
  'GET /me': casey,
  'GET /me/should-upload-document': {
    success: true,
    healthcardUploaded: true,
    pictureIdUploaded: true,
  },
  'GET /me/sessions': { success: true, extras: { sessions: [] } },
};

const event = (target: EventTarget, name: string, more: object = {}) =>
  act(() => void target.dispatchEvent(Object.assign(new Event(name), more)));
/** Each way in which a page learns that it may have missed something. */
const MISSED = {
  connected: () => liveSays('onConnect'),
  'not connected yet': () => liveSays('onUnheard'),
  'visible again': () => event(document, 'visibilitychange'),
  'shown from the back-forward cache': () => event(window, 'pageshow', { persisted: true }),
  'on line again': () => event(window, 'online'),
} as const;

/** The page makes this call once more then, and does not extend the session. */
async function expectAskedAnew({ page, call }: { page: string; call: string }, told: () => void) {
  keepToken('tok');
  const marks: (string | null)[] = [];
  service.answer(call, ({ headers }) => {
    marks.push(headers.get('x-background'));
    return { body: ANSWERS[call] };
  });
  renderApp(page);
  await waitFor(() => expect(marks.length).toBeGreaterThan(0));
  await waitFor(() => expect(listening()).toBeGreaterThan(0));
  const before = marks.length;
  told();
  await waitFor(() => expect(marks.length).toBe(before + 1));
  expect(marks.at(-1)).toBe('1');
}

// Shows
test.each([
  ['onAppointments', 'appointments'],
  ['onAppointments', 'hold'],
  ['onMessages', 'messages'],
  ['onAccount', 'profile'],
  ['onAccount', 'documents'],
  ['onAccount', 'sessions'],
] as const)('%s asks anew for %s, as a background request', async (told, what) => {
  await expectAskedAnew(SHOWN[what], () => liveSays(told));
});

const ways = Object.keys(MISSED) as (keyof typeof MISSED)[];
const shown = Object.keys(SHOWN) as (keyof typeof SHOWN)[];

// Shows: R-3
test.each(ways.map((way, at) => [way, shown[at % shown.length] ?? 'hold'] as const))(
  'a page that is %s asks anew for %s',
  async (way, what) => {
    await expectAskedAnew(SHOWN[what], MISSED[way]);
  },
);

test('what could not be loaded keeps its way to try again until it is pressed or the connection is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { page, call } = SHOWN.appointments;
  keepToken('tok');
  let asked = 0;
  service.answer(call, () => {
    asked += 1;
    return { status: 500, body: { success: false } };
  });
  renderApp(page);
  await waitFor(() => expect(listening()).toBeGreaterThan(0));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const again = await screen.findByRole('button', { name: 'Try again' });
  const before = asked;
  liveSays('onUnheard');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect([again.isConnected, asked]).toEqual([true, before]);
  liveSays('onConnect');
  await waitFor(() => expect(asked).toBeGreaterThan(before));
});

// Shows: 2.shell.1, R-51
test('the clinic title leads home and resets the booking', async () => {
  const Here = () => {
    const [pathname] = useLocation();
    const state = useHistoryState<unknown>();
    return <output>{JSON.stringify({ pathname, state })}</output>;
  };
  renderPage(
    <Shell>
      <Here />
    </Shell>,
    '/walkin',
  );
  await userEvent.click(await screen.findByRole('link', { name: 'Harbour Street Clinic, home' }));
  const home = JSON.stringify({ pathname: '/', state: bookAnew });
  expect(screen.getByText(home)).toBeTruthy();
});

test('the tab of the page that is shown makes no second entry of the history', async () => {
  keepToken('tok');
  renderApp('/walkin');
  const tab = await screen.findByRole('link', { name: 'My Account' });
  await userEvent.click(tab);
  await screen.findByRole('heading', { name: 'My Account' });
  const { length } = window.history;
  await userEvent.click(tab);
  expect(window.history.length).toBe(length);
  expect(tab.getAttribute('aria-current')).toBe('page');
});

// Shows: 2.routes.10
test('an unknown address says so and offers three places', async () => {
  keepToken('tok');
  renderApp('/no/such/page');
  expect(await screen.findByText('The page you requested is not found.')).toBeTruthy();
  await screen.findByText('Casey');
  const main = screen.getByRole('main');
  await waitFor(() =>
    expect(Array.from(main.querySelectorAll('a'), (way) => way.getAttribute('href'))).toEqual([
      '/',
      '/appointments',
      '/account',
    ]),
  );
});

// Shows: 1.can.9, 2.shell.5, R-83
test('the legal texts open from the footer and link to each other', async () => {
  renderApp('/walkin');
  await userEvent.click(await screen.findByRole('button', { name: 'Terms of Use' }));
  const terms = await screen.findByRole('dialog', { name: 'Terms of Use' });
  await waitFor(() => expect(terms.textContent).toContain('Version 2.0'));
  expect(terms.textContent).toContain('at least 19 years old');
  await userEvent.click(screen.getAllByRole('button', { name: 'Fee Schedule' }).at(-1) ?? terms);
  const fees = await screen.findByRole('dialog', { name: 'Fee Schedule' });
  expect(fees.textContent).toContain('$10.00');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a legal text that a double press opened is closed by one press', async () => {
  renderApp('/walkin');
  const terms = await screen.findByRole('button', { name: 'Terms of Use' });
  // So close that React has rendered nothing between them.
  act(() => {
    terms.click();
    terms.click();
  });
  await screen.findByRole('dialog', { name: 'Terms of Use' });
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a text that is read stands in the address, so that a reload shows it again (R-101)', async () => {
  renderApp('/walkin?read=privacy');
  expect(await screen.findByRole('dialog', { name: 'Privacy Policy' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Walk-in information' })).toBeTruthy();
});

test('the texts that a sign-up consents to open beside the form, which keeps what was typed', async () => {
  renderApp('/register');
  await userEvent.type(await screen.findByLabelText('City'), 'Surrey');
  const consent = screen.getByRole('region', { name: 'Your consent' });
  for (const name of ['Terms of Use', 'Privacy Policy']) {
    await userEvent.click(within(consent).getByRole('link', { name }));
    expect(await screen.findByRole('dialog', { name })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(screen.getByLabelText('City')).toHaveProperty('value', 'Surrey');
});

// Shows: 2.shell.6
test('the footer is hidden on home in state confirm, and nowhere else', async () => {
  const { unmount } = renderPage(
    <Shell>
      <h1>Confirm</h1>
    </Shell>,
    '/',
    { step: 'confirm' },
  );
  await screen.findByText('Practice clinic: nothing here is real.');
  expect(screen.queryByRole('contentinfo')).toBeNull();
  unmount();
  renderApp('/walkin');
  expect(await screen.findByRole('contentinfo')).toBeTruthy();
});

// Shows: 2.shell.9, 4.auth.8, R-70
test('while the records are offline a message stands that cannot be closed', async () => {
  keepToken('tok');
  service.answer('GET /services/oscarStatus', () => ({ body: { success: false, status: false } }));
  renderApp('/account');
  const message = await screen.findByRole('alertdialog', { name: 'Maintenance' });
  expect(message.textContent).toContain(
    'Our appointment booking website is currently undergoing maintenance.',
  );
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('alertdialog', { name: 'Maintenance' })).toBeTruthy();
  await waitFor(() => expect(accessToken.get()).toBeNull());
});

// Shows: 4.auth.6, 8.me.1, 8.token.1, R-70
test('a token that the service does not know is dropped at once', async () => {
  service.answer('GET /me', () => tokenNotValid);
  keepToken('old');
  renderApp('/account');
  expect(await screen.findByText('Please log in again.')).toBeTruthy();
  expect(accessToken.get()).toBeNull();
  expect(service.calls.filter((call) => call === 'GET /me')).toHaveLength(1);
});

// Shows: R-70
test('a service that is not reached keeps the token and offers to try again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  service.answer('GET /me', () => 'unreachable');
  keepToken('tok');
  renderApp('/account');
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(service.calls.filter((call) => call === 'GET /me')).toHaveLength(3);
  expect(accessToken.get()).toBe('tok');
  service.answer('GET /me', () => ({ body: casey }));
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'My Account' })).toBeTruthy();
});

test('a sign-out in another tab is a sign-out here', async () => {
  keepToken('tok');
  renderApp('/account');
  await screen.findByText('Casey');
  localStorage.removeItem('clinic.token');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'clinic.token', newValue: null }));
  });
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
});

// Shows: 2.shell.4
test('the footer says whom to write to when booking fails, where the clinic is, and whose pages these are', async () => {
  service.answer('GET /services/config', () => ({
    body: { success: true, extras: clinicConfig },
    date: 'Tue, 15 Dec 2026 20:00:00 GMT',
  }));
  renderApp('/walkin');
  const footer = await screen.findByRole('contentinfo');
  await waitFor(() =>
    expect(footer.textContent).toContain(
      "If you can't book, write to booking@clinic.example. This address is for booking problems only, not for medical advice.",
    ),
  );
  expect(footer.textContent).toContain('© 2026 Harbour Street Clinic');
  const { clinicAddress, clinicPhone } = clinicConfig;
  const wayTo = (name: string) =>
    within(footer).getByRole('link', { name }).getAttribute('href') ?? '';
  expect(wayTo(clinicAddress)).toMatch(/^https:\/\/.*Harbour/);
  expect(wayTo(clinicPhone)).toBe(`tel:${clinicPhone}`);
  expect(Array.from(footer.querySelectorAll('button'), (link) => link.textContent)).toEqual(
    expect.arrayContaining(['Terms of Use', 'Privacy Policy', 'Fee Schedule']),
  );
});

// Shows: 2.routes.7, 9.walk-in.1, R-83
test('anybody reads the walk-in hours of the clinic', async () => {
  renderApp('/walkin');
  const row = await screen.findByRole('row', { name: 'Monday to Friday 9am to noon' });
  expect(row).toBeTruthy();
});

// Shows: 2.routes.1, 2.routes.5, 2.routes.6, 2.routes.11, 6.patient.1
test.each(['/', '/appointments', '/account'])(
  'a visitor of %s is led to the login',
  async (path) => {
    renderApp(path);
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(service.calls).not.toContain('GET /me');
  },
);

test('a device that loses its connection says so at once, and no more when it is back', async () => {
  renderApp('/walkin');
  const device = (online: boolean) =>
    act(() => {
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
      dispatchEvent(new Event(online ? 'online' : 'offline'));
    });
  expect(screen.queryByText(/You are offline/)).toBeNull();
  device(false);
  expect(screen.getByText(/You are offline/).closest('[role="status"]')).toBeTruthy();
  device(true);
  expect(screen.queryByText(/You are offline/)).toBeNull();
});

test.each(['/login%3E', '/login.', '/login&data=05%7C02', '/appointments%2', '/account%E2%80%9D'])(
  'the mailed page is opened whose address arrived as %s',
  async (address) => {
    renderApp(address);
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  },
);
