import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Switch } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { accessToken, dropToken } from '../../api/access-token.ts';
import { useAddress } from '../../shared/navigation.ts';
import { PrivateRoute, PublicOnlyRoute } from '../../shared/session/guarded-routes.tsx';
import { useSessionKeeper } from '../../shared/session/session.ts';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { casey, clinicConfig } from '../../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../../testing/render.tsx';
import { LoginPage } from './login-page.tsx';

const WRONG =
  'The email or password is incorrect. If you have just signed up, open the link in our email first.';

let service: FakeService;
let challenges: number;

beforeEach(() => {
  dropToken();
  challenges = 0;
  Object.assign(globalThis, { Worker: QuickWorker });
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /captcha/challenge': () => {
      challenges += 1;
      return { body: { parameters: { algorithm: 'PBKDF2/SHA-256' }, signature: `${challenges}` } };
    },
    'POST /login': () => ({ body: { success: true, extras: { accessToken: 'tok', message: '' } } }),
    'GET /me': () => ({ body: casey }),
  });
});

const Here = () => <p>At {useAddress()}</p>;

function Login() {
  useSessionKeeper();
  return (
    <Switch>
      <Route path="/login">
        <PublicOnlyRoute>
          <LoginPage />
        </PublicOnlyRoute>
      </Route>
      <Route>
        <PrivateRoute>
          <Here />
        </PrivateRoute>
      </Route>
    </Switch>
  );
}

const renderLogin = (path = '/login') => renderPage(<Login />, path);

const button = () => screen.getByRole('button', { name: 'Log in' });
/** The check for bots begins with the form. */
const begin = async () => userEvent.click(await screen.findByLabelText('Email'));
const captchaDone = () => screen.findByText("Checked: you're not a bot.");
const fill = async (email: string, password: string) => {
  await userEvent.type(screen.getByLabelText('Email'), email);
  await userEvent.type(screen.getByLabelText('Password'), password);
};

// Shows: 2.routes.2, 2.login.1, 5.login.1, 5.login.2, 7.browser.2
test('the button waits for email, password and captcha', async () => {
  renderLogin();
  await begin();
  expect(button()).toHaveProperty('disabled', true);
  await captchaDone();
  expect(button()).toHaveProperty('disabled', true);
  await fill('   ', 'secret');
  expect(button()).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByLabelText('Email'), 'a@b.ca');
  expect(button()).toHaveProperty('disabled', false);
});

// Shows: 1.can.1, 4.auth.1, 5.login.1, 7.auth.1
test('the email is trimmed and lowercased, and the captcha proof goes along', async () => {
  let sent: unknown;
  service.answer('POST /login', ({ body }) => {
    sent = body;
    return { body: { success: true, extras: { accessToken: 'tok', message: '' } } };
  });
  renderLogin();
  await begin();
  await captchaDone();
  await fill('  Casey@Practice.Example ', 'Practice-2026');
  await userEvent.click(button());
  await screen.findByText('At /');
  const proof = btoa(
    JSON.stringify({
      challenge: { parameters: { algorithm: 'PBKDF2/SHA-256' }, signature: '1' },
      solution: { counter: 0, derivedKey: '00' },
    }),
  );
  expect(sent).toEqual({
    method: 'email',
    email: 'casey@practice.example',
    password: 'Practice-2026',
    recaptcha: proof,
  });
  expect(accessToken.get()).toBe('tok');
});

test('who only looks at the page is asked for no proof', async () => {
  renderLogin();
  await screen.findByLabelText('Email');
  expect(screen.queryByRole('group', { name: "Check that you're not a bot" })).toBeNull();
  expect(challenges).toBe(0);
  await begin();
  await captchaDone();
  expect(challenges).toBe(1);
});

test('two presses in one moment ask once', async () => {
  renderLogin();
  await begin();
  await captchaDone();
  await fill('casey@practice.example', 'Practice-2026');
  act(() => {
    button().click();
    button().click();
  });
  await screen.findByText('At /');
  expect(service.calls.filter((call) => call === 'POST /login')).toHaveLength(1);
});

