import { REWRITINGS, sampleLink } from '@clinic/domain/testing';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk, refused } from '../../testing/desk.tsx';

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

const openAt = (path: string) =>
  openDesk(path, {
    deskSession: () => refused('deskSignedOut'),
    deskReadInvitation: () => ({
      name: 'Robin Lee',
      email: 'robin@clinic.example',
      secret: 'ABCDEFGH',
      uri: 'otpauth://totp/Clinic:robin?secret=ABCDEFGH',
    }),
  });
const MAILED = sampleLink('staff');
const SECRET = new URL(MAILED).hash.slice(1);

test.each(REWRITINGS.filter(({ of }) => of === 'address'))(
  'the form, or what happened, is shown for a link $name',
  async ({ rewrite, gives }) => {
    const { sent } = openAt(new URL(rewrite(MAILED)).href.slice(27));
    if (gives === 'none') {
      expect((await screen.findByRole('alert')).textContent).toContain('ask a manager for a new');
      expect(screen.getByLabelText('The link from the email')).toBeTruthy();
      expect(sent('deskReadInvitation')).toEqual([]);
    } else {
      await screen.findByLabelText('Choose a password');
      expect(sent('deskReadInvitation')).toEqual([{ token: SECRET }]);
      expect(location.pathname + location.hash).toBe(`/desk/invitation#${SECRET}`);
    }
  },
);

test('an invitation that was pasted with its whole mail is opened', async () => {
  const { user, sent } = openAt('/invitation');
  await user.click(await screen.findByLabelText('The link from the email'));
  await user.paste(
    `Dear Robin,\n\nSet your password: <${MAILED.slice(0, -20)}\n${MAILED.slice(-20)}>\n\nThe link`,
  );
  await user.click(screen.getByRole('button', { name: 'Open the link' }));
  await screen.findByLabelText('Choose a password');
  expect(sent('deskReadInvitation')).toEqual([{ token: SECRET }]);
});
