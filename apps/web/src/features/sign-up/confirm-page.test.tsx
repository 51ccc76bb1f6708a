import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { REWRITINGS, sampleLink } from '@clinic/domain/testing';
import { Route, Switch } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
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

const SECRET = 'aZ09-_'.repeat(7) + '8';
const open = (path = `/confirm/${SECRET}`) =>
  renderPage(
    <Switch>
      <Route path="/confirm/account">
        <p>A link from the clinic</p>
      </Route>
      <Route path={/^\/confirm(?![\w-])/}>
        <ConfirmPage />
      </Route>
    </Switch>,
    path,
  );
const NOT_WHOLE =
  'This address is not the whole link from our email: a mail program may have changed or cut it. Please copy the link from the email and paste it below.';

const inBrowser = (link: string) => new URL(link).href.slice(new URL(link).origin.length);
const rewritten = REWRITINGS.filter(({ of }) => of === 'address');
test.each(rewritten)(
  'the form, or what happened, is shown for a link $name',
  async ({ rewrite, gives }) => {
    open(inBrowser(rewrite(sampleLink('signUp'))));
    if (gives === 'none') {
      expect((await screen.findByRole('alert')).textContent).toBe(NOT_WHOLE);
      expect(screen.getByLabelText('The link from the email')).toBeTruthy();
      expect(screen.queryByLabelText('Password')).toBeNull();
    } else {
      expect(await screen.findByLabelText('Password')).toBeTruthy();
      expect(window.location.href.endsWith(`/confirm/${SECRET}`)).toBe(true);
    }
    expect(service.calls).not.toContain('POST /register/confirm');
  },
);

test('the form is opened with the secret of whatever was pasted, and what is no link is said to be none', async () => {
  open('/confirm/account%2');
  const field = await screen.findByLabelText('The link from the email');
  const paste = async (text: string) => {
    await userEvent.clear(field);
    await userEvent.click(field);
    await userEvent.paste(text);
    await press('Open the link');
  };
  const wrong = async () => (await screen.findAllByRole('alert')).at(-1)?.textContent;
  await press('Open the link');
  expect(await wrong()).toContain('There is no whole link of ours in this.');
  const other = sampleLink('signUp').replace('aZ', 'bZ');
  await paste(`Filled in at 8: ${sampleLink('signUp')}\n\nFilled in at 9: ${other}`);
  expect(await wrong()).toContain('There are several links in this.');
  await paste(`> Confirm: <${sampleLink('signUp').slice(0, -9)}\n> ${SECRET.slice(-9)}>`);
  await confirm();
  expect(await screen.findByText(/is confirmed/)).toBeTruthy();
  expect(sent).toEqual([{ token: SECRET, password: 'a sentence of words' }]);
});

test('the link of another page is opened there', async () => {
  open(inBrowser(sampleLink('account')).replace('#', '%23'));
  expect(await screen.findByText('A link from the clinic')).toBeTruthy();
  expect(window.location.hash).toBe(`#${SECRET}`);
});

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
  expect(sent).toEqual([{ token: SECRET, password: 'a sentence of words' }]);
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
    await screen.findByText(
      'We could not reach the clinic. Your email address may be confirmed: please try again to find out.',
    ),
  ).toBeTruthy();
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'a sentence of words');
  expect(screen.getByRole('button', { name: 'Confirm my email address' })).toBeTruthy();
});

test('without a link it can be asked for again', async () => {
  open('/confirm');
  expect(screen.queryByRole('button', { name: 'Confirm my email address' })).toBeNull();
  await press('Send the link again');
  expect(await screen.findByText('Please enter your email address.')).toBeTruthy();
  await screen.findByText("Checked: you're not a bot.");
  await userEvent.type(screen.getByLabelText('Email'), ' Anne@Example.ca ');
  await press('Send the link again');
  expect(
    await screen.findByText(/^If there is a valid link for anne@example\.ca, it is on the way/),
  ).toBeTruthy();
  expect(sent.at(-1)).toEqual({
    email: 'anne@example.ca',
    recaptcha: expect.any(String) as string,
  });
});
