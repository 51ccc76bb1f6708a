import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, deskConnection, openDesk, refused } from '../testing/desk.tsx';
import { setUp } from '../testing/records.ts';

const HERE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const OFFICE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c02';
const HOME = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c03';
const session = (id: string, device: string, over: object = {}) => ({
  id,
  device,
  signedInAt: NOW - 3_600,
  lastActiveAt: NOW - 60,
  isLocked: false,
  isCurrent: false,
  ...over,
});

// Shows: S-18
test('Your own sessions are listed, and signed out one by one, or all but this one', async () => {
  let sessions = [
    session(HERE, 'Chrome, Windows', { isCurrent: true }),
    session(OFFICE, 'Edge, Windows', { isLocked: true }),
    session(HOME, ''),
  ];
  const { user, sent } = openDesk('/your-sign-in', {
    deskPasskeys: () => ({ passkeys: [] }),
    deskOwnSessions: () => ({ sessions }),
    deskEndOwnSessions: ({ body }) => {
      const { id } = body as { id?: string };
      sessions = sessions.filter((each) => each.isCurrent || (id !== undefined && each.id !== id));
    },
  });
  const list = await screen.findByText('Edge, Windows');
  const items = within(list.closest('ul') as HTMLElement).getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Chrome, Windows \(here\)Signed in .*09:00, last active .*09:59$/),
    expect.stringMatching(/^Edge, Windows \(locked\)Signed in .*Sign out there$/),
    expect.stringMatching(/^Unknown browserSigned in .*Sign out there$/),
  ]);
  await user.click(screen.getByRole('button', { name: /^Sign out there: Edge, Windows/ }));
  await screen.findByText('Edge, Windows is signed out.');
  expect(screen.queryByText('Edge, Windows')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
  await screen.findByText('You are signed out everywhere but here.');
  expect(screen.queryByRole('button', { name: /^Sign out (there|everywhere)/ })).toBeNull();
  expect(sent('deskEndOwnSessions')).toEqual([{ id: OFFICE }, {}]);
});

test('A colleague who is signed in nowhere is said to be', async () => {
  const { user } = openDesk('/setup', { ...setUp, deskStaffSessions: () => ({ sessions: [] }) });
  await user.click(await screen.findByRole('button', { name: 'Sessions of Robin Lee' }));
  await screen.findByRole('dialog', { name: 'Where Robin Lee is signed in' });
  expect(await screen.findByText('Robin Lee is signed in nowhere.')).toBeTruthy();
});

// Shows: S-18
test('A wrong current password is said at its form, and nothing typed is lost', async () => {
  const { user } = openDesk('/your-sign-in', {
    ...setUp,
    deskChangePassword: () =>
      refused('invalidInput', 'Please check', [
        { field: 'currentPassword', message: 'This is not your current password.' },
      ]),
  });
  await user.type(await screen.findByLabelText('Your current password'), 'Fern');
  await user.type(screen.getByLabelText('Your new password'), 'Walnut-7-Rain');
  await user.click(screen.getByRole('button', { name: 'Change your password' }));
  expect((await screen.findByRole('alert')).textContent).toBe('This is not your current password.');
  expect(screen.getByLabelText<HTMLInputElement>('Your new password').value).toBe('Walnut-7-Rain');
});

// Shows: S-18
test('A session that was ended elsewhere shows the sign-in as soon as its socket is closed', async () => {
  let isEnded = false;
  openDesk('/your-sign-in', {
    ...setUp,
    deskSession: () =>
      isEnded
        ? refused('deskSignedOut')
        : {
            name: 'Morgan Hale',
            roles: ['manager'],
            isLocked: false,
            locksAt: NOW + 900,
            endsAt: NOW + 43_200,
          },
  });
  await screen.findByRole('heading', { name: 'Where you are signed in' });
  isEnded = true;
  deskConnection('refused');
  expect(await screen.findByLabelText('Code of your app')).toBeTruthy();
});
