import type { QueryClient } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { dropToken, keepToken } from '../../api/access-token.ts';
import { fetchFile } from '../../api/download.ts';
import { speak } from '../../messages/t.ts';
import { type FakeService, fakeService, tokenNotValid } from '../../testing/fake-service.ts';
import { casey } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AlertStack, announce } from '../shell/alerts.tsx';
import {
  beginSession,
  endSession,
  onSessionEnd,
  signOutEverywhere,
  takeUser,
  useSession,
  useSessionKeeper,
  type SessionEnd,
} from './session.ts';

const robin = { ...casey, id: 'user-robin', firstName: 'Robin' };

let service: FakeService;
beforeEach(() => {
  dropToken();
  service = fakeService({
    'GET /me': ({ headers }) => ({
      body: headers.get('x-access-token') === 'hers' ? robin : casey,
    }),
    'GET /me/export': () => tokenNotValid,
    'GET /message/file/file-1': () => ({ body: 'knee' }),
    'POST /logout': () => ({ body: { success: true } }),
  });
});

function Name() {
  useSessionKeeper();
  const session = useSession();
  return <p>{session.state === 'signedIn' ? session.user.firstName : session.state}</p>;
}

/** What another tab did to the storage that both share. */
const inAnotherTab = (token: string | null, end?: SessionEnd) =>
  act(() => {
    if (end) localStorage.setItem('clinic.end', JSON.stringify(end));
    if (token === null) localStorage.removeItem('clinic.token');
    else localStorage.setItem('clinic.token', token);
    window.dispatchEvent(new StorageEvent('storage', { key: 'clinic.token' }));
  });

const everythingKept = (queryClient: QueryClient) =>
  JSON.stringify([
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => [queryKey, state.data]),
    queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
  ]);

async function signedIn() {
  keepToken('his');
  const { queryClient } = renderPage(<Name />);
  await screen.findByText('Casey');
  return queryClient;
}

test('another patient who signs in in another tab meets nothing of the one before', async () => {
  const queryClient = await signedIn();
  queryClient.setQueryData(['appointments', 'recent'], 'knee of Casey');
  // The event of the sign-out comes when the next token is there already.
  inAnotherTab('hers');
  expect(await screen.findByText('Robin')).toBeTruthy();
  expect(everythingKept(queryClient)).not.toContain('Casey');
});

test('what a patient was told goes with the logout', async () => {
  keepToken('his');
  const { queryClient } = renderPage(
    <>
      <AlertStack />
      <Name />
    </>,
  );
  await screen.findByText('Casey');
  act(() => announce('success', 'Your appointment was cancelled.'));
  expect(screen.getByText('Your appointment was cancelled.')).toBeTruthy();
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  expect(screen.queryByText('Your appointment was cancelled.')).toBeNull();
});

test('a sign-out in another tab ends here what is kept outside the cache', async () => {
  await signedIn();
  const heard: string[] = [];
  const stop = onSessionEnd(({ why }) => heard.push(why));
  inAnotherTab(null);
  expect(screen.getByText('signedOut')).toBeTruthy();
  expect(heard).toEqual(['loggedOut']);
  stop();
});

// Shows: R-71
test.each([
  { why: 'inactivity' },
  { why: 'maintenance' },
  { why: 'ended', message: 'Your password was changed. Please log in again.' },
] as const)('a session that ended in another tab is told here by its reason: %j', async (end) => {
  await signedIn();
  const heard: SessionEnd[] = [];
  const stop = onSessionEnd((one) => heard.push(one));
  inAnotherTab(null, end);
  expect(heard).toEqual([{ ...end, leaveFor: null }]);
  stop();
});

test('a refusal that comes when another tab has signed out is not the reason', async () => {
  await signedIn();
  const heard: string[] = [];
  const stop = onSessionEnd(({ why }) => heard.push(why));
  // Both stand before the browser tells this tab of them.
  localStorage.setItem('clinic.end', JSON.stringify({ why: 'inactivity' }));
  localStorage.removeItem('clinic.token');
  await act(() => fetchFile('exportData', {}));
  expect(heard).toEqual(['inactivity']);
  stop();
});

test.each([
  ['is answered', { body: { success: true } }, 'Logged out everywhere.'],
  ['fails', { status: 500, body: null }, 'Please log in again.'],
])(
  'a refusal that comes before the logout everywhere %s is the reason only then',
  async (_outcome, answer, message) => {
    const queryClient = await signedIn();
    const heard: SessionEnd[] = [];
    const stop = onSessionEnd((one) => heard.push(one));
    const answered = Promise.withResolvers<typeof answer>();
    service.answer('DELETE /me/sessions', () => answered.promise);
    const leaving = signOutEverywhere(queryClient, 'Logged out everywhere.').catch(() => {});
    await expect(fetchFile('exportData', {})).rejects.toThrow('Please log in again.');
    expect(heard).toEqual([]);
    answered.resolve(answer);
    await act(() => leaving);
    expect(heard).toEqual([{ why: 'ended', message, leaveFor: null }]);
    stop();
  },
);

test('a reason of an earlier session is not told of a later one', async () => {
  const queryClient = await signedIn();
  act(() => endSession(queryClient, { why: 'inactivity' }));
  await act(() => beginSession(queryClient, 'his'));
  const heard: string[] = [];
  const stop = onSessionEnd(({ why }) => heard.push(why));
  inAnotherTab(null);
  expect(heard).toEqual(['loggedOut']);
  stop();
});

test('neither what was sent nor an answer that comes too late outlives the session', async () => {
  const queryClient = await signedIn();
  const sending = queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => Promise.resolve(casey) });
  await sending.execute({ password: 'the words of Casey' });
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  takeUser(queryClient, casey);
  expect(everythingKept(queryClient)).not.toContain('Casey');
  expect(everythingKept(queryClient)).not.toContain(casey.lastName);
});

test('a download that finds the session over ends it here', async () => {
  await signedIn();
  await act(() => expect(fetchFile('exportData', {})).resolves.toBeNull());
  expect(screen.getByText('signedOut')).toBeTruthy();
});

// Shows: R-99
test('a file is asked for in the language of the page, which its refusal speaks', async () => {
  await signedIn();
  const asked: (string | null)[] = [];
  service.answer('GET /message/file/file-1', ({ headers }) => {
    asked.push(headers.get('accept-language'));
    return { body: 'knee' };
  });
  await speak('fr');
  await act(() => fetchFile('readAttachment', { params: { id: 'file-1' } }));
  await speak('en');
  expect(asked).toEqual(['fr']);
});

test('a file that comes after the sign-out is not handed over', async () => {
  const queryClient = await signedIn();
  const ask = () => fetchFile('readAttachment', { params: { id: 'file-1' } });
  expect(await ask()).not.toBeNull();
  const coming = ask();
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  expect(await coming).toBeNull();
});