// Shows: 2.routes.11, R-69
test('a visitor of a private page comes back to it after the login', async () => {
  renderLogin('/appointments?all=true#older');
  await begin();
  await captchaDone();
  await fill('casey@practice.example', 'Practice-2026');
  await userEvent.click(button());
  expect(await screen.findByText('At /appointments?all=true#older')).toBeTruthy();
});

// Shows: 8.login.1
test('the message of the service is shown, and the captcha starts again', async () => {
  service.answer('POST /login', () => ({
    status: 401,
    body: refusal('wrongCredentials', WRONG),
  }));
  renderLogin();
  await begin();
  await captchaDone();
  await fill('casey@practice.example', 'wrong');
  await userEvent.click(button());
  const summary = await screen.findByText(WRONG);
  expect(document.activeElement?.contains(summary)).toBe(true);
  await waitFor(() => expect(challenges).toBe(2));
  await captchaDone();
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'casey@practice.example');
});

test('who tried too often reads how long to wait, and nothing typed is lost (S-5)', async () => {
  const wait = 'There were too many attempts. Please wait 8 seconds, then try again.';
  service.answer('POST /login', () => ({ status: 429, body: refusal('tooManyRequests', wait) }));
  renderLogin();
  await begin();
  await captchaDone();
  await fill('casey@practice.example', 'Practice-2026');
  await userEvent.click(button());
  const summary = await screen.findByText(wait);
  expect(document.activeElement?.contains(summary)).toBe(true);
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'casey@practice.example');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'Practice-2026');
  await captchaDone();
  service.answer('POST /login', () => ({
    body: { success: true, extras: { accessToken: 'tok', message: '' } },
  }));
  await userEvent.click(button());
  expect(await screen.findByText('At /')).toBeTruthy();
});

test('a captcha that could not be made can be tried again', async () => {
  service.answer('GET /captcha/challenge', () => 'unreachable');
  renderLogin();
  await begin();
  await screen.findByText("We couldn't check that you're not a bot.");
  service.answer('GET /captcha/challenge', () => ({
    body: { parameters: { algorithm: 'SHA-256' } },
  }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await captchaDone()).toBeTruthy();
});

// Shows: 4.auth.1, 4.auth.4, 4.auth.6, 8.me.1
test('a patient whose me call is refused is told why and is not signed in', async () => {
  service.answer('GET /me', () => ({ status: 403, body: refusal('notVisible', 'Not open.') }));
  renderLogin();
  await begin();
  await captchaDone();
  await fill('ida@practice.example', 'Practice-2026');
  await userEvent.click(button());
  expect(await screen.findByText('Not open.')).toBeTruthy();
  expect(accessToken.get()).toBeNull();
});

// Shows: 2.login.1
test('links lead to password recovery and sign-up', async () => {
  renderLogin();
  const forgot = await screen.findByRole('link', { name: 'Forgot Password' });
  expect(forgot.getAttribute('href')).toBe('/resetPassword');
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/register');
});

// Shows: R-66
test('who fits no account can have the link of a sign-up sent again (R-66, R-97)', async () => {
  let sent: unknown;
  service.answer('POST /login', () => ({
    status: 401,
    body: refusal('wrongCredentials', WRONG),
  }));
  service.answer('POST /register/resend', ({ body }) => {
    sent = body;
    return { body: { success: true, extras: { message: 'Done.' } } };
  });
  renderLogin();
  await begin();
  await captchaDone();
  expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull();
  await fill('uma@practice.example', 'Practice-2026');
  await userEvent.click(button());
  expect(await screen.findByText(WRONG)).toBeTruthy();
  expect(challenges).toBe(2);
  await userEvent.click(screen.getByRole('button', { name: 'Send the link again' }));
  const again = within(await screen.findByRole('region', { name: 'The link from our email' }));
  expect(document.activeElement).toBe(again.getByRole('heading'));
  await again.findByText("Checked: you're not a bot.");
  expect(again.getByLabelText('Email')).toHaveProperty('value', 'uma@practice.example');
  await userEvent.click(again.getByRole('button', { name: 'Send the link again' }));
  expect(await again.findByText(/it is on the way/)).toBeTruthy();
  expect(sent).toEqual({ email: 'uma@practice.example', recaptcha: expect.any(String) as string });
});
