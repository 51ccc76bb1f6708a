import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { CallAnswer, ApiMessageEntry, ApiMessageThread } from '@clinic/contract';
import { NOW } from '@clinic/domain/testing';
import { keepToken } from '../../api/access-token.ts';
import { endSession } from '../../shared/session/session.ts';
import { AlertStack, clearAlerts } from '../../shared/shell/alerts.tsx';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { fakeUploads } from '../../testing/fake-uploads.ts';
import { goBack, renderPage } from '../../testing/render.tsx';
import { refreshMessages, sayReplies } from './messages-data.ts';
import { MessagesSection } from './messages-section.tsx';

const entry = (over: Partial<ApiMessageEntry> = {}): ApiMessageEntry => ({
  id: 'entry-1',
  from: 'patient',
  at: NOW,
  message: 'My knee hurts.',
  editedAt: null,
  isEditable: true,
  files: [],
  ...over,
});
const thread = (over: Partial<ApiMessageThread> = {}): ApiMessageThread => ({
  id: 'message-1',
  state: 'sent',
  message: 'My knee hurts.',
  startedAt: NOW,
  changedAt: NOW,
  unread: false,
  fileCount: 0,
  entries: [entry()],
  ...over,
});
const listOf = (...threads: readonly ApiMessageThread[]): CallAnswer<'listMessages'> => ({
  success: true,
  messages: [...threads],
  total: threads.length,
  unread: threads.filter(({ unread }) => unread).length,
});
const threadAnswer = (message: ApiMessageThread) => ({
  body: { success: true, extras: { message } },
});

function open(...threads: readonly ApiMessageThread[]) {
  const service = fakeService({ 'GET /message/': () => ({ body: listOf(...threads) }) });
  for (const one of threads) service.answer(`GET /message/${one.id}`, () => threadAnswer(one));
  const { queryClient } = renderPage(
    <>
      <AlertStack />
      <MessagesSection />
    </>,
  );
  return { ...service, queryClient };
}

