import { REWRITINGS, sampleLink } from '@clinic/domain/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { beforeEach, expect, test } from 'vitest';
import { accessToken, dropToken, keepToken } from '../../api/access-token.ts';
import { bookType } from '../../shared/booking-link.ts';
import { fakeService, tokenNotValid, type FakeService } from '../../testing/fake-service.ts';
import { casey, clinicConfig } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { TokenLink } from './token-link.tsx';
import { TokenLoginPage } from './token-login-page.tsx';

const LINK = new URL(sampleLink('dashboard')).pathname.split('/')[2] ?? '';
const UNKNOWN = `link_${'a'.repeat(43)}`;

let service: FakeService;
let addresses: string[];
let calls: string[];

/** Who answers `GET /me` to which token; a link's token is good once. */
beforeEach(() => {
  dropToken();
  addresses = [];
  calls = [];
  let linkUsed = false;
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'POST /logout': ({ headers }) => {
      calls.push(`logout ${headers.get('x-access-token')}`);
      return { body: { success: true } };
    },
    'GET /me': ({ headers }) => {
      const token = headers.get('x-access-token');
      calls.push(`me ${token}`);
      if (token === 'vera-session') return { body: { ...casey, id: 'patient-2' } };
      if (token === 'casey-old' || token === 'casey-new') return { body: casey };
      if (token !== LINK || linkUsed) return tokenNotValid;
      linkUsed = true;
      return { body: { ...casey, token: 'casey-new' } };
    },
  });
});

function Address() {
  const [pathname] = useLocation();
  const state = useHistoryState<unknown>();
  addresses.push(pathname);
  return (
    <>
      <p>At {pathname}</p>
      <output>{JSON.stringify(state)}</output>
    </>
  );
}

const open = (path: string) =>
  renderPage(
    <>
      <Address />
      <Route path="/auth">
        <TokenLoginPage />
      </Route>
      <Route path="/auth/:token/:selectedAppType?">
        <TokenLink />
      </Route>
    </>,
    path,
  );

// Shows: 4.auth.5
test.each([
  ['I', 'I'],
  ['D', 'D'],
  ['Z', null],
  ['O', null],
] as const)('a link with %s logs in, leads home and chooses %s (R-68)', async (segment, chosen) => {
  open(`/auth/${LINK}/${segment}`);
  expect(await screen.findByText('At /')).toBeTruthy();
  expect(accessToken.get()).toBe('casey-new');
  const led = chosen && bookType(chosen);
  expect(screen.getByRole('status').textContent).toBe(JSON.stringify(led));
  expect(calls).toEqual([`me ${LINK}`, 'me casey-new']);
});

// Shows: R-68
test('the token leaves the address before anything is asked', async () => {
  open(`/auth/${LINK}/I`);
  expect(addresses).toEqual([`/auth/${LINK}/I`, '/auth']);
  expect(await screen.findByText('At /')).toBeTruthy();
});

// Shows: R-68
test('somebody else who is signed in is signed out first, and everywhere', async () => {
  keepToken('vera-session');
  open(`/auth/${LINK}/I`);
  expect(await screen.findByText('At /')).toBeTruthy();
  expect(accessToken.get()).toBe('casey-new');
  expect(calls.indexOf('logout vera-session')).toBeLessThan(calls.indexOf('me casey-new'));
  expect(calls).toContain('logout vera-session');
});

// Shows: R-68
test('the same patient keeps what was begun: no logout gives the slot in hand back (R-30)', async () => {
  keepToken('casey-old');
  open(`/auth/${LINK}/I`);
  expect(await screen.findByText('At /')).toBeTruthy();
  expect(accessToken.get()).toBe('casey-new');
  expect(calls.some((call) => call.startsWith('logout'))).toBe(false);
});

test('a used link says so, with a way on', async () => {
  open(`/auth/${UNKNOWN}/I`);
  expect(
    await screen.findByText(
      'The link is no longer valid: it works once, within five minutes. Please use a new one.',
    ),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('with the dashboard in use the way on leads there', async () => {
  service.answer('GET /services/config', () => ({
    body: {
      success: true,
      extras: {
        ...clinicConfig,
        flags: { dashboard: true, preferredPharmacy: false },
        dashboardUrl: 'https://clinic.example/dashboard',
      },
    },
  }));
  open(`/auth/${UNKNOWN}/I`);
  expect(await screen.findByRole('button', { name: 'Back to the clinic site' })).toBeTruthy();
});

test('the token of a session is no link', async () => {
  open('/auth/vera-session/I');
  expect(await screen.findByRole('heading', { name: 'This login link did not work' })).toBeTruthy();
  expect(accessToken.get()).toBeNull();
  expect(calls).toEqual([]);
});

test('a service that is not reached can be tried again', async () => {
  service.answer('GET /me', () => 'unreachable');
  open(`/auth/${LINK}/D`);
  expect(
    await screen.findByText("We can't reach the clinic right now. Please try again."),
  ).toBeTruthy();
  service.answer('GET /me', ({ headers }) => ({
    body: headers.get('x-access-token') === LINK ? { ...casey, token: 'casey-new' } : casey,
  }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(accessToken.get()).toBe('casey-new'));
  expect(await screen.findByText(JSON.stringify(bookType('D')))).toBeTruthy();
});

test.each(REWRITINGS.filter(({ of }) => of === 'address'))(
  'the patient is logged in, or hears what happened, by a link $name',
  async ({ rewrite, gives }) => {
    open(new URL(rewrite(sampleLink('dashboard'))).href.slice(22));
    if (gives === 'none') {
      expect((await screen.findByRole('alert')).textContent).toContain('not a whole login link');
      expect(screen.getByLabelText('The link from the email')).toBeTruthy();
      expect(calls).toEqual([]);
    } else {
      expect(await screen.findByText('At /')).toBeTruthy();
      expect(calls[0]).toBe(`me ${LINK}`);
    }
  },
);
