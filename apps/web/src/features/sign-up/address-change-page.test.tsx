import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { clinicConfig } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AddressChangePage } from './address-change-page.tsx';

const SECRET = 'a'.repeat(43);

function open(path: string, answer: { status?: number; body: unknown }) {
  const sent: unknown[] = [];
  const service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'POST /account/address': ({ body }) => {
      sent.push(body);
      return answer;
    },
  });
  renderPage(<AddressChangePage />, path);
  return { service, sent };
}

// Shows: S-18
test.each([
  ['No, stop it', 'stop', /^Stopped\./],
  ['Yes, I asked for it', 'confirm', /^Thank you\./],
])('nothing is asked before a press, and %s is said to be done', async (button, answer, says) => {
  const { sent } = open(`/confirm/change#${SECRET}`, { body: { success: true } });
  const press = await screen.findByRole('button', { name: button });
  expect(sent).toEqual([]);
  await userEvent.click(press);
  expect((await screen.findByRole('status')).textContent).toMatch(says);
  expect(sent).toEqual([{ token: SECRET, answer }]);
});

test('a link that is over says so', async () => {
  const body = refusal('addressAnswered', 'No longer valid.');
  open(`/confirm/change#${SECRET}`, { status: 409, body });
  await userEvent.click(await screen.findByRole('button', { name: 'No, stop it' }));
  expect((await screen.findByRole('alert')).textContent).toContain('No longer valid.');
});

test('a link that was cut can be pasted', async () => {
  open('/confirm/change', { body: { success: true } });
  expect(await screen.findByLabelText('The link from the email')).toBeTruthy();
});
