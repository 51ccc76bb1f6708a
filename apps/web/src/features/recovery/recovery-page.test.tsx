import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Switch } from 'wouter';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../../testing/render.tsx';
import { RecoveryPage } from './recovery-page.tsx';

let service: FakeService;
let sent: Map<string, unknown>;

beforeEach(() => {
  Object.assign(globalThis, { Worker: QuickWorker });
  sent = new Map();
  const take =
    (call: string) =>
    ({ body }: { body: unknown }) => {
      sent.set(call, body);
      return { body: { success: true, status: true, extras: { message: 'Done.' } } };
    };
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'PBKDF2/SHA-256' } } }),
    'POST /login/forgot/validate': take('validate'),
    'POST /login/forgot': take('forgot'),
    'POST /login/reset': take('reset'),
  });
});

const open = () =>
  renderPage(
    <Switch>
      <Route path="/resetPassword">
        <RecoveryPage />
      </Route>
      <Route path="/login">
        <p>The login page</p>
      </Route>
    </Switch>,
    '/resetPassword',
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const lines = async () => {
  const title = await screen.findByText('There is a problem');
  const box = title.closest('div') ?? title;
  return within(box)
    .getAllByRole('listitem')
    .map((line) => line.textContent);
};
const change = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

async function identify(): Promise<void> {
  open();
  await screen.findByText("Checked: you're not a bot.");
  change('Email', ' Casey@Practice.Example ');
  change('Day', '17');
  change('Month', '5');
  change('Year', '1984');
  await press('Next');
}
async function reset(): Promise<void> {
  await identify();
  await screen.findByRole('dialog', { name: 'User Found' });
  await press('Confirm');
  await screen.findByRole('heading', { name: 'Set a new password' });
}

describe('IDENTIFY (§5 Forgot password)', () => {
  // Shows: 5.recovery.1, 5.recovery.2, 7.browser.2
  test('e-mail, birth date and captcha are required; the birth date points to the e-mail of the clinic', async () => {
    service.answer('GET /captcha/challenge', () => 'unreachable');
    open();
    await screen.findByText("We couldn't check that you're not a bot.");
    change('Day', '17');
    change('Year', '1984');
    await press('Next');
    expect(await lines()).toEqual([
      'Please enter your email address.',
      'Please enter your full date of birth: day, month and year. If you need help, write to booking@clinic.example.',
      'Please verify you are not a bot',
    ]);
    expect(sent.size).toBe(0);
  });

  // Shows: 5.recovery.2
  test('the card number is optional and takes digits only', async () => {
    open();
    const card = screen.getByLabelText(/^Health Card Number/);
    await userEvent.type(card, '98a7-65');
    expect(card).toHaveProperty('value', '98765');
  });

  const failures = [
    [422, null, 'Failed validating your information.'],
    [503, null, 'Server error'],
    [0, null, 'Server error'],
    [422, 'We know nobody like that.', 'We know nobody like that.'],
  ] as const;
  // Shows: 8.recovery.1, text.post-login-forgot-validate
  test.each(failures)('a failure with %s and the words %j says %j', async (status, words, said) => {
    service.answer('POST /login/forgot/validate', () =>
      status === 0
        ? 'unreachable'
        : { status, body: words === null ? {} : refusal('notFound', words) },
    );
    await identify();
    expect(await lines()).toEqual([said]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByLabelText('Year')).toHaveProperty('value', '1984');
  });
});

describe('User Found (§2 Password recovery)', () => {
  // Shows: 2.recovery.1, 4.recovery.1
  test('Cancel goes back to the form, and no mail is sent', async () => {
    await identify();
    await screen.findByRole('dialog', { name: 'User Found' });
    await press('Cancel');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'Casey@Practice.Example');
    expect(sent.has('forgot')).toBe(false);
    expect(sent.get('validate')).toEqual({
      email: 'casey@practice.example',
      birthDay: 17,
      birthMonth: 5,
      birthYear: 1984,
      hin: null,
      recaptcha: expect.any(String) as string,
    });
  });

  // Shows: 2.recovery.1
  test('Confirm sends the mail and leads to the new password', async () => {
    await reset();
    expect(sent.get('forgot')).toEqual({ email: 'casey@practice.example' });
  });

  test('two presses of Confirm in one moment send one code', async () => {
    await identify();
    const confirm = await screen.findByRole('button', { name: 'Confirm' });
    act(() => {
      confirm.click();
      confirm.click();
    });
    await screen.findByRole('heading', { name: 'Set a new password' });
    expect(service.calls.filter((call) => call === 'POST /login/forgot')).toHaveLength(1);
  });

  // Shows: 8.alerts.3, text.post-login-forgot
  test.each([
    [422, 'Error occurred during email transfer.'],
    [500, 'Server error occurred during email transfer.'],
    [0, 'Server error occurred during email transfer.'],
  ] as const)('a mail that fails with %s says %j', async (status, said) => {
    service.answer('POST /login/forgot', () =>
      status === 0 ? 'unreachable' : { status, body: {} },
    );
    await identify();
    await screen.findByRole('dialog', { name: 'User Found' });
    await press('Confirm');
    expect(await screen.findByText(said)).toBeTruthy();
  });
});

