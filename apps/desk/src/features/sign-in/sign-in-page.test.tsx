import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW, managerSession, openDesk, refused } from '../../testing/desk.tsx';

const { Worker: none } = globalThis;
beforeEach(() => {
  Object.assign(globalThis, { Worker: QuickWorker });
});
afterEach(() => {
  Object.assign(globalThis, { Worker: none });
});

/** A front desk where the person is not known at this computer. */
function openUnknown(challenge: () => unknown) {
  const desk = openDesk('/your-sign-in', {
    deskSession: () => refused('deskSignedOut'),
    deskPasskeys: () => ({ passkeys: [] }),
    deskSignIn: ({ body }) =>
      'recaptcha' in (body as object) ? managerSession : refused('captchaNeeded'),
  });
  const ofDesk = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const url = new Request(new URL(request[0] as string, location.href)).url;
    if (url.endsWith('/services/config'))
      return Response.json({
        success: true,
        extras: { captcha: { kind: 'altcha', siteKey: null } },
      });
    return url.endsWith('/captcha/challenge') ? Response.json(challenge()) : ofDesk(...request);
  };
  return desk;
}
async function signIn({ user }: ReturnType<typeof openDesk>) {
  await user.type(await screen.findByLabelText('Email'), 'morgan@clinic.example');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.type(screen.getByLabelText(/^Code of/), '123456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

// Shows: S-6, S-18
test('Where the service asks for a proof, the page makes it and sends the same again with it', async () => {
  const desk = openUnknown(() => ({
    parameters: { algorithm: 'PBKDF2/SHA-256', expiresAt: NOW + 600 },
    signature: '00',
  }));
  await signIn(desk);
  await screen.findByRole('heading', { name: 'Your sign-in' });
  const typed = { email: 'morgan@clinic.example', password: 'secret', code: '123456' };
  expect(desk.sent('deskSignIn')).toEqual([
    typed,
    { ...typed, recaptcha: expect.any(String) as unknown },
  ]);
});

test('A proof that cannot be made is tried again in the form', async () => {
  let challenges = 0;
  const desk = openUnknown(() => {
    challenges += 1;
    return challenges === 1
      ? {}
      : { parameters: { algorithm: 'PBKDF2/SHA-256', expiresAt: NOW + 600 }, signature: '00' };
  });
  await signIn(desk);
  expect((await screen.findByRole('alert')).textContent).toBe(
    "We couldn't check that you're not a bot.",
  );
  await desk.user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Your sign-in' });
});
