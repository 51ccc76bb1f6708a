import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk, refused } from './testing/desk.tsx';

const TOKEN = 'a'.repeat(43);
const NOT_VALID = 'This invitation is no longer valid.';

/** Fills in an invitation; the answers to setting up the account come one after the other. */
async function openInvitation(answers: (() => ReturnType<typeof refused>)[]) {
  const desk = openDesk(`/invitation#${TOKEN}`, {
    deskSession: () => refused('deskSignedOut'),
    deskReadInvitation: () => ({
      name: 'Robin Lee',
      email: 'robin@clinic.example',
      secret: 'ABCDEFGH',
      uri: 'otpauth://totp/Clinic:robin?secret=ABCDEFGH',
    }),
    deskAcceptInvitation: () => answers.shift()?.() ?? refused('bug'),
  });
  await desk.user.type(await screen.findByLabelText('Choose a password'), 'a long secret');
  await desk.user.type(screen.getByLabelText('Code that the app shows now'), '123456');
  const press = () => desk.user.click(screen.getByRole('button', { name: 'Set up the account' }));
  return { ...desk, press };
}

const noAnswer = () => {
  throw new Error('No answer');
};

test('an account that may be set up without an answer is said to be, with the way to recovery codes', async () => {
  const { user, press } = await openInvitation([
    noAnswer,
    () => refused('invitationNotValid', NOT_VALID),
  ]);
  await press();
  await screen.findByText(/^The clinic did not answer, so the account may be set up/);
  await press();
  await screen.findByText(/may have set up the account.*ask a manager to reset your sign-in/);
  expect(screen.queryByText(NOT_VALID)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByLabelText('Email');
});

test('an invitation that is refused at once is said to be no longer valid', async () => {
  const { press } = await openInvitation([() => refused('invitationNotValid', NOT_VALID)]);
  await press();
  await screen.findByText(NOT_VALID);
  expect(screen.queryByText(/may be set up/)).toBeNull();
});