describe('RESET (§5 Forgot password)', () => {
  // Shows: 5.recovery.3
  test('the code and a password are required', async () => {
    await reset();
    await press('Set new password');
    expect(await lines()).toEqual([
      'Please enter the code from the email.',
      'Password input cannot be empty',
    ]);
  });

  // Shows: 5.recovery.3
  test('a short password and another confirmation are refused', async () => {
    await reset();
    change('Code', 'AB12CD34');
    change('New Password', 'seven77');
    change('Confirm New Password', 'seven78');
    await press('Set new password');
    expect(await lines()).toEqual([
      'The length of password must be greater than 8',
      'New Password and Confirm New Password do not match.',
    ]);
    expect(sent.has('reset')).toBe(false);
  });

  // Shows: 8.recovery.1, text.post-login-reset
  test.each([
    [422, 'An unknown error has occurred.'],
    [500, 'Unknown error occured.'],
    [0, 'Unknown error occured.'],
  ] as const)('a failure with %s says %j', async (status, said) => {
    service.answer('POST /login/reset', () =>
      status === 0 ? 'unreachable' : { status, body: {} },
    );
    await reset();
    change('Code', 'AB12CD34');
    change('New Password', 'a new sentence');
    change('Confirm New Password', 'a new sentence');
    await press('Set new password');
    expect(await lines()).toEqual([said]);
  });

  test('a password that the service refuses is said at its field, and nothing typed is lost (R-61)', async () => {
    const message = 'This password is too common. Please choose another.';
    service.answer('POST /login/reset', () => ({
      status: 422,
      body: {
        ...refusal('invalidInput', 'Please check the highlighted fields and try again.'),
        errors: [{ field: 'password', message }],
      },
    }));
    await reset();
    change('Code', 'AB12CD34');
    change('New Password', 'sunshine');
    change('Confirm New Password', 'sunshine');
    await press('Set new password');
    expect(await lines()).toEqual([message]);
    const field = screen.getByLabelText('New Password');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(field).toHaveProperty('value', 'sunshine');
    expect(screen.getByLabelText('Code')).toHaveProperty('value', 'AB12CD34');
  });

  // Shows: 2.recovery.2, 4.recovery.1, 9.timers.1
  test('success counts five seconds down and leads to the login', async () => {
    await reset();
    change('Code', ' AB12CD34 ');
    change('New Password', 'a new sentence');
    change('Confirm New Password', 'a new sentence');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    try {
      await press('Set new password');
      expect(await screen.findByText("You'll go to the login page in 5 seconds.")).toBeTruthy();
      expect(sent.get('reset')).toEqual({
        email: 'casey@practice.example',
        code: 'AB12CD34',
        password: 'a new sentence',
      });
      act(() => void vi.advanceTimersByTime(4_000));
      expect(screen.getByText("You'll go to the login page in 1 second.")).toBeTruthy();
      act(() => void vi.advanceTimersByTime(1_000));
      expect(screen.getByText('The login page')).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });
});
