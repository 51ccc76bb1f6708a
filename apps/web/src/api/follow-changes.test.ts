import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveSays } from '../testing/fake-live.ts';
import { followChanges } from './follow-changes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows such answers; how often each was asked for, and which are refused. */
function aPage(...queryKeys: readonly (readonly string[])[]) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: Record<string, number> = {};
  const refused = new Set<string>();
  const stops = queryKeys.map((queryKey) => {
    const [name = ''] = queryKey;
    asked[name] = 0;
    const queryFn = async () => {
      asked[name] = (asked[name] ?? 0) + 1;
      if (refused.has(name)) throw new Error('Refused');
      return name;
    };
    const options = { queryKey, queryFn, staleTime: Infinity };
    return new QueryObserver(queryClient, options).subscribe(() => {});
  });
  const stopFollowing = followChanges(queryClient);
  const stop = () => {
    for (const each of [stopFollowing, ...stops]) each();
    queryClient.clear();
  };
  return { asked, refused, stop };
}

test('what the service refused to say is asked for once more a little later', async () => {
  const { asked, refused, stop } = aPage(['appointments']);
  await vi.advanceTimersByTimeAsync(0);
  refused.add('appointments');
  liveSays('onAppointments');
  await vi.advanceTimersByTimeAsync(100);
  refused.clear();
  expect(asked['appointments']).toBe(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked['appointments']).toBe(3);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked['appointments']).toBe(3);
  stop();
});

test('what fails for long is asked for less and less often, and what did not fail not at all', async () => {
  const { asked, refused, stop } = aPage(['me'], ['check-nopcp']);
  await vi.advanceTimersByTimeAsync(0);
  refused.add('check-nopcp');
  liveSays('onAccount');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked['me']).toBe(2);
  expect(asked['check-nopcp']).toBeGreaterThan(8);
  expect(asked['check-nopcp']).toBeLessThan(15);
  refused.clear();
  liveSays('onAccount');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked['me']).toBe(3);
  stop();
});