test('without a message it says so, and the patient can write one', async () => {
  open();
  expect(await screen.findByText('No messages yet.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'New message' }));
});

// Shows: 3.message.2
test('an empty message, and files that were opened and not chosen, are asked for (R-86)', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.click(screen.getByRole('button', { name: 'Attach files' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(screen.getByText('Please write your message.')).toBeTruthy();
  expect(screen.getByText('Pleae choose your file to upload')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Your message'));
});

test('a list that cannot be loaded can be tried again', async () => {
  const service = fakeService({
    'GET /message/': () => ({ status: 503, body: refusal('serviceBusy') }),
  });
  renderPage(<MessagesSection />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  service.answer('GET /message/', () => ({ body: listOf(thread()) }));
  await userEvent.click(retry);
  expect(await screen.findByText('My knee hurts.')).toBeTruthy();
});

test('a thread shows who wrote what, and Back returns to the list', async () => {
  const answered = thread({
    state: 'replied',
    unread: true,
    entries: [
      entry({ isEditable: false, editedAt: NOW }),
      entry({ id: 'entry-2', from: 'clinic', message: 'Please come in.', isEditable: false }),
    ],
  });
  open(answered);
  const row = await screen.findByRole('button', { name: /My knee hurts\./ });
  expect(within(row).getByText('New reply')).toBeTruthy();
  await userEvent.click(row);
  const [mine, theirs] = await screen.findAllByRole('listitem');
  expect(mine?.textContent).toMatch(/^You .*Changed .*My knee hurts\.$/);
  expect(theirs?.textContent).toMatch(/^The clinic .*Please come in\.$/);
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /My knee hurts\./ }));
});

test('the unread mark is taken by opening, and of what comes later by the next sign of the patient', async () => {
  let isUnread = true;
  const { queryClient, ...service } = open(thread());
  service.answer('GET /message/message-1', ({ headers }) => {
    const isBackground = headers.get('x-background') === '1';
    if (!isBackground) isUnread = false;
    return threadAnswer(thread({ unread: isUnread }));
  });
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await waitFor(() => expect(isUnread).toBe(false));
  const asked = () => service.calls.filter((call) => call === 'GET /message/message-1').length;
  const before = asked();
  isUnread = true;
  act(() => refreshMessages(queryClient));
  await waitFor(() => expect(asked()).toBe(before + 1));
  await act(async () => Promise.resolve());
  expect(isUnread).toBe(true);
  await userEvent.tab();
  await waitFor(() => expect(isUnread).toBe(false));
});

test('Back of the browser too returns to what was opened: a message, or the button for a new one', async () => {
  open(thread());
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await screen.findByRole('button', { name: 'Edit' });
  await goBack();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  await goBack();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Write to the clinic' }));
});

test('a message that comes back to the list by itself leaves the focus where it is', async () => {
  const { queryClient, ...service } = open(thread());
  const other = thread({ id: 'message-2', message: 'My back hurts.' });
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Back to messages' }));
  service.answer('GET /message/', () => ({ body: listOf(other) }));
  act(() => refreshMessages(queryClient));
  const stays = await screen.findByRole('button', { name: /My back hurts\./ });
  await userEvent.tab();
  act(() => stays.focus());
  service.answer('GET /message/', () => ({ body: listOf(other, thread()) }));
  act(() => refreshMessages(queryClient));
  await screen.findByRole('button', { name: /My knee hurts\./ });
  expect(document.activeElement).toBe(stays);
});

test('older messages that are on their way are waited for with the button that was pressed', async () => {
  const first = Array.from({ length: 20 }, (_, at) => thread({ id: `message-${at}` }));
  let arrive = () => {};
  fakeService({
    'GET /message/': async ({ search }) => {
      if (search.includes('skip=20')) await new Promise<void>((resolve) => (arrive = resolve));
      return { body: { ...listOf(...first), total: 41 } };
    },
  });
  renderPage(<MessagesSection />);
  const older = await screen.findByRole('button', { name: 'Older messages' });
  await userEvent.click(older);
  expect(older.getAttribute('aria-disabled')).toBe('true');
  await act(async () => arrive());
  expect(await screen.findByText('21 to 40 of 41')).toBeTruthy();
  expect(older.hasAttribute('aria-disabled')).toBe(false);
  expect(document.activeElement).toBe(older);
});

test('an own text is changed while nobody has answered it', async () => {
  const service = open(thread());
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const field = screen.getByLabelText('Your message');
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Please write your message.')).toBeTruthy();
  await userEvent.type(field, 'My left knee hurts.');
  const changed = thread({ entries: [entry({ message: 'My left knee hurts.', editedAt: NOW })] });
  service.answer('PUT /message/message-1', () => threadAnswer(changed));
  service.answer('GET /message/message-1', () => threadAnswer(changed));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('My left knee hurts.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('an answer that was on its way does not take back what was changed meanwhile', async () => {
  const service = open(thread());
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const changed = thread({ entries: [entry({ message: 'My left knee hurts.', editedAt: NOW })] });
  const slow = Promise.withResolvers<void>();
  let asked = 0;
  service.answer('GET /message/message-1', async () => {
    asked += 1;
    if (asked > 1) return threadAnswer(changed);
    await slow.promise;
    return threadAnswer(thread());
  });
  act(() => refreshMessages(service.queryClient));
  service.answer('PUT /message/message-1', () => threadAnswer(changed));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('My left knee hurts.');
  await act(async () => slow.resolve());
  await waitFor(() => expect(service.queryClient.isFetching()).toBe(0));
  expect(screen.getByText('My left knee hurts.')).toBeTruthy();
});

test('a text that was answered meanwhile stays in the field, with the reason', async () => {
  const service = open(thread());
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  service.answer('PUT /message/message-1', () => ({
    status: 409,
    body: refusal('messageAnswered', 'The clinic has answered this already.'),
  }));
  await userEvent.type(screen.getByLabelText('Your message'), ' Both.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The clinic has answered this already.',
  );
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(
    'My knee hurts. Both.',
  );
});

const REPLIED = 'The clinic has replied to your message.';

test('an own text that another device sends is shown, and is not said to be the clinic’s reply', async () => {
  const { queryClient, ...service } = open(thread());
  const stop = sayReplies(queryClient);
  await screen.findByText('My knee hurts.');
  const other = thread({ id: 'message-2', message: 'My back too.', changedAt: NOW + 60 });
  service.answer('GET /message/', () => ({ body: listOf(other, thread()) }));
  act(() => refreshMessages(queryClient));
  expect(await screen.findByText('My back too.')).toBeTruthy();
  expect(screen.queryByText(REPLIED)).toBeNull();
  stop();
});

test('each reply of the clinic is said, also a second one that nobody has read', async () => {
  const { queryClient, ...service } = open(thread());
  const stop = sayReplies(queryClient);
  await screen.findByText('My knee hurts.');
  for (const at of [60, 120]) {
    const replied = thread({ unread: true, state: 'replied', changedAt: NOW + at });
    service.answer('GET /message/', () => ({ body: listOf(replied) }));
    act(() => refreshMessages(queryClient));
    expect(await screen.findByText(REPLIED)).toBeTruthy();
    act(clearAlerts);
  }
  stop();
});

test('more than twenty are shown by pages', async () => {
  const many = Array.from({ length: 20 }, (_, at) =>
    thread({ id: `message-${at}`, message: `Message ${at}` }),
  );
  const asked: string[] = [];
  fakeService({
    'GET /message/': ({ search }) => {
      asked.push(search);
      return { body: { ...listOf(...many), total: 41 } };
    },
  });
  renderPage(<MessagesSection />);
  expect(await screen.findByText('1 to 20 of 41')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Older messages' }));
  expect(await screen.findByText('21 to 40 of 41')).toBeTruthy();
  expect(asked.at(-1)).toBe('?limit=20&skip=20');
});

test('a text that was not sent is there again after a look at the list', async () => {
  open(thread());
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  expect(await screen.findByLabelText('Your reply')).toHaveProperty('value', '');
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  expect(screen.getByLabelText('Your message')).toHaveProperty('value', 'My ear hurts.');
});

test('two presses in one moment send one message', async () => {
  const uploads = fakeUploads();
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  const button = screen.getByRole('button', { name: 'Send' });
  act(() => {
    button.click();
    button.click();
  });
  await screen.findByText('Sending…');
  expect(uploads).toHaveLength(1);
});

test('a message that was sent while the patient looks elsewhere does not call them back', async () => {
  const uploads = fakeUploads();
  open(thread());
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  const sent = thread({ id: 'message-2', message: 'My ear hurts.' });
  await act(async () => uploads[0]?.answer(200, threadAnswer(sent).body));
  expect(await screen.findByText('Your message was sent.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Write to the clinic' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  expect(screen.getByLabelText('Your message')).toHaveProperty('value', '');
});

test('a message that failed while the patient looks elsewhere says so, and keeps what is typed since', async () => {
  const uploads = fakeUploads();
  open(thread());
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  await act(async () => uploads[0]?.answer(500, {}));
  await waitFor(() =>
    expect(screen.getByRole('log').textContent).toContain("We couldn't confirm that your message"),
  );
  act(() => clearAlerts());
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await userEvent.type(screen.getByLabelText('Your message'), ' And my knee.');
  await act(async () =>
    uploads[1]?.answer(
      200,
      threadAnswer(thread({ id: 'message-2', message: 'My ear hurts.' })).body,
    ),
  );
  await screen.findByText('Your message was sent.');
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  await userEvent.click(screen.getByRole('button', { name: 'Write to the clinic' }));
  const typed = screen.getByLabelText('Your message');
  expect(typed).toHaveProperty('value', 'My ear hurts. And my knee.');
  act(() => clearAlerts());
});

test.each([
  ['loggedOut', ''],
  ['maintenance', 'Your message was sent.'],
] as const)('a message that was sent after the session’s end (%s) says "%s"', async (why, said) => {
  const uploads = fakeUploads();
  keepToken('token');
  const clinic = open(thread());
  clinic.answer('POST /logout', () => ({ body: { success: true } }));
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  act(() => endSession(clinic.queryClient, { why }));
  await act(async () => uploads[0]?.answer(200, threadAnswer(thread({ id: 'message-2' })).body));
  await screen.findByRole('button', { name: 'Send' });
  expect(screen.getByRole('log').textContent).toBe(said);
  act(() => clearAlerts());
});

// Shows: R-80
test('a file that may not be had yet says until when to wait', async () => {
  const file = { id: 'file-1', name: 'knee.pdf', mediaType: 'application/pdf', size: 4 };
  const service = open(thread({ entries: [entry({ files: [file] })] }));
  const wait = 'There were too many attempts. Please wait 2 minutes, then try again.';
  service.answer('GET /message/file/file-1', () => ({
    status: 429,
    body: refusal('tooManyRequests', wait),
  }));
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Download knee.pdf' }));
  expect(await screen.findByText(wait)).toBeTruthy();
});

test('of the files of a message, the one that the service refuses is named', async () => {
  const uploads = fakeUploads();
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.type(screen.getByLabelText('Your message'), 'My ear hurts.');
  await userEvent.click(screen.getByRole('button', { name: 'Attach files' }));
  const notes = ['1.csv', '2.csv'].map((name) => new File([`a,${name}`], name));
  await userEvent.upload(screen.getByLabelText('Choose files'), notes);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  const message = 'This file cannot be read.';
  const errors = [{ field: 'file2', message }];
  uploads[0]?.answer(415, refusal('fileNotAccepted', message, { errors }));
  expect((await screen.findByRole('alert')).textContent).toContain(`2.csv: ${message}`);
});

test('opening and closing the files leaves the focus beside them', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Write to the clinic' }));
  await userEvent.click(screen.getByRole('button', { name: 'Attach files' }));
  expect(document.activeElement).toHaveProperty('type', 'file');
  await userEvent.click(screen.getByRole('button', { name: 'Send without files' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Attach files' }));
});

test('a picture that arrives after the patient has left is held by nothing', async () => {
  const made = vi.spyOn(URL, 'createObjectURL');
  const file = { id: 'file-1', name: 'knee.jpg', mediaType: 'image/jpeg', size: 1024 };
  const withFile = thread({ entries: [entry({ files: [file] })] });
  const service = open(withFile);
  let arrive = () => {};
  service.answer('GET /message/file/file-1', async () => {
    await new Promise<void>((resolve) => (arrive = resolve));
    return { body: 'a picture' };
  });
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show knee.jpg' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back to messages' }));
  await act(async () => arrive());
  await screen.findByRole('button', { name: 'Write to the clinic' });
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

test('a file’s name stands apart from the words round it, whichever way it is read (S-17)', async () => {
  const file = { id: 'file-1', name: 'בדיקה 1.pdf', mediaType: 'application/pdf', size: 1024 };
  open(thread({ entries: [entry({ files: [file] })] }));
  await userEvent.click(await screen.findByRole('button', { name: /My knee hurts\./ }));
  expect((await screen.findByText(file.name)).tagName).toBe('BDI');
});
