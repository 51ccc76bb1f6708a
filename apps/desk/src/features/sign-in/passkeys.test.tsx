import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW, managerSession, openDesk, refused } from '../../testing/desk.tsx';

const ID = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const CHALLENGE = 'AAECAwQFBgcICQ';
const asked = {
  challenge: CHALLENGE,
  rpId: 'localhost',
  timeout: 300_000,
  userVerification: 'required' as const,
};
const toMake = {
  challenge: CHALLENGE,
  rp: { id: 'localhost', name: 'Test Clinic' },
  user: { id: 'AQID', name: 'morgan@clinic.example', displayName: 'Morgan Hale' },
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
};

/** What the browser gives, or why it gives nothing: a name of a DOMException. */
let gives: string | null;
/** A browser of today, whose device signs with the bytes 1, 2, 3. */
beforeEach(() => {
  gives = null;
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  const response = {
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    attestationObject: bytes,
  };
  const credential = {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    response,
    getClientExtensionResults: () => ({}),
  };
  const give = () =>
    gives === null
      ? Promise.resolve(credential)
      : Promise.reject(new DOMException('no words for people', gives));
  Object.defineProperty(globalThis, 'PublicKeyCredential', { value: () => {}, configurable: true });
  Object.defineProperty(navigator, 'credentials', {
    value: { get: give, create: give },
    configurable: true,
  });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  Reflect.deleteProperty(navigator, 'credentials');
});

const shown = {
  id: 'AQID',
  clientDataJSON: 'AQID',
  authenticatorData: 'AQID',
  signature: 'AQID',
};
const button = (name = 'Use a passkey') => screen.findByRole('button', { name });

async function openSignIn() {
  const desk = openDesk('/your-sign-in', {
    deskSession: () => refused('deskSignedOut'),
    deskAskPasskey: () => asked,
    deskPasskeys: () => ({ passkeys: [] }),
    deskSignIn: () => managerSession,
  });
  await screen.findByLabelText('Email');
  return desk;
}

// Shows: S-18
test('A passkey takes the place of the code beside email and password', async () => {
  const { user, sent } = await openSignIn();
  await user.type(screen.getByLabelText('Email'), 'morgan@clinic.example');
  await user.click(await button());
  // Without the password nothing is asked for.
  expect(sent('deskAskPasskey')).toEqual([]);
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(await button());
  await screen.findByRole('heading', { name: 'Your sign-in' });
  expect(sent('deskAskPasskey')).toEqual([{ email: 'morgan@clinic.example' }]);
  expect(sent('deskSignIn')).toEqual([
    { email: 'morgan@clinic.example', password: 'secret', passkey: shown },
  ]);
});

test.each([
  ['NotAllowedError', /the window for it was closed/],
  ['SecurityError', /could not do it. Your code works as before/],
])('What comes of %s is said plainly, and the form stays', async (name, words) => {
  const { user, sent } = await openSignIn();
  await user.type(screen.getByLabelText('Email'), 'morgan@clinic.example');
  await user.type(screen.getByLabelText('Password'), 'secret');
  gives = name;
  await user.click(await button());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(words);
  expect(document.activeElement).toBe(alert);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('morgan@clinic.example');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret');
  expect(sent('deskSignIn')).toEqual([]);
});

test('A browser without passkeys offers none', async () => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  await openSignIn();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

// Shows: S-18
test('A passkey opens a locked screen', async () => {
  const desk = openDesk('/your-sign-in', {
    deskPasskeys: () => ({ passkeys: [] }),
    deskAskOwnPasskey: () => asked,
  });
  await desk.lock();
  await desk.user.click(await button());
  await screen.findByRole('heading', { name: 'Your sign-in' });
  expect(desk.sent('deskUnlock')).toEqual([{ passkey: shown }]);
});

// Shows: S-18
test('Your passkeys are listed, added after a recent factor, and removed', async () => {
  let isRecent = false;
  let isCutOff = false;
  const old = { id: ID, name: 'Old phone', createdAt: NOW - 86_400, lastUsedAt: null };
  let passkeys = [old];
  const { user, sent } = openDesk('/day/2026-11-23', {
    deskPasskeys: () => ({ passkeys }),
    deskAskOwnPasskey: () => asked,
    deskUnlock: () => {
      isRecent = true;
      return managerSession;
    },
    deskAskNewPasskey: () => (isRecent ? toMake : refused('factorNeeded')),
    deskAddPasskey: ({ body }) => {
      if (isCutOff) throw new TypeError('No answer');
      const { name } = body as { name: string };
      passkeys = [...passkeys, { ...old, id: ID.replace('0b', `0${passkeys.length}`), name }];
    },
    deskRemovePasskey: ({ params }) => {
      passkeys = passkeys.filter(({ id }) => id !== params['id']);
    },
  });
  await user.click(await screen.findByRole('link', { name: 'Morgan Hale, your sign-in' }));
  await screen.findByRole('rowheader', { name: 'Old phone' });
  await user.type(screen.getByLabelText('Name'), 'Robin’s phone');

  await user.click(await button('Add a passkey'));
  const question = await screen.findByRole('dialog', { name: 'Please confirm that it is you' });
  await user.click(within(question).getByRole('button', { name: 'Use a passkey' }));
  await screen.findByText('Robin’s phone is added. You get an email about it.');
  expect(sent('deskAddPasskey')).toEqual([
    { name: 'Robin’s phone', id: 'AQID', clientDataJSON: 'AQID', attestationObject: 'AQID' },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  await screen.findByRole('rowheader', { name: 'Robin’s phone' });

  await user.type(screen.getByLabelText('Name'), 'Laptop');
  isCutOff = true;
  await user.click(await button('Add a passkey'));
  await screen.findByText(/not known whether Laptop is added/);
  // An older success does not stay beside it.
  expect(screen.queryByText(/^Robin’s phone is added/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Laptop');
  isCutOff = false;

  // The device is not asked twice: what it made is sent again.
  await user.click(await button('Add a passkey'));
  await screen.findByText('Laptop is added. You get an email about it.');
  expect(sent('deskAskNewPasskey')).toHaveLength(3);
  const [, first, again] = sent('deskAddPasskey');
  expect(again).toEqual(first);
  await screen.findByRole('rowheader', { name: 'Laptop' });

  await user.clear(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'Tablet');
  gives = 'InvalidStateError';
  await user.click(await button('Add a passkey'));
  await screen.findByText(/has a passkey of yours already/);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Tablet');

  await user.click(await button('Remove Old phone'));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await screen.findByText('Old phone is removed. You get an email about it.');
  expect(screen.queryByRole('rowheader', { name: 'Old phone' })).toBeNull();
});
