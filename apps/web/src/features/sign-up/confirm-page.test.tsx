import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { QuickWorker } from '../../testing/quick-worker.ts';
import { renderPage } from '../../testing/render.tsx';
import { ConfirmPage } from './confirm-page.tsx';

let service: FakeService;
let sent: unknown[];

beforeEach(() => {
  Object.assign(globalThis, { Worker: QuickWorker });
  sent = [];
  const done = { body: { success: true, extras: { message: 'Done.' } } };
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'PBKDF2/SHA-256' } } }),
    'POST /register/confirm': ({ body }) => {
      sent.push(body);
      return done;
    },
    'POST /register/resend': ({ body }) => {
      sent.push(body);
      return done;
    },
  });
});

const open = (path = '/confirm/a-long-secret-of-a-link') =>
  renderPage(
    <Route path="/confirm/:token?">
      <ConfirmPage />
    </Route>,
    path,
  );
test.each(['/confirm/xyz', '/confirm/a-long-secret%3Eof-a-link'])(
  '%s is told to be no link, and nothing is asked of the service',
  async (path) => {
    open(path);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This address is not the whole link from our email. Please open the link in the email again.',
    );
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(screen.getByRole('button', { name: 'Send the link again' })).toBeTruthy();
    expect(service.calls).not.toContain('POST /register/confirm');
  },
);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const confirm = async (password = 'a sentence of words') => {
  await userEvent.clear(screen.getByLabelText('Password'));
  await userEvent.type(screen.getByLabelText('Password'), password);
  await press('Confirm my email address');
};
const way = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');

// Shows: R-66
test('nothing is confirmed until the button is pressed, with the password of the form (R-66, R-97)', async () => {
  open();
  expect(sent).toEqual([]);
  await press('Confirm my email address');
  expect(await screen.findByRole('link', { name: 'Please enter the password.' })).toBeTruthy();
  expect(sent).toEqual([]);
  await confirm();
  expect(
    await screen.findByText('Your email address is confirmed. You can log in now.'),
  ).toBeTruthy();
  expect(sent).toEqual([{ token: 'a-long-secret-of-a-link', password: 'a sentence of words' }]);
  expect(way('Log in')).toBe('/login');
});

test('a wrong password is told at its field, and can be tried again (R-97)', async () => {
  service.answer('POST /register/confirm', () => ({
    status: 422,
    body: refusal('invalidInput', 'Please check.', {
      errors: [{ field: 'password', message: 'This is not the password.' }],
    }),
  }));
  open();
  await confirm('another');
  const line = await screen.findByRole('link', { name: 'This is not the password.' });
  expect(screen.getByRole('alert').contains(line)).toBe(true);
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'another');
  service.answer('POST /register/confirm', () => ({
    body: { success: true, extras: { message: 'Done.' } },
  }));
  await confirm();
  expect(await screen.findByText(/is confirmed/)).toBeTruthy();
});

// Shows: R-97
test.each([
  ['linkNotValid', '/register'],
  ['signUpEnded', '/register'],
  ['linkUsed', undefined],
  ['cardKnown', undefined],
] as const)('%s is told, with the way on (R-65, R-66, R-97)', async (code, signUp) => {
  service.answer('POST /register/confirm', () => ({
    status: 409,
    body: refusal(code, 'The words of the service.'),
  }));
  open();
  await confirm();
  expect(await screen.findByText('The words of the service.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Confirm my email address' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect([way('Sign Up') ?? undefined, way('Log in')]).toEqual([signUp, '/login']);
  const call = screen.queryByRole('link', { name: /^Call/ });
  expect(call !== null).toBe(code === 'cardKnown');
});

test('a service that is not reached can be tried again with the same link', async () => {
  service.answer('POST /register/confirm', () => 'unreachable');
  open();
  await confirm();
  expect(
    await screen.findByText("We couldn't confirm your email address. Please try again."),
  ).toBeTruthy();
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'a sentence of words');
  expect(screen.getByRole('button', { name: 'Confirm my email address' })).toBeTruthy();
});

test('without a link it can only be asked for again', async () => {
  open('/confirm');
  expect(screen.queryByRole('button', { name: 'Confirm my email address' })).toBeNull();
  await press('Send the link again');
  expect(await screen.findByText('Please enter your email address.')).toBeTruthy();
  await screen.findByText("Checked: you're not a bot.");
  await userEvent.type(screen.getByLabelText('Email'), ' Anne@Example.ca ');
  await press('Send the link again');
  expect(
    await screen.findByText(
      /^If anne@example\.ca is waiting to be confirmed, its link is on the way/,
    ),
  ).toBeTruthy();
  expect(sent.at(-1)).toEqual({
    email: 'anne@example.ca',
    recaptcha: expect.any(String) as string,
  });
});
