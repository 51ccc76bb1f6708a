import { beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '../../testing/fake-service.ts';
import { fakeUploads } from '../../testing/fake-uploads.ts';
import '../../testing/render.tsx';
import { dropToken, keepToken } from '../../api/access-token.ts';
import { whenTokenNotValid } from '../../api/service.ts';
import { sendFiles } from './send-files.ts';

const card = new File(['card'], 'card.jpg', { type: 'image/jpeg' });
const fields = { isHealthCard: 'true' } as const;

beforeEach(() => dropToken());

test('the form, the token and the address go along, and the answer is the call’s', async () => {
  const uploads = fakeUploads();
  keepToken('a-token');
  const result = sendFiles('uploadDocuments', { fields, files: [card] });
  const [upload] = uploads;
  expect(upload?.call).toBe('POST /message/upload');
  expect(upload?.headers).toEqual({ 'accept-language': 'en', 'x-access-token': 'a-token' });
  expect([...(upload?.form.keys() ?? [])]).toEqual(['isHealthCard', 'file1']);
  upload?.answer(200, { success: true, message: 'Thank you.' });
  expect(await result).toEqual({ success: true, message: 'Thank you.' });
});

// Shows: 3.message.2
test('a reply goes to its own message, with its text and its files', async () => {
  const uploads = fakeUploads();
  const result = sendFiles('changeMessage', {
    params: { id: 'm/1' },
    headers: {},
    fields: { message: 'Here it is' },
    files: [card, new File(['two'], 'two.pdf')],
  });
  expect(uploads[0]?.call).toBe('PUT /message/m%2F1');
  expect([...(uploads[0]?.form.keys() ?? [])]).toEqual(['message', 'file1', 'file2']);
  uploads[0]?.answer(200, { success: true });
  await result;
});

test('progress is told as it leaves the device', async () => {
  const uploads = fakeUploads();
  const heard: number[] = [];
  const result = sendFiles('uploadDocuments', {
    fields,
    files: [card],
    onProgress: (sent) => heard.push(sent),
  });
  uploads[0]?.progress(0.25);
  uploads[0]?.progress(1);
  uploads[0]?.answer(200, { success: true, message: '' });
  await result;
  expect(heard).toEqual([0.25, 1]);
});

test('a refusal keeps its status and its words; what is no envelope has none', async () => {
  const uploads = fakeUploads();
  const refused = sendFiles('uploadDocuments', { fields, files: [card] });
  uploads[0]?.answer(415, refusal('fileRefused', 'Not this one.'));
  await expect(refused).rejects.toMatchObject({ status: 415, says: 'Not this one.' });
  const odd = sendFiles('uploadDocuments', { fields, files: [card] });
  uploads[1]?.answer(500, 'oops');
  await expect(odd).rejects.toMatchObject({ status: 500, says: null });
});

test('an upload that is cut, or of which nothing moves for a minute, was not answered', async () => {
  vi.useFakeTimers();
  try {
    const uploads = fakeUploads();
    const cut = sendFiles('uploadDocuments', { fields, files: [card] });
    uploads[0]?.progress(0.5);
    uploads[0]?.cut();
    await expect(cut).rejects.toMatchObject({ unreachable: true });

    const stalled = sendFiles('uploadDocuments', { fields, files: [card] });
    vi.advanceTimersByTime(59_000);
    uploads[1]?.progress(0.5);
    vi.advanceTimersByTime(59_000);
    expect(uploads[1]?.aborted()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(uploads[1]?.aborted()).toBe(true);
    await expect(stalled).rejects.toMatchObject({ unreachable: true });
  } finally {
    vi.useRealTimers();
  }
});

test('whoever takes an upload back hears of it as of any aborted call', async () => {
  const uploads = fakeUploads();
  const attempt = new AbortController();
  const result = sendFiles('uploadDocuments', { fields, files: [card], signal: attempt.signal });
  attempt.abort();
  await expect(result).rejects.toThrow('abort');
  expect(uploads[0]?.aborted()).toBe(true);
});

test('a session that the service no longer knows is told', async () => {
  const uploads = fakeUploads();
  const heard: (string | null)[] = [];
  whenTokenNotValid((message) => heard.push(message));
  keepToken('old');
  const result = sendFiles('uploadDocuments', { fields, files: [card] });
  uploads[0]?.answer(401, refusal('tokenNotValid', 'Please sign in.', { type: 'tokenNotValid' }));
  await expect(result).rejects.toThrow('Please sign in.');
  expect(heard).toEqual(['Please sign in.']);
});
