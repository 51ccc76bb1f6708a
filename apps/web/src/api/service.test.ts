import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeService, refusal, tokenNotValid } from '../testing/fake-service.ts';
import '../testing/render.tsx';
import { accessToken, dropToken, keepToken } from './access-token.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { callService, request, whenTokenNotValid } from './service.ts';

beforeEach(() => dropToken());

// Shows: 4.auth.2, R-3
test('the token goes along as x-access-token', async () => {
  let sent: string | null = null;
  fakeService({
    'GET /me': ({ headers }) => {
      sent = headers.get('x-access-token');
      return { body: {} };
    },
  });
  keepToken('a-token');
  await callService('getMe', {});
  expect(sent).toBe('a-token');
});

test('a background refetch says that it is one', async () => {
  let mark: string | null = null;
  fakeService({
    'GET /me': ({ headers }) => {
      mark = headers.get('x-background');
      return { body: {} };
    },
  });
  await callService('getMe', {}, { background: true });
  expect(mark).toBe('1');
});

// Shows: R-11
test('the clinic clock is the service clock, whatever the device says', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  fakeService({
    'GET /services/config': () => ({ body: {}, date: 'Tue, 15 Dec 2026 20:00:00 GMT' }),
  });
  await callService('getConfig', {});
  const served = Date.UTC(2026, 11, 15, 20) / 1000;
  expect(clinicNow()).toBe(served);
  vi.advanceTimersByTime(5_000);
  expect(clinicNow()).toBe(served + 5);
  vi.useRealTimers();
});

describe('a session that the service no longer knows', () => {
  // Shows: 4.auth.6
  test('is told to whoever keeps the session', async () => {
    fakeService({ 'GET /doctors': () => tokenNotValid });
    const heard: (string | null)[] = [];
    whenTokenNotValid((message) => heard.push(message));
    keepToken('old');
    await callService('listDoctors', {});
    expect(heard).toEqual(['Please log in again.']);
  });

  test('is not told when another token has taken its place meanwhile', async () => {
    fakeService({
      'GET /doctors': () => {
        keepToken('new');
        return tokenNotValid;
      },
    });
    const heard: (string | null)[] = [];
    whenTokenNotValid((message) => heard.push(message));
    keepToken('old');
    await callService('listDoctors', {});
    expect(heard).toEqual([]);
    expect(accessToken.get()).toBe('new');
  });
});

describe('what a patient reads about a failure', () => {
  const failure = async () => {
    const error: unknown = await request('listDoctors', {}).catch((caught: unknown) => caught);
    if (!(error instanceof ApiError)) throw new Error('It did not fail');
    return error;
  };

  // Shows: 8.server-message.1
  test('is the message of the service, before any of ours', async () => {
    fakeService({
      'GET /doctors': () => ({ status: 409, body: refusal('slotTaken', 'Somebody was faster.') }),
    });
    const error = await failure();
    expect(error).toMatchObject({ status: 409, code: 'slotTaken', unreachable: false });
    expect(messageOf(error, 'Server error.')).toBe('Somebody was faster.');
  });

  // Shows: 8.server-message.1
  test('is the specified text when the service was not reached', async () => {
    fakeService({ 'GET /doctors': () => 'unreachable' });
    const error = await failure();
    expect(error.unreachable).toBe(true);
    expect(messageOf(error, 'Server error.')).toBe('Server error.');
    expect(messageOf(error)).toBe(
      "We can't reach the clinic right now. Please check your connection.",
    );
  });

  test('keeps what is wrong with each field', async () => {
    const errors = [{ field: 'reason', message: 'Please enter reason' }];
    fakeService({
      'GET /doctors': () => ({ status: 422, body: refusal('invalidInput', 'x', { errors }) }),
    });
    expect((await failure()).fieldErrors).toEqual(errors);
  });
});
