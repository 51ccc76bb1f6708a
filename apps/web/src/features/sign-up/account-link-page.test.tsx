import { REWRITINGS, sampleLink } from '@clinic/domain/testing';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AccountLinkPage } from './account-link-page.tsx';

const FIRST = 'a'.repeat(43);
const SECOND = 'b'.repeat(43);

const INVITED: { status?: number; body: unknown } = {
  body: {
    success: true,
    extras: { kind: 'invitation', email: 'ola@test.example', asksForCard: true },
  },
};

function open(path = `/confirm/account#${FIRST}`, answer = INVITED) {
  const read: unknown[] = [];
  const service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'POST /account/link': ({ body }) => {
      read.push((body as { token: string }).token);
      return answer;
    },
  });
  renderPage(<AccountLinkPage />, path);
  return { service, read };
}

const goToHash = (hash: string) =>
  act(
    () =>
      new Promise((resolve) => {
        window.addEventListener('hashchange', resolve, { once: true });
        window.location.hash = hash;
      }),
  );

// Shows: R-97
test('a form without birth date and card is not sent, so that it uses up no try', async () => {
  const { service } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Open my account' }));
  expect(screen.getByRole('alert').textContent).toContain('Date of Birth is required');
  expect(screen.getByRole('alert').textContent).toContain('Health Card Number is required');
  expect(service.calls).not.toContain('POST /account/link/accept');
});

test('a second link that is opened in the same tab is asked about, and what is typed for the first is not kept', async () => {
  const { read } = open();
  await userEvent.type(await screen.findByLabelText('Choose a password'), 'a sentence of words');
  await goToHash(SECOND);
  await waitFor(() => expect(read).toEqual([FIRST, SECOND]));
  const password = await screen.findByLabelText<HTMLInputElement>('Choose a password');
  expect(password.value).toBe('');
  // A link within the page changes the hash, too.
  await goToHash('content');
  expect(screen.getByLabelText('Choose a password')).toBeTruthy();
  expect(read).toHaveLength(2);
});

const rewritten = REWRITINGS.filter(({ of }) => of === 'address');
test.each(rewritten)(
  'the form, or what happened, is shown for a link $name',
  async ({ rewrite, gives }) => {
    const { read, service } = open(new URL(rewrite(sampleLink('account'))).href.slice(22));
    if (gives === 'none') {
      expect((await screen.findByRole('alert')).textContent).toContain('not the whole link');
      expect(screen.getByLabelText('The link from the email')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Send the link again' })).toBeTruthy();
      expect(service.calls).not.toContain('POST /account/link');
    } else {
      expect(await screen.findByLabelText('Choose a password')).toBeTruthy();
      expect(read).toEqual([new URL(sampleLink('account')).hash.slice(1)]);
      expect(
        window.location.href.endsWith('/confirm/account' + new URL(sampleLink('account')).hash),
      ).toBe(true);
    }
  },
);

test('a link that is over says so, and another can be pasted or asked for, but not the same', async () => {
  const { read } = open(undefined, {
    status: 409,
    body: refusal('accountLinkOver', 'No longer valid.'),
  });
  await screen.findByText('No longer valid.');
  const field = screen.getByLabelText('The link from the email');
  await userEvent.click(field);
  await userEvent.paste(`https://clinic.example/confirm/account#${FIRST}`);
  await userEvent.click(screen.getByRole('button', { name: 'Open the link' }));
  expect(
    await screen.findByRole('link', { name: 'This is the link that is open here already.' }),
  ).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.paste(`https://clinic.example/confirm/account#${SECOND}`);
  await userEvent.click(screen.getByRole('button', { name: 'Open the link' }));
  await waitFor(() => expect(read).toEqual([FIRST, SECOND]));
});
