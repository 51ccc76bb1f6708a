import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { dropToken, keepToken } from '../api/access-token.ts';
import { fakeService } from '../testing/fake-service.ts';
import { casey } from '../testing/people.ts';
import { renderPage } from '../testing/render.tsx';
import { endSession, useSession } from './session/session.ts';
import { useDraft } from './use-draft.ts';

const robin = { ...casey, id: 'user-robin', firstName: 'Robin' };

beforeEach(() => {
  dropToken();
  fakeService({
    'GET /me': ({ headers }) => ({
      body: headers.get('x-access-token') === 'hers' ? robin : casey,
    }),
    'POST /logout': () => ({ body: { success: true } }),
  });
});

function Form() {
  const session = useSession();
  return (
    <>
      <p>{session.state === 'signedIn' ? session.user.firstName : session.state}</p>
      {session.state !== 'loading' && <Typed />}
    </>
  );
}

function Typed() {
  const [draft, keep] = useDraft('message', '');
  return <input aria-label="Message" value={draft} onChange={(e) => keep(e.target.value)} />;
}

async function signIn(token: string, name: string) {
  act(() => keepToken(token));
  await screen.findByText(name);
}
const type = (value: string) =>
  fireEvent.change(screen.getByLabelText('Message'), { target: { value } });
const typed = () => screen.getByLabelText<HTMLInputElement>('Message').value;

async function typedByCasey() {
  const { queryClient } = renderPage(<Form />);
  await signIn('his', 'Casey');
  type('my knee');
  return (why: 'inactivity' | 'loggedOut') => act(() => endSession(queryClient, { why }));
}

test('what was typed waits for the patient after a session that ended by itself', async () => {
  const end = await typedByCasey();
  end('inactivity');
  expect(typed()).toBe('');
  await signIn('his again', 'Casey');
  expect(typed()).toBe('my knee');
});

test('after a logout nothing that was typed is left', async () => {
  const end = await typedByCasey();
  end('loggedOut');
  await signIn('his again', 'Casey');
  expect(typed()).toBe('');
});

test('somebody else who signs in ends the drafts of the patient before, and never sees them', async () => {
  const end = await typedByCasey();
  end('inactivity');
  await signIn('hers', 'Robin');
  expect(typed()).toBe('');
  await signIn('his again', 'Casey');
  expect(typed()).toBe('');
});

test('what a visitor typed does not outlive the next session', async () => {
  const { queryClient } = renderPage(<Form />);
  type('not yet a patient');
  await signIn('his', 'Casey');
  act(() => endSession(queryClient, { why: 'inactivity' }));
  expect(typed()).toBe('');
});
