import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeService } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AccountLinkPage } from './account-link-page.tsx';

const FIRST = 'a'.repeat(43);
const SECOND = 'b'.repeat(43);

function open() {
  const read: unknown[] = [];
  const service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'POST /account/link': ({ body }) => {
      read.push((body as { token: string }).token);
      const extras = { kind: 'invitation', email: 'ola@test.example', asksForCard: true };
      return { body: { success: true, extras } };
    },
  });
  renderPage(<AccountLinkPage />, `/confirm/account#${FIRST}`);
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
