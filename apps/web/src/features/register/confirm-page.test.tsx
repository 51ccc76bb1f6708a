import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
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
    <Routes>
      <Route path="confirm/:token?" element={<ConfirmPage />} />
    </Routes>,
    path,
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('nothing is confirmed until the button is pressed; then the way to the login is open (R-66)', async () => {
  open();
  expect(sent).toEqual([]);
  await press('Confirm my e-mail address');
  expect(
    await screen.findByText('Your e-mail address is confirmed. You can log in now.'),
  ).toBeTruthy();
  expect(sent).toEqual([{ token: 'a-long-secret-of-a-link' }]);
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
});

test('a link that is spent or too old leads to a new one (R-66)', async () => {
  service.answer('POST /register/confirm', () => ({
    status: 409,
    body: refusal('linkSpent', 'This link is no longer valid.'),
  }));
  open();
  await press('Confirm my e-mail address');
  expect(await screen.findByText('This link is no longer valid.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Confirm my e-mail address' })).toBeNull();

  await press('Send a new link');
  expect(await screen.findByText('Please enter your e-mail address.')).toBeTruthy();
  await screen.findByText('Checked. You are not a bot.');
  await userEvent.type(screen.getByLabelText('Email'), ' Anne@Example.ca ');
  await press('Send a new link');
  expect(
    await screen.findByText(/^If anne@example\.ca waits to be confirmed, a new link is on its way/),
  ).toBeTruthy();
  expect(sent.at(-1)).toEqual({
    email: 'anne@example.ca',
    recaptcha: expect.any(String) as string,
  });
});

test('a service that is not reached can be tried again with the same link', async () => {
  service.answer('POST /register/confirm', () => 'unreachable');
  open();
  await press('Confirm my e-mail address');
  expect(
    await screen.findByText('We could not confirm your e-mail address. Please try again.'),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Confirm my e-mail address' })).toBeTruthy();
});

test('without a link only a new one can be asked for', async () => {
  open('/confirm');
  expect(screen.queryByRole('button', { name: 'Confirm my e-mail address' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Send a new link' })).toBeTruthy();
});
